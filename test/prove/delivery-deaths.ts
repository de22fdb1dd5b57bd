import type { FaultKind } from "../../src/sandbox/faults.ts";
import type { SimulatedProcess } from "../support/process.ts";
import { judgeAttempts, judgeCounter } from "./delivery-rules.ts";
import type { DeliveryRun } from "./delivery-run.ts";
import {
  addEndpoint,
  connectNew,
  createDeliveryWorld,
  type DeliveryWorld,
  judgeEndpoint,
  type NamedEndpoint,
  sweepUntilDone,
} from "./delivery-world.ts";
import { type Random, seededRandom } from "./random.ts";

/** What happens in all runs of a series, but for the moment at which it is interrupted. */
interface Story {
  store: "memory" | "sqlite";
  endpoints: number;
  acts: readonly Act[];
  /** The share of requests to receivers that go wrong. */
  faults: number;
  faultSeed: number;
  interruption: "dies" | "stands still";
  /** The clock of the process that recovers is off by this much, milliseconds. */
  skewMs: number;
}

const harmless = ["post", "connect"] as const;
/** At the end, so that what a profile has become tells what has happened to it. */
const last = [...harmless, "break", "disconnect"] as const;
type Act = (typeof last)[number];

/** How long a process stands still, milliseconds: longer than a lease. */
const stillMs = 120_000;
const askedSeconds = 600;

/**
 * All runs of one series: posts are published, profiles connected and broken,
 * and a process dies, or stands still, at every call that it makes until all of
 * that is delivered; sometimes the one that recovers dies as well.
 */
export async function* deliveryDeaths(seed: number, series: number): AsyncGenerator<DeliveryRun> {
  const random = seededRandom(seed * 1_000_003 + series);
  const story = storyFrom(random);
  const name = `series ${series}`;
  const whole = await run(story, { name: `${name}, not interrupted` });
  yield whole;
  for (let at = 0; at < whole.moments; at++) {
    const dieAgainAt = random.next() < 0.3 ? random.between(0, whole.moments) : undefined;
    yield await run(story, { name: `${name}, moment ${at}`, at, dieAgainAt });
  }
}

function storyFrom(random: Random): Story {
  return {
    store: random.of(["memory", "memory", "memory", "sqlite"] as const),
    endpoints: random.between(1, 2),
    acts: [...Array.from({ length: random.between(0, 2) }, () => random.of(harmless)), random.of(last)],
    faults: random.of([0, 0.3, 0.6, 1]),
    faultSeed: random.between(0, 1_000_000),
    interruption: random.of(["dies", "dies", "dies", "stands still"] as const),
    skewMs: random.of([0, 0, 300_000, -300_000]),
  };
}

async function run(
  story: Story,
  { name, at, dieAgainAt }: { name: string; at?: number; dieAgainAt?: number | undefined },
): Promise<DeliveryRun & { moments: number }> {
  const world = createDeliveryWorld({ store: story.store, random: seededRandom(story.faultSeed + 1) });
  const setUp = world.process("set-up");
  const endpoints: NamedEndpoint[] = [];
  for (let number = 1; number <= story.endpoints; number++) {
    endpoints.push(await world.clock.run(() => addEndpoint(world, setUp, `receiver ${number}`)));
  }
  const alice = await world.clock.run(() => connectNew(world, setUp, "alice"));
  spoil(world, story);
  const isStill = story.interruption === "stands still" && at !== undefined;
  const first = world.process("first", isStill ? { stall: { at, ms: stillMs } } : { dieAt: at });
  const second = world.process("second", { dieAt: dieAgainAt, skewMs: story.skewMs });
  const third = world.process("third");
  await world.clock.run(async () => {
    const life = live(world, first, { ...story, alice });
    // A process that stands still has others beside it and goes on in the end.
    const recovered = isStill ? recover(world, second, third) : null;
    await Promise.race([life, first.died]);
    await recovered;
    await recover(world, second, third);
    if (isStill) await world.clock.sleep(2 * stillMs);
  });
  const findings = await judge(world, third, { endpoints, isStill });
  await world.storage.close();
  return {
    name,
    moments: first.moments(),
    kills: [first, second].filter((each) => each.isDead()).length,
    ...findings,
  };
}

async function recover(world: DeliveryWorld, second: SimulatedProcess, third: SimulatedProcess): Promise<void> {
  if (!second.isDead()) await Promise.race([sweepUntilDone(world, second), second.died]);
  if (second.isDead()) await sweepUntilDone(world, third);
}

interface Life extends Pick<Story, "acts"> {
  alice: Awaited<ReturnType<typeof connectNew>>;
}

/** What the process does that is interrupted. */
async function live(world: DeliveryWorld, process: SimulatedProcess, { acts, alice }: Life): Promise<void> {
  const { posts, profiles } = process.social;
  const create = (text: string): Promise<unknown> =>
    posts.create({ profile_ids: [alice.profile.id], text, idempotency_key: text });
  const doing: Record<Act, (number: number) => Promise<unknown>> = {
    post: (number) => create(`Post number ${number} 🦊`),
    connect: (number) => connectNew(world, process, `user${number}`),
    break: async (number) => {
      world.sandbox.mastodon.revoke(alice.token);
      await create(`Post number ${number} comes too late.`);
    },
    disconnect: () => profiles.disconnect(alice.profile.id),
  };
  // What no longer works on a profile that is gone is refused, and that is right.
  for (const [index, act] of acts.entries()) await doing[act](index + 1).catch(() => undefined);
  await sweepUntilDone(world, process);
}

function spoil({ sandbox }: DeliveryWorld, { faults, faultSeed }: Story): void {
  const random = seededRandom(faultSeed);
  sandbox.receivers.faults.next = () => (random.next() < faults ? receiverFault(random) : undefined);
}

function receiverFault(random: Random): FaultKind {
  const retryAfter = { "retry-after": String(random.of([1, askedSeconds])) };
  return random.of<FaultKind>([
    { kind: "not_sent", code: "ECONNREFUSED" },
    { kind: "refuse", answer: { status: 500, text: "Oops" } },
    { kind: "refuse", answer: { status: 302, headers: { location: "https://elsewhere.example/" } } },
    { kind: "refuse", answer: { status: 503, headers: retryAfter } },
    { kind: "refuse_though_done", answer: { status: 502, text: "<html>Oops</html>" } },
    { kind: "drop_before" },
    { kind: "drop_after" },
    { kind: "cut_body" },
    { kind: "slow", seconds: random.between(1, 20) },
    { kind: "hang" },
  ]);
}

async function judge(
  world: DeliveryWorld,
  process: SimulatedProcess,
  { endpoints, isStill }: { endpoints: readonly NamedEndpoint[]; isStill: boolean },
): Promise<Omit<DeliveryRun, "name" | "kills">> {
  const rules = { isPunctual: !isStill, everybodyLives: false, askedMs: askedSeconds * 1_000, unseenMs: 0 };
  const findings = judgeAttempts(world.log, rules);
  const posts = (await world.storage.find("posts", { where: {}, limit: 1 })).total;
  const sum = { posts, deliveries: 0, again: 0, findings };
  for (const endpoint of endpoints) {
    const verdict = await judgeEndpoint(world, process, endpoint);
    const stored = await process.social.webhooks.get(endpoint.id);
    const records = world.log.records.filter(({ webhookId }) => webhookId === endpoint.id);
    sum.deliveries += verdict.deliveries;
    sum.again += verdict.again;
    findings.push(...verdict.findings, ...judgeCounter(stored, records));
  }
  return sum;
}
