import type { ProveOptions } from "./arguments.ts";
import { runJobs } from "./pool.ts";
import { createProgress } from "./screen.ts";
import { addTally, emptyTally, type Tally } from "./tally.ts";
import type { WebhooksJob } from "./webhooks-worker.ts";

const deliveriesPerJob = 300;
const seriesPerJob = 1_000;
const wakesRuns = 20;

/**
 * Virtual time: what is delivered to receivers that are down for days, hang or
 * fail at random, by processes whose alarms are lost, and that die or stand
 * still at every call they make.
 */
export async function proveWebhooks({ deliveries, endpoints, seed }: ProveOptions): Promise<Tally> {
  const tally = emptyTally();
  const progress = createProgress("webhooks");
  await runJobs<WebhooksJob, Tally>("webhooks-worker.ts", jobsFor({ deliveries, endpoints, seed }), (result, left) => {
    addTally(tally, result);
    progress.say(`${tally.deliveries} deliveries, ${tally.kills} deaths, ${left} series left`);
  });
  progress.end();
  return tally;
}

/** The longest first. */
function jobsFor({ deliveries, endpoints, seed }: Pick<ProveOptions, "deliveries" | "endpoints" | "seed">) {
  const jobs: WebhooksJob[] = [];
  if (endpoints > 0) jobs.push({ what: "hanging", seed, endpoints });
  if (deliveries === 0) return jobs;
  jobs.push({ what: "outage", seed });
  for (let from = 0; from < deliveries; from += deliveriesPerJob) {
    const most = Math.min(deliveriesPerJob, deliveries - from);
    jobs.push({ what: "deaths", seed, firstSeries: (from / deliveriesPerJob) * seriesPerJob, deliveries: most });
  }
  for (let run = 0; run < wakesRuns; run++) jobs.push({ what: "wakes", seed: seed * wakesRuns + run });
  return jobs;
}
