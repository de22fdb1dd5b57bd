/** Several processes that all need one login at once. */
import type { SimulatedProcess } from "../support/process.ts";
import { type RotatingWorld, rotatingWorld } from "../support/rotating/world.ts";
import { seededRandom } from "./random.ts";

const secondMs = 1_000;
const dayMs = 24 * 3_600_000;

export interface Together {
  /** How many. */
  processes: number;
  /** How long the network takes for a renewal. */
  seconds: number;
  seed: number;
}

/** Access tokens have run out, the renewal of idle logins is due, and so are posts. Returns what must not be. */
export async function needTogether({ processes: count, seconds, seed }: Together): Promise<string[]> {
  const world = rotatingWorld();
  const { clock, network } = world;
  const processes = Array.from({ length: count }, () => world.start());
  const [first] = processes as [SimulatedProcess];
  const ids: string[] = [];
  await clock.run(async () => {
    for (const name of ["alice", "bob"]) ids.push((await world.connect(first, name)).id);
    const scheduled_at = new Date(clock.now() + 46 * dayMs).toISOString();
    for (const id of ids) {
      for (let post = 0; post < 4; post++)
        await first.social.posts.create({ profile_ids: [id], text: `Then ${post} for ${id}`, scheduled_at });
    }
    await clock.sleep(46 * dayMs);
    if (seconds > 0) network.faults.add({ kind: "slow", seconds, operation: "POST /token", times: 1_000 });
    await use(world, processes, ids, seed);
  });
  return complaintsAbout(world, ids);
}

async function complaintsAbout(world: RotatingWorld, ids: readonly string[]): Promise<string[]> {
  const { network } = world;
  const complaints = network.usedTwice().map((token) => `${token} was used twice`);
  for (const id of ids) {
    const { status } = await world.row(id);
    if (status !== "connected") complaints.push(`${id} is ${status}`);
    if (!network.isGood(await world.refreshToken(id))) complaints.push(`what is stored for ${id} is no good`);
  }
  const texts = network.notes().map(({ text }) => text);
  if (texts.length !== ids.length * 10 || new Set(texts).size !== texts.length)
    complaints.push(`${texts.length} notes: ${texts}`);
  // Once because it had run out, and once after each time that the network ended all tokens, for each login.
  if (network.trades().length > ids.length * 4) complaints.push(`${network.trades().length} renewals`);
  return complaints;
}

/** Everything that needs a good token, all over one minute, in all processes. */
async function use(world: RotatingWorld, processes: readonly SimulatedProcess[], ids: string[], seed: number) {
  const { clock, network } = world;
  const random = seededRandom(seed);
  const later = (act: () => Promise<unknown>): Promise<unknown> =>
    clock
      .sleep(random.between(0, 60) * secondMs)
      .then(act)
      .catch(() => undefined);
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
