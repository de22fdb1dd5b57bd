import { scenes } from "../networks/scenes.ts";
import { type Random, seededRandom } from "./random.ts";
import { createScript, type Script } from "./simulate-script.ts";
import { judgeWorld, type SimulationVerdict } from "./simulate-verdict.ts";
import { calm, randomWeather } from "./simulate-weather.ts";
import { createSimulatedWorld, type LivingProcess, type SimulatedWorld } from "./simulate-world.ts";

export interface Simulation extends SimulationVerdict {
  seed: number;
  /** Processes that died. */
  kills: number;
}

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const weekMs = 7 * dayMs;
/** Longer than all waits of a delivery, milliseconds. */
const maxQuietMs = 4 * dayMs;
const slots = [0, 1, 2] as const;

/** The real code for one virtual week, everything around it at random; then until nothing is left to do. */
export async function simulate(seed: number): Promise<Simulation> {
  const world = await createSimulatedWorld(seed);
  const random = seededRandom(seed * 4);
  const script = createScript(world, random);
  const week = createWeek(world, random);
  world.weather = randomWeather(random);
  await world.clock.run(async () => {
    const endsAt = world.clock.monotonic() + weekMs;
    const acts: Promise<void>[] = [];
    for (const slot of slots) void week.keep(slot);
    for (const moment of moments(random)) {
      await world.clock.sleep(Math.max(0, endsAt - weekMs + moment - world.clock.monotonic()));
      if (random.next() < 0.25) week.upset();
      else acts.push(actOrDie(script, week, random));
    }
    await world.clock.sleep(endsAt - world.clock.monotonic());
    Object.assign(world, { weather: calm, isStoreDown: false });
    await comeToRest(world, week);
  });
  return { seed, kills: week.kills(), ...(await judgeWorld(world, script)) };
}

/** When something happens, milliseconds from the beginning: in a few hours of the week, close together. */
function moments(random: Random): number[] {
  const hours = Array.from({ length: random.between(3, 6) }, () => random.between(0, 160) * hourMs);
  const count = random.between(15, 40);
  const found = Array.from(
    { length: count },
    () => random.of(hours) + random.of([1, 10, 60]) * random.between(0, minuteMs),
  );
  return found.sort((some, other) => some - other);
}

async function actOrDie(script: Script, week: Week, random: Random): Promise<void> {
  const [process, another] = [week.at(random.of(slots)), week.at(random.of(slots))];
  await Promise.race([script.act(process, another), process.died, another.died]);
}

interface Week {
  at(slot: number): LivingProcess;
  /** Lets a process work at one place until the run is over, and another one after its death. */
  keep(slot: number): Promise<void>;
  /** Something happens to the machines or the networks. */
  upset(): void;
  stop(): void;
  kills(): number;
}

function createWeek(world: SimulatedWorld, random: Random): Week {
  const { clock, sandbox } = world;
  const living: LivingProcess[] = slots.map((slot) => world.spawn(slot));
  let isOver = false;
  let kills = 0;
  const at = (slot: number): LivingProcess => living[slot] as LivingProcess;

  async function replaceDead(slot: number): Promise<void> {
    if (!at(slot).isDead()) return;
    kills += 1;
    await clock.sleep(isOver ? 0 : random.of([1, 5, 60, 600, 7_200]) * secondMs);
    living[slot] = world.spawn(slot, random.next() < 0.4 && !isOver ? random.between(0, 150) : undefined);
  }

  /** Sweeps when something is due, as a cron job does; or is started, and stopped some minutes later. */
  async function work({ social, died, machine }: LivingProcess): Promise<void> {
    if (random.next() < 0.8) return void (await Promise.race([social.runDue().catch(() => undefined), died]));
    await Promise.race([
      (async () => {
        await social.start();
        await machine.clock.sleep(random.of([20, 60, 300]) * secondMs);
        await social.stop();
      })().catch(() => undefined),
      died,
    ]);
  }

  const upsets: (() => void)[] = [
    () => at(random.of(slots)).kill(),
    () => at(random.of(slots)).kill(),
    () => at(random.of(slots)).machine.freeze(random.between(1, 300) * secondMs, world.howToFreeze()),
    () => {
      const slot = random.of(slots);
      const seconds = random.between(-300, 300);
      // One in six is off by a day besides.
      const days = seconds % 6 === 0 ? Math.sign(seconds) : 0;
      world.setOff(slot, days * dayMs + seconds * secondMs);
    },
    () => {
      world.isStoreDown = true;
      void clock.sleep(random.of([2, 30, 300]) * secondMs).then(() => {
        world.isStoreDown = false;
      });
    },
    () => random.of(sandbox.networks).rateLimit(random.of([5, 60, 600])),
    () => scenes.forEach(({ simulation }) => void simulation?.expireCredentials?.(sandbox)),
    () => {
      world.weather = randomWeather(random);
      for (const network of sandbox.networks) network.lagReads(world.weather.lagSeconds);
    },
  ];

  return {
    at,
    async keep(slot) {
      while (!isOver) {
        await untilDue(world);
        await clock.sleep(random.of([0, 0, 1, 5, 30]) * secondMs);
        await replaceDead(slot);
        await work(at(slot));
        await clock.sleep(random.between(5, 30) * secondMs);
      }
    },
    upset: () => random.of(upsets)(),
    stop() {
      isOver = true;
    },
    kills: () => kills,
  };
}

/** Resolves when something is due in the store, as its clock shows it. */
async function untilDue({ clock, storage, nextChange }: SimulatedWorld): Promise<void> {
  for (;;) {
    const changed = nextChange();
    const now = await storage.now();
    const next = await nextDueAt({ storage });
    if (next <= now) return;
    const maxMs = dayMs;
    await clock.sleep(Math.min(next - now, maxMs), changed).catch(() => undefined);
  }
}

async function nextDueAt({ storage }: Pick<SimulatedWorld, "storage">): Promise<number> {
  return (await storage.nextDueAt(Number.MAX_SAFE_INTEGER)) ?? Number.POSITIVE_INFINITY;
}

/** The weather is calm from now on: sweeps until everything is published and delivered, or for too long. */
async function comeToRest(world: SimulatedWorld, week: Week): Promise<void> {
  const { clock, storage } = world;
  week.stop();
  const until = clock.monotonic() + maxQuietMs;
  const fresh = world.spawn(0);
  for (const { id, other } of world.accounts) {
    await fresh.social.forAccount(id).webhooks.update(other.id, { status: "active" });
  }
  while (clock.monotonic() < until) {
    await fresh.social.runDue();
    const open = { status: { in: ["scheduled", "publishing"] } };
    const posts = await storage.find("posts", { where: open, limit: 1 });
    const deliveries = await storage.find("deliveries", { where: { status: "pending" }, limit: 1 });
    if (posts.total + deliveries.total === 0) return;
    const [now, next] = [await storage.now(), await nextDueAt(world)];
    await clock.sleep(Math.min(Math.max(next - now, 5 * secondMs), hourMs));
  }
}
