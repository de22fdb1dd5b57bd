import type { FaultKind } from "../../src/sandbox/faults.ts";
import type { SimulatedProcess } from "../support/process.ts";
import type { Finding } from "../support/verdict.ts";
import { judgeAttempts, judgeCounter, maxAtOnce, maxInFlight } from "./delivery-rules.ts";
import type { DeliveryRun } from "./delivery-run.ts";
import {
  addEndpoint,
  connectNew,
  createDeliveryWorld,
  type DeliveryWorld,
  judgeEndpoint,
  type NamedEndpoint,
  readDeliveries,
} from "./delivery-world.ts";
import { type Random, seededRandom } from "./random.ts";

const hourMs = 3_600_000;

/** Failed deliveries in a row that disable an endpoint (spec: Webhook endpoint). */
const maxFailures = 20;

/** How a receiver is down: quick to say so, so that attempts come at their time. */
const outages: readonly FaultKind[] = [
  { kind: "not_sent", code: "ECONNREFUSED" },
  { kind: "refuse", answer: { status: 503, text: "<html>Down for maintenance</html>" } },
  { kind: "drop_before" },
];

interface Scene {
  world: DeliveryWorld;
  processes: readonly [SimulatedProcess, SimulatedProcess];
  /** Down, and told of everything. */
  busy: NamedEndpoint;
  /** Down, and told of so little that it is not disabled. */
  calm: NamedEndpoint;
  /** Never down. */
  well: NamedEndpoint;
}

/**
 * A receiver is down for `hours`, while posts go on being published; then it is
 * up again, and its endpoint is resumed. Two processes deliver.
 */
export async function outageRun(options: { seed: number; hours: number; everyHours: number }): Promise<DeliveryRun> {
  const random = seededRandom(options.seed);
  const outage = random.of(outages);
  const scene = await openScene(random);
  const { world, processes } = scene;
  const [one, other] = processes;
  for (const name of ["busy", "calm"]) {
    world.sandbox.receivers.faults.add({ ...outage, operation: name, times: Number.POSITIVE_INFINITY });
  }
  await world.clock.run(() => Promise.all([one.social.start(), other.social.start()]));
  const posts = await publishFor(scene, random, options);
  const findings = await judgeOutage(scene);
  world.sandbox.receivers.faults.clear();
  // Slow enough for requests to lie side by side.
  world.sandbox.receivers.faults.add({ kind: "slow", seconds: 2, operation: "busy", times: Number.POSITIVE_INFINITY });
  await world.clock.run(() => one.social.webhooks.update(scene.busy.id, { status: "active" }));
  // The longest wait, once more.
  await world.clock.advance(27 * hourMs);
  findings.push(...(await judgeRecovery(scene)));
  const well = await judgeEndpoint(world, one, scene.well);
  findings.push(...well.findings);
  const rows = [...(await readDeliveries(world, scene.busy.id)), ...(await readDeliveries(world, scene.calm.id))];
  const failed = rows.filter(({ status }) => status === "failed").length;
  await world.clock.run(() => Promise.all(processes.map(({ social }) => social.stop())));
  await world.storage.close();
  return {
    name: `outage, seed ${options.seed}`,
    posts,
    deliveries: well.deliveries + rows.length,
    again: well.again,
    kills: 0,
    findings,
    note: `a receiver down for ${options.hours} h (${outage.kind}): ${posts} posts, ${failed} deliveries given up after seven attempts, ${rows.length - failed} arrived afterwards`,
  };
}

async function openScene(random: Random): Promise<Scene> {
  const world = createDeliveryWorld({ store: "memory", random });
  const processes = [world.process("one"), world.process("other")] as const;
  const add = (name: string, events: ("profile.connected" | "post.published")[]): Promise<NamedEndpoint> =>
    world.clock.run(() => addEndpoint(world, processes[0], name, { events }));
  const well = await add("well", []);
  const scene = { world, processes, well, calm: await add("calm", ["profile.connected"]) };
  return { ...scene, busy: await add("busy", ["post.published"]) };
}

/** One post every `everyHours` or so, and a new profile every 4 hours. Returns how many posts. */
async function publishFor(
  { world, processes }: Scene,
  random: Random,
  { hours, everyHours }: { hours: number; everyHours: number },
): Promise<number> {
  const { clock } = world;
  const until = clock.now() + hours * hourMs;
  const { profile } = await clock.run(() => connectNew(world, processes[0], "alice"));
  let connectAt = clock.now();
  let posts = 0;
  while (clock.now() < until) {
    const { social } = random.of(processes);
    posts += 1;
    const text = `Post number ${posts} 🦊`;
    await clock.run(() => social.posts.create({ profile_ids: [profile.id], text, idempotency_key: text }));
    if (clock.now() >= connectAt) {
      await clock.run(() => connectNew(world, random.of(processes), `user${posts}`));
      connectAt += 4 * hourMs;
    }
    await clock.advance(Math.round(everyHours * hourMs * (0.5 + random.next())));
  }
  return posts;
}

/** Disabled at the twentieth failed delivery in a row, and not told of anything after that. */
async function judgeOutage({ world, processes, busy, calm, well }: Scene): Promise<Finding[]> {
  const { log } = world;
  const rules = { isPunctual: true, everybodyLives: true, askedMs: 0, unseenMs: 0 };
  const findings = judgeAttempts(log, rules);
  const { status, consecutive_failures, disabled_reason = "" } = await processes[0].social.webhooks.get(busy.id);
  const records = log.records.filter(({ webhookId }) => webhookId === busy.id);
  const failures = records.filter((record) => record.status === "failed");
  const disabledAt = failures[maxFailures - 1]?.order ?? Number.POSITIVE_INFINITY;
  if (status !== "disabled" || failures.length !== maxFailures || consecutive_failures !== maxFailures) {
    findings.push(untrue(`${status} after ${failures.length} failures, counted as ${consecutive_failures}`));
  }
  if (!disabled_reason.startsWith("20 deliveries in a row failed")) findings.push(untrue(`why: ${disabled_reason}`));
  const after = log.requests.filter(({ webhookId, order }) => webhookId === busy.id && order > disabledAt);
  if (after.length > 0) findings.push(untrue(`${after.length} attempts at an endpoint that is disabled`));
  const due = await processes[0].social.webhooks.deliveries.list(busy.id, { status: "pending", limit: 1 });
  if (due.data[0]?.next_attempt_at !== null) findings.push(untrue("what waits for a disabled endpoint has a time"));
  const at = failures[maxFailures - 1]?.at ?? 0;
  const recorded = (await readDeliveries(world, busy.id)).length;
  const owed = (await readDeliveries(world, well.id)).filter(
    ({ event, created_at }) => event === "post.published" && Date.parse(created_at) <= at,
  );
  if (recorded !== owed.length) findings.push(untrue(`${recorded} deliveries were recorded of ${owed.length} posts`));
  return [...findings, ...judgeCounter(await processes[0].social.webhooks.get(calm.id), ofEndpoint(world, calm))];
}

/** All that was not given up arrives once the receiver is there again, each once. */
async function judgeRecovery({ world, busy, calm }: Scene): Promise<Finding[]> {
  // Late is right for what had to wait; early or miscounted is not.
  const findings = judgeAttempts(world.log, { isPunctual: true, everybodyLives: false, askedMs: 0, unseenMs: 0 });
  for (const { id, receiver } of [busy, calm]) {
    const taken = world.sandbox.receivers.deliveries(receiver).map((each) => each.id);
    const rows = await readDeliveries(world, id);
    for (const row of rows) {
      const times = taken.filter((each) => each === row.id).length;
      const fits =
        row.status === "failed" ? times === 0 && row.attempts === 7 : row.status === "delivered" && times === 1;
      if (!fits) findings.push({ what: "lost", message: `${row.id} is ${row.status} and arrived ${times} times` });
    }
    if (rows.every(({ status }) => status !== "delivered")) findings.push(untrue(`nothing was left for ${receiver}`));
  }
  const requests = world.log.requests.filter(({ webhookId }) => webhookId === busy.id);
  const most = maxInFlight(requests);
  if (most > maxAtOnce) findings.push({ what: "overlap", message: `${most} requests at once after the outage` });
  return findings;
}

function ofEndpoint({ log }: DeliveryWorld, { id }: NamedEndpoint) {
  return log.records.filter(({ webhookId }) => webhookId === id);
}

function untrue(message: string): Finding {
  return { what: "untrue", message };
}
