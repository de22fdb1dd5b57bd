import { describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import { inconclusiveStates } from "../../src/sending/intent.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { type ManualClock, manualClock } from "../../src/testing/clock.ts";
import { withNeeds } from "../networks/scenes.ts";
import type { CrashNetwork } from "../support/crash.ts";
import { crashNetworks } from "../support/crash-networks.ts";
import { createProcess, type ProcessOptions, type SimulatedProcess } from "../support/process.ts";
import { isWhole, shareNumber } from "../support/share.ts";

/** A post that had not begun when its process died goes out within this, plus the usual time, milliseconds. */
const latestMs = 30_000;
const longEnoughMs = 600_000;

interface Bench {
  clock: ManualClock;
  sandbox: Sandbox;
  storage: Storage;
  profileId: string;
  process(options?: Partial<ProcessOptions>): SimulatedProcess;
  publish(process: SimulatedProcess, text: string): Promise<unknown>;
  /** Waits until a post is live on the network. Returns how long that took, milliseconds. */
  untilShown(text: string): Promise<number>;
}

/** One store with one connected profile. */
async function bench(network: CrashNetwork): Promise<Bench> {
  const clock = manualClock();
  const sandbox = createSandbox({ clock });
  const storage = memoryStorage({ clock });
  const own = network.adapter === undefined ? {} : { service: { networks: [network.adapter()] } };
  const process = (options: Partial<ProcessOptions> = {}) =>
    createProcess({ storage, sandbox, clock, ...own, ...options });
  const { id: profileId } = await clock.run(() => process().social.profiles.connect(network.connect(sandbox)));
  const needs = network.needs?.(sandbox);
  const said = needs === undefined ? {} : { [network.scene.network]: needs };
  return {
    clock,
    sandbox,
    storage,
    profileId,
    process,
    publish({ social }, text) {
      const networks = withNeeds([network.scene.network], sandbox, said);
      return social.posts.create({ profile_ids: [profileId], text, networks });
    },
    async untilShown(text) {
      const start = clock.monotonic();
      while (!network.posts(sandbox).some((post) => post.text.includes(text))) {
        if (clock.monotonic() - start > longEnoughMs) return Number.POSITIVE_INFINITY;
        await clock.sleep(100);
      }
      return clock.monotonic() - start;
    },
  };
}

/** How long an undisturbed post takes, milliseconds, and at how many moments its process can die. */
async function undisturbed(network: CrashNetwork): Promise<{ takesMs: number; moments: number }> {
  const { clock, process, publish, untilShown } = await bench(network);
  const alone = process();
  const takesMs = await clock.run(async () => {
    const published = publish(alone, "First.");
    const shown = await untilShown("First.");
    await published;
    return shown;
  });
  return { takesMs, moments: alone.moments() };
}

/** How long after a death another post goes out, milliseconds; null: a request of the dead process was under way. */
async function waitAfterDeath(network: CrashNetwork, dieAt: number): Promise<number | null> {
  const { clock, storage, process, publish, untilShown } = await bench(network);
  const first = process({ dieAt });
  const second = process();
  return clock.run(async () => {
    await second.social.start();
    await Promise.race([publish(first, "First.").catch(() => undefined), first.died]);
    const intents = await storage.find("intents", { where: { state: { in: ["open", ...inconclusiveStates] } } });
    const isUnderWay = intents.total > 0;
    const published = publish(second, "Second.");
    const waited = isUnderWay ? null : await untilShown("Second.");
    await published;
    await second.social.stop(0);
    return waited;
  });
}

describe("a post not yet begun when the process that held its profile died", () => {
  it.each(crashNetworks)("goes out within 30 s, unless a request was under way: $name", async (network) => {
    const { takesMs, moments } = await undisturbed(network);
    const step = isWhole ? 1 : 3;
    const late: string[] = [];
    let tried = 0;
    for (let moment = shareNumber % step; moment < moments; moment += step) {
      const waitedMs = await waitAfterDeath(network, moment);
      if (waitedMs === null) continue;
      tried += 1;
      if (waitedMs > takesMs + latestMs) late.push(`moment ${moment}: ${waitedMs} ms`);
    }
    expect(late).toEqual([]);
    // With the fewest moments, 14, a third has two before the first request.
    expect(tried).toBeGreaterThan(1);
  });
});
