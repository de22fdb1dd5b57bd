import type { Clock } from "../../src/ports/clock.ts";
import type { FaultKind } from "../../src/sandbox/faults.ts";
import type { Scheduler } from "../../src/scheduler/scheduler.ts";
import { fromRow } from "../../src/storage/typed.ts";
import type { DeliveryRow } from "../../src/webhooks/rows.ts";
import type { Finding } from "../support/verdict.ts";
import { judgeAttempts, judgeCounter } from "./delivery-rules.ts";
import type { DeliveryRun } from "./delivery-run.ts";
import {
  addEndpoint,
  connectNew,
  createDeliveryWorld,
  type DeliveryWorld,
  judgeEndpoint,
  type NamedEndpoint,
} from "./delivery-world.ts";
import { type Random, seededRandom } from "./random.ts";

/** Faults after which nothing has arrived: what arrives after all has arrived once. */
const faults: readonly FaultKind[] = [
  { kind: "not_sent", code: "ECONNREFUSED" },
  { kind: "refuse", answer: { status: 500, text: "Oops" } },
  { kind: "drop_before" },
  { kind: "hang" },
];

/** What a sweep may leave lying because it looks every 25 s, and does not look twice within one, milliseconds. */
const maxUnseenMs = 26_000;

/**
 * Three processes whose schedulers ring early, late, twice or not at all. All
 * live: nothing is delivered twice, nothing is missed, nothing waits for longer
 * than until the next sweep.
 */
export async function wakesRun(options: { seed: number; posts: number }): Promise<DeliveryRun> {
  const random = seededRandom(options.seed);
  const world = createDeliveryWorld({ store: "memory", random });
  const { clock, sandbox } = world;
  const processes = ["one", "two", "three"].map((name) =>
    world.process(name, { service: { scheduler: fitfulScheduler(clock, random) } }),
  );
  const [setUp] = processes;
  if (setUp === undefined) throw new Error("There is no process.");
  const endpoints: NamedEndpoint[] = [];
  for (const name of ["a", "b", "c"]) endpoints.push(await clock.run(() => addEndpoint(world, setUp, name)));
  const { profile } = await clock.run(() => connectNew(world, setUp, "alice"));
  // Twice in a row at most: what is looked at is who rings, not who is down for days.
  sandbox.receivers.faults.next = () => (random.next() < 0.15 ? random.of(faults) : slow(random));
  await clock.run(() => Promise.all(processes.map(({ social }) => social.start())));
  for (let number = 1; number <= options.posts; number++) {
    const { social } = random.of(processes);
    const text = `Post number ${number} 🦊`;
    await clock.run(() => social.posts.create({ profile_ids: [profile.id], text, idempotency_key: text }));
    await clock.advance(random.of([0, 0, 1_000, 20_000, 90_000]));
  }
  for (let hours = 0; hours < 48 && (await countPending(world)) > 0; hours++) await clock.advance(3_600_000);
  await clock.run(() => Promise.all(processes.map(({ social }) => social.stop())));
  const findings = judgeAttempts(world.log, {
    isPunctual: true,
    everybodyLives: true,
    askedMs: 0,
    unseenMs: maxUnseenMs,
  });
  const run = {
    name: `wakes, seed ${options.seed}`,
    posts: options.posts,
    deliveries: 0,
    again: 0,
    kills: 0,
    findings,
  };
  for (const endpoint of endpoints) {
    const verdict = await judgeEndpoint(world, setUp, endpoint);
    run.deliveries += verdict.deliveries;
    run.again += verdict.again;
    const records = world.log.records.filter(({ webhookId }) => webhookId === endpoint.id);
    const stored = await setUp.social.webhooks.get(endpoint.id);
    findings.push(...verdict.findings, ...judgeCounter(stored, records));
  }
  if (run.again > 0) findings.push({ what: "twice", message: `${run.again} deliveries were taken again` });
  findings.push(...(await judgeFirstAttempts(world)));
  await world.storage.close();
  return run;
}

/** An alarm clock that keeps none of its promises; it made none. */
function fitfulScheduler(clock: Clock, random: Random): Scheduler {
  let handler: ((key: string) => Promise<void>) | null = null;
  return {
    async start(given) {
      handler = given;
    },
    wake(at, key) {
      for (let times = random.of([0, 0, 1, 2, 3]); times > 0; times--) {
        const awry = random.of([0, 0, random.between(-120_000, 0), random.between(0, 120_000)]);
        void clock.sleep(Math.max(0, at - clock.now() + awry)).then(() => handler?.(key));
      }
    },
    async stop() {
      handler = null;
    },
  };
}

function slow(random: Random): FaultKind {
  return { kind: "slow", seconds: random.of([0, 0.1, 1, 9]) };
}

async function countPending({ storage }: DeliveryWorld): Promise<number> {
  return (await storage.find("deliveries", { where: { status: "pending" }, limit: 1 })).total;
}

/** No endpoint has more to do than goes at once, so only alarms that were lost hold anything up. */
async function judgeFirstAttempts({ storage, log }: DeliveryWorld): Promise<Finding[]> {
  const { rows } = await storage.find("deliveries", { where: {} });
  return rows
    .map((row) => fromRow<DeliveryRow>(row))
    .flatMap(({ id, created_at }): Finding[] => {
      const first = log.requests.find((request) => request.id === id);
      const waited = (first?.from ?? Number.POSITIVE_INFINITY) - Date.parse(created_at);
      return waited <= maxUnseenMs ? [] : [{ what: "stuck", message: `${id} waited ${waited} ms to be sent` }];
    });
}
