import { bluesky } from "../../src/networks/bluesky/index.ts";
import type { Clock } from "../../src/ports/clock.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import type { Scheduler } from "../../src/scheduler/scheduler.ts";
import { createSocialService, type SocialService } from "../../src/service.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { silentLogger } from "../support/logger.ts";
import { testKey } from "../support/service.ts";
import { movingClock } from "./moving-clock.ts";

/** Services like those of several machines: one store, one network, one engine, a scheduler for each. */
export interface Machines {
  services: SocialService[];
  sandbox: Sandbox;
  /** For the schedulers. */
  clock: Clock;
  /** Schedules so many posts on the first machine, all due in `dueInMs` of real time. Returns their texts, sorted. */
  schedule(count: number, dueInMs: number): Promise<string[]>;
  /** The texts of public posts, sorted. */
  shown(): string[];
  /** Waits until the network shows so many posts. */
  untilShown(count: number): Promise<void>;
  stop(): Promise<void>;
}

/** How late a post may be whose alarm is lost, as the README says, milliseconds. */
export const latestMs = 30_000;

/** A post cannot be scheduled sooner than this; the tests do not wait for it, milliseconds. */
const soonestMs = 61_000;

export async function createMachines(options: {
  /** Creates the scheduler of each machine. */
  schedulers: readonly ((clock: Clock) => Scheduler)[];
  /** True: sweeps find nothing, so only alarms work. */
  isSweepBlind?: boolean;
}): Promise<Machines> {
  const time = movingClock();
  // The time that the test will skip has already passed for the schedulers.
  let skippedMs = 0;
  const clock: Clock = { ...time, now: () => time.now() + skippedMs };
  const sandbox = createSandbox({ clock: time });
  const store = memoryStorage({ clock: time });
  const claimByAlarm: Storage["claim"] = async (collection, claim) =>
    claim.id === undefined ? [] : store.claim(collection, claim);
  const storage: Storage = options.isSweepBlind ? { ...store, claim: claimByAlarm } : store;
  const services = options.schedulers.map((createScheduler) =>
    createSocialService({
      storage,
      scheduler: createScheduler(clock),
      clock: time,
      networks: [bluesky()],
      encryptionKey: testKey,
      http: sandbox.http,
      untrustedHttp: sandbox.untrustedHttp,
      logger: silentLogger,
    }),
  );
  const [first] = services;
  if (first === undefined) throw new Error("No machine.");
  const { handle, password } = sandbox.bluesky.addAccount({ handle: "alice.sandbox.example" });
  const credentials = { identifier: handle, app_password: password };
  const profile = await first.profiles.connect({ network: "bluesky", credentials });
  const shown = (): string[] => sandbox.bluesky.posts().map(({ text }) => text);

  return {
    services,
    sandbox,
    clock,
    async schedule(count, dueInMs) {
      skippedMs = soonestMs;
      const scheduled_at = new Date(time.now() + soonestMs + dueInMs).toISOString();
      const texts = Array.from({ length: count }, (_, number) => `Post ${number}, only once.`);
      for (const text of texts) {
        await first.posts.create({ profile_ids: [profile.id], text, scheduled_at, idempotency_key: text });
      }
      skippedMs = 0;
      time.advance(soonestMs);
      return texts.sort();
    },
    shown: () => shown().sort(),
    async untilShown(count) {
      while (shown().length < count) await time.sleep(20);
    },
    async stop() {
      await Promise.all(services.map((service) => service.stop(2_000)));
    },
  };
}
