/**
 * What a service takes of a core while nothing happens, by `start()`: profiles of Bluesky with their inboxes, each of
 * whose lists has been quiet for so long that it is read as rarely as it ever is. The network is a process of its own.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { InboxRow } from "../../src/inbox/rows.ts";
import type { InboxSource } from "../../src/networks/contract/inbox.ts";
import { systemClock } from "../../src/ports/clock.ts";
import type { Operation } from "../../src/storage/storage.ts";
import { fromRow, toChange } from "../../src/storage/typed.ts";
import { silentLogger } from "../support/logger.ts";
import { testKey } from "../support/service.ts";
import type { Built } from "./built.ts";
import { openSqlite } from "./database.ts";
import { cpuMs } from "./measure.ts";
import type { BenchResult } from "./result.ts";

const profiles = 1_000;
const measuredMs = 60_000;
/** Before, milliseconds: the first sweep, and code that is not compiled yet. */
const warmUpMs = 20_000;
/** Between two rounds in which stored messages are read again, milliseconds. */
const rereadMs = 1_800_000;
/** Of one core. */
const goalPercent = 4;

export async function benchIdleInboxes(built: Built): Promise<BenchResult[]> {
  const server = fork(fileURLToPath(new URL("polls-server.ts", import.meta.url)));
  const [port] = (await once(server, "message")) as [number];
  const database = await openSqlite(built);
  const { storage } = database;
  const sandbox = built.createSandbox({ clock: systemClock });
  let requests = 0;
  let isQuiet = false;
  /** The simulated network, until all are connected. */
  const http = (async (input: Request | URL | string, init?: RequestInit) => {
    if (!isQuiet) return sandbox.http(input, init);
    requests += 1;
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    const headers = input instanceof Request ? input.headers : init?.headers;
    return fetch(`http://127.0.0.1:${port}${pathname}${search}`, { ...(headers && { headers }) });
  }) as typeof fetch;
  const adapter = built.bluesky({ scopes: ["publish", "inbox"] });
  const ports = { http, untrustedHttp: http, encryptionKey: testKey, logger: silentLogger };
  const social = built.createSocialService({ storage, networks: [adapter], ...ports });
  try {
    for (let number = 0; number < profiles; number++) {
      const scope = "com.atproto.appPassPrivileged";
      const { handle, password } = sandbox.bluesky.addAccount({ handle: `a${number}.sandbox.example`, scope });
      const credentials = { identifier: handle, app_password: password };
      await social.profiles.connect({ network: "bluesky", credentials });
    }
    await social.runDue();
    isQuiet = true;
    const inboxes = (await storage.find("inboxes", { where: {} })).rows.map((row) => fromRow<InboxRow>(row));
    const lists = adapter.inbox?.sources ?? [];
    // The simulated network has refused to be asked for all of them at once: in all of them the same was found.
    const read = inboxes.find((inbox) => lists.every(({ name }) => inbox.private.sources[name]?.read_at != null));
    if (read === undefined) throw new Error("No inbox was read.");
    const now = await storage.now();
    const quiet = inboxes.map((inbox, place) => longQuiet(inbox, { read, lists, now, share: place / profiles }));
    await storage.write(quiet);
    await social.start();
    await setTimeout(warmUpMs);
    requests = 0;
    const before = cpuMs();
    await setTimeout(measuredMs);
    const percent = (100 * (cpuMs() - before)) / measuredMs;
    const perMinute = (requests * 60_000) / measuredMs;
    await social.stop();
    return [resultOf(percent, perMinute)];
  } finally {
    server.kill();
    await database.remove();
  }
}

/** @param given.share how far each of its lists is in its pause, 0 to 1 */
function longQuiet(
  { id, private: state }: InboxRow,
  { read, lists, now, share }: { read: InboxRow; lists: readonly InboxSource[]; now: number; share: number },
): Operation {
  const longest = new Map(lists.map(({ name, every }) => [name, every.max * 1_000]));
  const paced = Object.entries(read.private.sources).map(([name, source]) => {
    const every_ms = longest.get(name) ?? rereadMs;
    return [name, { ...source, every_ms, due_at: now + Math.floor(every_ms * share) }] as const;
  });
  const { rests_until: _, ...others } = state;
  const due_at = Math.min(...paced.map(([, source]) => source.due_at));
  const change = toChange({ due_at, private: { ...others, sources: Object.fromEntries(paced) } });
  return { kind: "update", collection: "inboxes", id, change, where: {} };
}

function resultOf(percent: number, requestsPerMinute: number): BenchResult {
  return {
    name: `${profiles.toLocaleString("en-US")} quiet inboxes of Bluesky on SQLite: share of a core`,
    ours: `${percent.toFixed(1)} %`,
    floor: `${requestsPerMinute.toFixed(0)} requests/min`,
    reached: `${percent.toFixed(1)} %`,
    goal: `≤${goalPercent} %`,
    isMet: percent <= goalPercent,
    raw: { percent, requestsPerMinute },
  };
}
