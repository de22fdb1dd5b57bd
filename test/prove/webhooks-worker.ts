/** Works off the jobs of the phase `webhooks`. */
import { deliveryDeaths } from "./delivery-deaths.ts";
import { hangingRun } from "./delivery-hanging.ts";
import { outageRun } from "./delivery-outage.ts";
import type { DeliveryRun } from "./delivery-run.ts";
import { wakesRun } from "./delivery-wakes.ts";
import { addFindings, addTally, emptyTally, type Tally } from "./tally.ts";

export type WebhooksJob =
  | { what: "hanging"; seed: number; endpoints: number }
  | { what: "outage"; seed: number }
  | { what: "wakes"; seed: number }
  /** Series after series, from one on, until so many deliveries have been made. */
  | { what: "deaths"; seed: number; firstSeries: number; deliveries: number };

process.on("message", (job: WebhooksJob) => {
  void work(job).then((tally) => process.send?.(tally));
});

async function work(job: WebhooksJob): Promise<Tally> {
  const tally = emptyTally();
  for await (const run of runsOf(job)) {
    const { posts, kills, deliveries, again, note } = run;
    addTally(tally, { tried: posts, kills, deliveries, again, notes: note === undefined ? [] : [note] });
    addFindings(tally, `webhooks, seed ${job.seed}, ${run.name}`, run.findings);
  }
  return tally;
}

const threeDays = 72;

async function* runsOf(job: WebhooksJob): AsyncGenerator<DeliveryRun> {
  if (job.what === "hanging") yield await hangingRun({ ...job, hanging: Math.ceil(job.endpoints / 100) });
  if (job.what === "outage") yield await outageRun({ ...job, hours: threeDays, everyHours: 0.5 });
  if (job.what === "wakes") yield await wakesRun({ ...job, posts: 40 });
  if (job.what === "deaths") yield* deathsUntil(job);
}

async function* deathsUntil(job: Extract<WebhooksJob, { what: "deaths" }>): AsyncGenerator<DeliveryRun> {
  let deliveries = 0;
  for (let series = job.firstSeries; ; series++) {
    for await (const run of deliveryDeaths(job.seed, series)) {
      yield run;
      deliveries += run.deliveries;
      if (deliveries >= job.deliveries) return;
    }
  }
}
