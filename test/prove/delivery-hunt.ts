/** Looks for one planted bug with the runs of the phase `webhooks`, and reports the first finding. */
import { deliveryDeaths } from "./delivery-deaths.ts";
import { outageRun } from "./delivery-outage.ts";
import type { DeliveryRun } from "./delivery-run.ts";
import { wakesRun } from "./delivery-wakes.ts";
import type { HuntResult } from "./hunt.ts";
import { beforeTooLong } from "./too-long.ts";

/** More than a bug that is there should need. */
const maxWakes = 10;
const maxSeries = 30;
const maxRunMs = 60_000;

async function* runs(startAt: string): AsyncGenerator<DeliveryRun> {
  if (startAt !== "") yield* deliveryDeaths(1, Number(startAt));
  for (let seed = 1; seed <= maxWakes; seed++) yield await wakesRun({ seed, posts: 40 });
  yield await outageRun({ seed: 1, hours: 40, everyHours: 0.25 });
  for (let series = 0; series < maxSeries; series++) yield* deliveryDeaths(1, series);
}

async function hunt(startAt: string): Promise<HuntResult> {
  const all = runs(startAt);
  let tried = 0;
  let last = "the first run";
  for (;;) {
    const next = await beforeTooLong(all.next(), maxRunMs);
    if (next === "too long") return { run: `after ${last}`, finding: "the next run does not end", tried };
    if (next.done === true) return { run: null, finding: null, tried };
    const { name, posts, findings } = next.value;
    tried += posts;
    last = name;
    const [finding] = findings;
    if (finding !== undefined) return { run: last, finding: `${finding.what}: ${finding.message}`, tried };
  }
}

process.send?.(await hunt(process.argv[2] ?? ""));
