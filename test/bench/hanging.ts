/** What 10 receivers that hang cost the other 990. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BenchOptions } from "./arguments.ts";
import { type Built, importBuilt } from "./built.ts";
import { median } from "./measure.ts";
import { type BenchResult, time } from "./result.ts";
import { createSender, type Receiver, startReceiver } from "./sender.ts";

const all = 1_000;
const hanging = 10;
/** Deliveries to each endpoint. */
const each = 4;

interface Run {
  /** From the start to the last arrival at a receiver that answers, milliseconds. */
  tookMs: number;
  p99Ms: number;
  /** Arrivals for each millisecond. */
  speed: number;
}

export async function benchHanging({ pairs }: BenchOptions): Promise<BenchResult[]> {
  const built = await importBuilt();
  const receiver = await startReceiver();
  try {
    await deliverTo(built, receiver, hanging);
    const runs: { without: Run; with: Run }[] = [];
    for (let pair = 0; pair < pairs; pair++) {
      const without = await deliverTo(built, receiver, 0);
      runs.push({ without, with: await deliverTo(built, receiver, hanging) });
    }
    const speed = median(runs.map((pair) => pair.with.speed / pair.without.speed));
    const p99 = median(runs.map((pair) => pair.with.p99Ms / pair.without.p99Ms));
    const ms = (of: (pair: (typeof runs)[number]) => number): string => time(median(runs.map(of)));
    return [
      {
        name: "10 of 1,000 receivers hang: speed of the others",
        ours: ms((pair) => pair.with.tookMs),
        floor: ms((pair) => pair.without.tookMs),
        reached: `${speed.toFixed(2)}×`,
        goal: "≥0.90×",
        isMet: speed >= 0.9,
        raw: runs,
      },
      {
        name: "10 of 1,000 receivers hang: p99 of the others",
        ours: ms((pair) => pair.with.p99Ms),
        floor: ms((pair) => pair.without.p99Ms),
        reached: `${p99.toFixed(2)}×`,
        goal: "≤1.20×",
        isMet: p99 <= 1.2,
        raw: runs,
      },
    ];
  } finally {
    receiver.process.kill();
  }
}

/** Delivers to all; the hanging ones are among the first that are claimed. */
async function deliverTo(built: Built, { process, place }: Receiver, hang: number): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), "postrider-bench-"));
  const urls = Array.from({ length: all }, (_, index) => `http://${place}/${index < hang ? "hang" : "take"}/${index}`);
  const sender = await createSender(built, { file: join(folder, "social.db"), place, urls, deliveries: all * each });
  try {
    await sender.fill();
    const startedAt = Date.now();
    const delivered = sender.deliver();
    while ((await sender.countDelivered()) < (all - hang) * each)
      await new Promise((resolve) => setTimeout(resolve, 50));
    process.send("report");
    const [arrivals] = (await once(process, "message")) as [number[]];
    await delivered;
    const latencies = arrivals.map((at) => at - startedAt).sort((one, other) => one - other);
    const tookMs = latencies.at(-1) ?? 0;
    const p99Ms = latencies[Math.floor(latencies.length * 0.99)] ?? 0;
    return { tookMs, p99Ms, speed: latencies.length / tookMs };
  } finally {
    await sender.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
