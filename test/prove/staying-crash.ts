/** A process dies around the renewal of a login whose refresh token is good for one use. */
import { fromRow } from "../../src/storage/typed.ts";
import type { DeliveryRow } from "../../src/webhooks/rows.ts";
import type { SimulatedProcess } from "../support/process.ts";
import { type RotatingWorld, rotatingWorld } from "../support/rotating/world.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** What makes a process renew a login, and how much time has passed before. */
interface Occasion {
  afterMs: number;
  act(process: SimulatedProcess, id: string): Promise<unknown>;
}

export const occasions: Readonly<Record<"a post" | "a check" | "idleness", Occasion>> = {
  "a post": {
    afterMs: 3 * hourMs,
    act: ({ social }, id) => social.posts.create({ profile_ids: [id], text: "Good morning" }),
  },
  "a check": { afterMs: 3 * hourMs, act: ({ social }, id) => social.profiles.check(id) },
  idleness: { afterMs: 46 * dayMs, act: ({ social }) => social.runDue() },
};

export interface StayingCrash {
  /** The process lived longer than its work took. */
  isOver: boolean;
  /** What was stored when it died was what the network takes. */
  wasGood: boolean;
  /** What must not be; null: nothing. */
  complaint: string | null;
}

/** @param dieAt the moment, counted as `createProcess` does */
export async function crashAround(occasion: keyof typeof occasions, dieAt: number): Promise<StayingCrash> {
  const { afterMs, act } = occasions[occasion];
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
    const told = rows.map((row) => fromRow<DeliveryRow>(row).event);
    const { status } = await world.row(id);
    const end = `${status}, ${network.usedTwice().length} used twice, told ${told}`;
    // A new token that died with the process, before anybody could store it: one try, and the owner hears of it once.
    const due = wasGood
      ? "connected, 0 used twice, told "
      : "needs_attention, 1 used twice, told profile.needs_attention";
    return { isOver: !process.isDead(), wasGood, complaint: end === due ? null : `${end} instead of ${due}` };
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
