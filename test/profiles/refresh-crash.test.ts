import { describe, expect, it } from "vitest";
import { fromRow } from "../../src/storage/typed.ts";
import type { DeliveryRow } from "../../src/webhooks/rows.ts";
import type { SimulatedProcess } from "../support/process.ts";
import { type RotatingWorld, rotatingWorld } from "../support/rotating/world.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** What makes a process renew a login, and how much time has passed before. */
const occasions: Readonly<Record<string, { afterMs: number; act(process: SimulatedProcess, id: string): Promise<unknown> }>> =
  {
    "a post": {
      afterMs: 3 * hourMs,
      act: ({ social }, id) => social.posts.create({ profile_ids: [id], text: "Good morning" }),
    },
    "a check": { afterMs: 3 * hourMs, act: ({ social }, id) => social.profiles.check(id) },
    idleness: { afterMs: 46 * dayMs, act: ({ social }) => social.runDue() },
  };

interface CrashEnd {
  /** The process lived longer than its work took. */
  isOver: boolean;
  /** What was stored when it died was what the network takes. */
  wasGood: boolean;
  status: string;
  usedTwice: number;
  told: string[];
  asked: number;
}

async function crash(occasion: string, dieAt: number): Promise<CrashEnd> {
  const { afterMs, act } = occasions[occasion] as (typeof occasions)[string];
  const world = rotatingWorld();
  const { clock, network, storage } = world;
  return clock.run(async () => {
    const { social } = world.start();
    await social.webhooks.create({ url: world.sandbox.receivers.url("host"), events: ["profile.needs_attention"] });
    const { id } = await world.connect(world.start(), "alice");
    await clock.sleep(afterMs);
    const process = world.start({ dieAt });
    await Promise.race([act(process, id).catch(() => undefined), process.died]);
    // What it had sent goes on.
    await clock.sleep(1_000);
    const wasGood = network.isGood(await world.refreshToken(id));
    await recover(world, id);
    const { rows } = await storage.find("deliveries", { where: {} });
    return {
      isOver: !process.isDead(),
      wasGood,
      status: (await world.row(id)).status,
      usedTwice: network.usedTwice().length,
      told: rows.map((row) => fromRow<DeliveryRow>(row).event),
      asked: world.asked.length,
    };
  });
}

/** Another process takes over: it works off what is due, and the login is used. */
async function recover(world: RotatingWorld, id: string): Promise<void> {
  const { social } = world.start();
  for (let sweep = 0; sweep < 4; sweep++) {
    await world.clock.sleep(30_000);
    await social.runDue();
  }
  if ((await world.row(id)).status === "connected") await social.profiles.choices(id, "album").catch(() => undefined);
}

describe("a process that dies around the renewal of a login that is good for one use", () => {
  it.each(Object.keys(occasions))("because of %s: the next one finds the token that the network takes", async (occasion) => {
    let isOver = false;
    let lost = 0;
    for (let dieAt = 0; !isOver; dieAt++) {
      const end = await crash(occasion, dieAt);
      isOver = end.isOver;
      const where = `${occasion}, moment ${dieAt}`;
      if (end.wasGood) {
        expect(end, where).toMatchObject({ status: "connected", usedTwice: 0, told: [] });
        continue;
      }
      // The new token died with the process, before anybody could store it: one try, and the owner hears of it once.
      lost += 1;
      expect(end, where).toMatchObject({ status: "needs_attention", usedTwice: 1, told: ["profile.needs_attention"] });
    }
    // After the network has acted: its answer has not been heard, or has not been stored. A sweep does more meanwhile.
    expect(lost).toBeGreaterThanOrEqual(2);
  });

  it("tries the stored token once when an answer was lost, and takes nothing but the network's word for the end", async () => {
    const world = rotatingWorld();
    const { clock, network } = world;
    const process = world.start();
    await clock.run(async () => {
      const { id } = await world.connect(process, "alice");
      await clock.sleep(3 * hourMs);
      network.faults.add({ kind: "drop_after", operation: "POST /token" });
      await expect(process.social.profiles.check(id)).rejects.toMatchObject({ code: "publish_failed" });
      expect((await world.row(id)).status).toBe("connected");
      await clock.sleep(10_000);
      for (let tries = 0; tries < 3; tries++) await process.social.profiles.choices(id, "album").catch(() => undefined);
      expect((await world.row(id)).status).toBe("needs_attention");
      expect(world.asked).toHaveLength(2);
    });
  });
});
