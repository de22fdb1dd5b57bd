/**
 * What a tenant whose own server floods costs a neighbour on the same SQLite file: how late the neighbour's posts go
 * out, and how much is written. 40 inboxes of one account, each of which is looked at every minute and a half and
 * finds 80 new mentions of 9 kB. The time between the looks is skipped; all of them come due at the same moment, which is
 * the worst case. The networks are other processes: one for the flood, one for the neighbour.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Clock, systemClock } from "../../src/ports/clock.ts";
import type { MentionFlood } from "../../src/sandbox/mastodon/flood.ts";
import { remoteSandbox } from "../../src/sandbox/serve.ts";
import type { TenantService } from "../../src/service.ts";
import { silentLogger } from "../support/logger.ts";
import { testKey } from "../support/service.ts";
import type { BenchOptions } from "./arguments.ts";
import { type Built, importBuilt } from "./built.ts";
import type { FloodServer } from "./flood-server.ts";
import { type BenchResult, time } from "./result.ts";

const goalMs = 2_000;
/** What each look at an inbox finds. */
const usual: MentionFlood = { mentions: 1, characters: 100 };
const flood: MentionFlood = { mentions: 80, characters: 9_000 };
/** Looks at all inboxes with the flood, and as many without. */
const rounds = 3;
/** From one round to the next, milliseconds: an inbox with news comes due again after 90 s. */
const roundMs = 91_000;
const longestBetweenLooksMs = 301_000;
/** From one post of the neighbour to the next, milliseconds. */
const betweenPostsMs = 200;
/** The neighbour posts for so long at least in each round, milliseconds. */
const leastMs = 3_000;

export async function benchFlood(_options: BenchOptions): Promise<BenchResult[]> {
  const built = await importBuilt();
  const [hostile, quiet] = await Promise.all([startServer(), startServer()]);
  const folder = mkdtempSync(join(tmpdir(), "postrider-bench-"));
  try {
    const service = await createFloodedService(built, { file: join(folder, "social.db"), hostile, quiet });
    await hostile.order(usual);
    await untilLooksAreClose(service);
    const without = await measure(service, rounds);
    await hostile.order(flood);
    const flooded = await measure(service, rounds);
    return resultsOf(without, flooded, await service.countMessages());
  } finally {
    hostile.process.kill();
    quiet.process.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Server extends FloodServer {
  process: ChildProcess;
  order(order: MentionFlood): Promise<void>;
}

async function startServer(): Promise<Server> {
  const process = fork(fileURLToPath(new URL("flood-server.ts", import.meta.url)));
  const [server] = (await once(process, "message")) as [FloodServer];
  async function order(given: MentionFlood): Promise<void> {
    process.send(given);
    await once(process, "message");
  }
  return { ...server, process, order };
}

interface FloodedService {
  social: TenantService;
  clock: RoundClock;
  neighbours: readonly string[];
  /** When each post of the neighbour's was sent, by its text, `performance.now()`. */
  sentAt: ReadonlyMap<string, number>;
  /** What the flooded inboxes have taken in. */
  countMessages(): Promise<number>;
}

async function createFloodedService(
  built: Built,
  { file, hostile, quiet }: { file: string; hostile: Server; quiet: Server },
): Promise<FloodedService> {
  const clock = roundClock();
  const storage = built.sqliteStorage(file, { clock });
  const sentAt = new Map<string, number>();
  const fromHostile = remoteSandbox(hostile.url, fetch);
  const fromQuiet = remoteSandbox(quiet.url, fetch);
  const http: typeof fetch = (input, init) => {
    const { hostname, pathname } = new URL(input instanceof Request ? input.url : input);
    if (hostname === hostile.mastodon[0]?.instance) return fromHostile(input, init);
    if (pathname.endsWith("applyWrites")) noteText(init?.body as Uint8Array, sentAt);
    return fromQuiet(input, init);
  };
  const social = built.createSocialService({
    storage,
    clock,
    http,
    untrustedHttp: http,
    encryptionKey: testKey,
    logger: silentLogger,
    tenants: true,
    networks: [built.mastodon({ scopes: ["publish", "inbox"] }), built.bluesky()],
  });
  const flooder = social.forAccount("flooder").profiles;
  for (const credentials of hostile.mastodon) await flooder.connect({ network: "mastodon", credentials });
  const neighbours: string[] = [];
  for (const credentials of quiet.bluesky) {
    const { id } = await social.forAccount("neighbour").profiles.connect({ network: "bluesky", credentials });
    neighbours.push(id);
  }
  await social.runDue();
  const countMessages = async () => (await storage.find("messages", { where: {}, limit: 1 })).total;
  return { social, clock, neighbours, sentAt, countMessages };
}

function noteText(body: Uint8Array, sentAt: Map<string, number>): void {
  const { writes } = JSON.parse(Buffer.from(body).toString()) as { writes: { value: { text: string } }[] };
  for (const { value } of writes) sentAt.set(value.text, performance.now());
}

interface RoundClock extends Clock {
  /** From now on it is so much later. */
  skip(ms: number): void;
}

/** The machine's, but that it stands still before the next round: a slow machine looks at each inbox once in each, too. */
function roundClock(): RoundClock {
  const startedAt = Date.now();
  let roundAt = 0;
  let beganAt = performance.now();
  const monotonic = (): number => roundAt + Math.min(performance.now() - beganAt, 55_000);
  return {
    monotonic,
    now: () => Math.floor(startedAt + monotonic()),
    sleep: systemClock.sleep,
    skip(ms) {
      roundAt = monotonic() + ms;
      beganAt = performance.now();
    },
  };
}

/** News makes looks follow each other as closely as they may. */
async function untilLooksAreClose({ social, clock }: FloodedService): Promise<void> {
  for (let look = 0; look < 4; look++) {
    clock.skip(longestBetweenLooksMs);
    await social.runDue();
  }
}

interface Measured {
  /** From `create` to the first byte of the post, milliseconds, ascending. */
  lags: number[];
  /** Bytes written in an hour of such rounds. */
  bytesAnHour: number;
  /** Looks at all inboxes, milliseconds: how long the worker was busy. */
  busyMs: number[];
}

let count = 0;

/** Looks at all inboxes in each round, while the neighbour posts. */
async function measure({ social, clock, neighbours, sentAt }: FloodedService, times: number): Promise<Measured> {
  const { posts } = social.forAccount("neighbour");
  const lags: number[] = [];
  const busyMs: number[] = [];
  const writtenBefore = bytesWritten();
  for (let round = 0; round < times; round++) {
    const startedAt = performance.now();
    clock.skip(roundMs);
    let isOver = false;
    const looks = social.runDue().then(() => {
      isOver = true;
      busyMs.push(performance.now() - startedAt);
    });
    const creating: Promise<void>[] = [];
    while (!isOver || performance.now() - startedAt < leastMs) {
      creating.push(post());
      await new Promise((resolve) => setTimeout(resolve, betweenPostsMs));
    }
    await Promise.all([looks, ...creating]);
  }
  const bytesAnHour = ((bytesWritten() - writtenBefore) / times) * (3_600_000 / roundMs);
  return { lags: lags.sort((one, other) => one - other), bytesAnHour, busyMs };

  async function post(): Promise<void> {
    const text = `The ferry leaves at ten, number ${++count}.`;
    const startedAt = performance.now();
    await posts.create({ profile_ids: [neighbours[count % neighbours.length] ?? ""], text });
    lags.push((sentAt.get(text) ?? Number.NaN) - startedAt);
  }
}

/** By this process to files. */
function bytesWritten(): number {
  return process.resourceUsage().fsWrite * 512;
}

function resultsOf(without: Measured, flooded: Measured, messages: number): BenchResult[] {
  const p95 = ({ lags }: Measured): number => lags[Math.floor((lags.length - 1) * 0.95)] ?? Number.NaN;
  const gigabytes = ({ bytesAnHour }: Measured): string => `${(bytesAnHour / 1e9).toFixed(2)} GB`;
  const raw = { without, flooded, messages };
  return [
    {
      name: "a neighbour's post while 40 inboxes of a tenant are flooded, on SQLite: lag, p95",
      ours: time(p95(flooded)),
      floor: time(p95(without)),
      reached: time(p95(flooded)),
      goal: `≤${goalMs} ms`,
      isMet: p95(flooded) <= goalMs,
      raw,
    },
    {
      name: "written in an hour of that",
      ours: gigabytes(flooded),
      floor: gigabytes(without),
      reached: gigabytes(flooded),
      goal: "",
      isMet: true,
      raw: { messages },
    },
  ];
}
