import { fromRow } from "../../src/storage/typed.ts";
import type { DeliveryRow } from "../../src/webhooks/rows.ts";
import type { Finding } from "../support/verdict.ts";
import type { DeliveryRun } from "./delivery-run.ts";
import { addEndpoint, connectNew, createDeliveryWorld, type DeliveryWorld } from "./delivery-world.ts";
import { seededRandom } from "./random.ts";

/** How long deliveries took from being recorded to being taken, milliseconds of virtual time. */
interface Delays {
  p50: number;
  p99: number;
}

/** How much later the slowest hundredth may be because others hang. */
const maxSlowdown = 1.2;
const postsEach = 3;

/**
 * Many endpoints of one account, of which some hang: ten seconds for each
 * attempt. The others get theirs as if nothing were. Two processes deliver.
 */
export async function hangingRun(options: { seed: number; endpoints: number; hanging: number }): Promise<DeliveryRun> {
  const { seed, endpoints, hanging } = options;
  const calm = await run({ ...options, hanging: 0 });
  const troubled = await run(options);
  const findings = [...calm.findings, ...troubled.findings];
  if (troubled.delays.p99 > calm.delays.p99 * maxSlowdown) {
    findings.push({
      what: "stuck",
      message: `p99 of the others ${troubled.delays.p99} ms instead of ${calm.delays.p99} ms`,
    });
  }
  const inWords = ({ delays }: typeof calm): string => `p50 ${delays.p50} ms, p99 ${delays.p99} ms`;
  return {
    name: `hanging, seed ${seed}`,
    posts: 2 * postsEach,
    deliveries: calm.deliveries + troubled.deliveries,
    again: calm.again + troubled.again,
    kills: 0,
    findings,
    note: `${endpoints} endpoints: ${inWords(calm)}; with ${hanging} of them hanging, the others: ${inWords(troubled)}`,
  };
}

async function run(options: { seed: number; endpoints: number; hanging: number }) {
  const random = seededRandom(options.seed);
  const world = createDeliveryWorld({ store: "memory", random });
  const { clock, sandbox } = world;
  const processes = [world.process("one"), world.process("other")] as const;
  const [{ social }] = processes;
  const { profile } = await clock.run(() => connectNew(world, processes[0], "alice"));
  await clock.run(async () => {
    for (let number = 0; number < options.endpoints; number++) {
      await addEndpoint(world, processes[0], number < options.hanging ? `hangs ${number}` : `well ${number}`);
    }
  });
  sandbox.receivers.faults.next = (name) =>
    name.startsWith("hangs") ? { kind: "hang" } : { kind: "slow", seconds: random.between(20, 300) / 1_000 };
  await clock.run(() => Promise.all(processes.map((each) => each.social.start())));
  for (let number = 1; number <= postsEach; number++) {
    const text = `Post number ${number}`;
    await clock.run(() => social.posts.create({ profile_ids: [profile.id], text, idempotency_key: text }));
    await clock.advance(60_000);
  }
  await clock.advance(60_000);
  await clock.run(() => Promise.all(processes.map((each) => each.social.stop())));
  const result = await judge(world, options);
  await world.storage.close();
  return result;
}

async function judge(
  { sandbox, storage, log }: DeliveryWorld,
  { endpoints, hanging }: { endpoints: number; hanging: number },
): Promise<{ delays: Delays; deliveries: number; again: number; findings: Finding[] }> {
  const findings: Finding[] = [];
  const rows = (await storage.find("deliveries", { where: {} })).rows.map((row) => fromRow<DeliveryRow>(row));
  if (rows.length !== endpoints * postsEach) findings.push({ what: "lost", message: `${rows.length} deliveries` });
  const hangs = new Set(log.requests.filter(({ to, from }) => to - from >= 10_000).map(({ webhookId }) => webhookId));
  if (hangs.size !== hanging) findings.push({ what: "untrue", message: `${hangs.size} endpoints hung` });
  const taken = new Map(sandbox.receivers.deliveries().map(({ id, at }) => [id, at]));
  const delays: number[] = [];
  for (const { id, webhook_id, status, created_at } of rows) {
    if (hangs.has(webhook_id)) continue;
    const at = taken.get(id);
    if (at === undefined || status !== "delivered") findings.push({ what: "lost", message: `${id} is ${status}` });
    else delays.push(at - Date.parse(created_at));
  }
  delays.sort((one, other) => one - other);
  const share = (part: number): number => delays[Math.floor(delays.length * part)] ?? Number.NaN;
  return {
    delays: { p50: share(0.5), p99: share(0.99) },
    deliveries: rows.length,
    again: sandbox.receivers.deliveries().length - taken.size,
    findings,
  };
}
