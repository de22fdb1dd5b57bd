import { describe, expect, it } from "vitest";
import { seededRandom } from "../prove/random.ts";
import type { SimulatedProcess } from "../support/process.ts";
import { type RotatingWorld, rotatingWorld } from "../support/rotating/world.ts";

const secondMs = 1_000;
const dayMs = 24 * 3_600_000;

/** POSTRIDER_SEED repeats a run; it stands in the test's name. */
const { POSTRIDER_SEED = "20261124" } = process.env;

/** Everything that needs a good token, all over one minute, in all processes. */
async function use(world: RotatingWorld, processes: readonly SimulatedProcess[], ids: string[], seed: number) {
  const { clock, network } = world;
  const random = seededRandom(seed);
  const later = (act: () => Promise<unknown>): Promise<unknown> =>
    clock.sleep(random.between(0, 60) * secondMs).then(act).catch(() => undefined);
  const { social } = random.of(processes);
  const acts = ids.flatMap((id) => [
    ...Array.from({ length: 6 }, (_, post) =>
      later(() => random.of(processes).social.posts.create({ profile_ids: [id], text: `Now ${post} for ${id}` })),
    ),
    later(() => random.of(processes).social.profiles.check(id)),
    later(() => random.of(processes).social.profiles.check(id)),
    later(() => random.of(processes).social.profiles.choices(id, "album")),
  ]);
  const sweeps = processes.map(async (each) => {
    for (let sweep = 0; sweep < 20; sweep++) {
      await each.social.runDue();
      await clock.sleep(random.between(1, 8) * secondMs);
    }
  });
  const expiries = [1, 2, 3].map(() => later(async () => network.expireTokens()));
  await Promise.all([...acts, ...sweeps, ...expiries]);
  await social.runDue();
}

describe.each([2, 4])("%i processes that all need one login", (count) => {
  it.each([
    { network: "answers at once", seconds: 0 },
    { network: "takes its time over a renewal", seconds: 15 },
  ])(`renew it one at a time, each token once: it $network (seed ${POSTRIDER_SEED})`, async ({ seconds }) => {
    const world = rotatingWorld();
    const { clock, network } = world;
    const processes = Array.from({ length: count }, () => world.start());
    const [first] = processes as [SimulatedProcess];
    const ids: string[] = [];
    await clock.run(async () => {
      for (const name of ["alice", "bob"]) ids.push((await world.connect(first, name)).id);
      // Access tokens have run out by then, the renewal of idle logins is due, and so are posts.
      const scheduled_at = new Date(clock.now() + 46 * dayMs).toISOString();
      for (const id of ids) {
        for (let post = 0; post < 4; post++)
          await first.social.posts.create({ profile_ids: [id], text: `Then ${post} for ${id}`, scheduled_at });
      }
      await clock.sleep(46 * dayMs);
      if (seconds > 0) network.faults.add({ kind: "slow", seconds, operation: "POST /token", times: 1_000 });
      await use(world, processes, ids, Number(POSTRIDER_SEED) + count);
    });
    for (const id of ids) {
      expect((await world.row(id)).status).toBe("connected");
      expect(network.isGood(await world.refreshToken(id))).toBe(true);
    }
    expect(network.usedTwice()).toEqual([]);
    const texts = network.notes().map(({ text }) => text);
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts).toHaveLength(ids.length * 10);
    // Once because it had run out, and once after each time that the network ended all tokens, for each login.
    expect(network.trades().length).toBeLessThanOrEqual(ids.length * 4);
  });
});
