import { type Random, seededRandom } from "../prove/random.ts";
import { type CrashNetwork, type CrashOptions, type CrashRun, crashRun, type PostKind, type World } from "./crash.ts";
import { crashNetworks } from "./crash-networks.ts";
import { misleadingAnswer } from "./misleading-answers.ts";
import { onServer, randomSmallServer, within } from "./small-servers.ts";

/** What is posted where. */
export interface CrashCase {
  name: string;
  networks: readonly CrashNetwork[];
  kind: PostKind;
}

const onEach = crashNetworks.flatMap((network) =>
  (["text", "media", "thread"] as const)
    .filter((kind) => kind !== "thread" || network.threads)
    .map((kind) => ({ name: `${network.name}, ${kind}`, networks: [network], kind })),
);
/** Of accounts whose posts go out by the same request the first: what others send could not be told from what it sends. */
const together = crashNetworks.filter(
  ({ commit, isVariant }, index) => !isVariant && crashNetworks.findIndex((each) => each.commit === commit) === index,
);

/** Each network alone, with each kind of post; and one post on all of them. */
export const crashCases: readonly CrashCase[] = [
  ...onEach,
  { name: "all networks, text", networks: together, kind: "text" },
  { name: "all networks, a file made to fit", networks: together, kind: "fitted" },
];

/** A way in which things go wrong. */
export interface CrashFamily {
  name: string;
  /** What goes wrong in one run. `moment`: the call of the publishing process that it is about; null: no call in particular. */
  options(moment: number | null, crashCase: CrashCase): CrashOptions;
  /** Once for every call, or only once. */
  everyMoment: boolean;
}

/** Its multiples lie far from each other: each moment meets another answer. */
const goldenRatio = 0.618_033_988_75;

function dies(moment: number | null): CrashOptions {
  return moment === null ? {} : { dieAt: moment };
}

function everywhere(crashCase: CrashCase, spoil: (network: CrashNetwork, world: World) => void): CrashOptions {
  return { prepare: (world) => crashCase.networks.forEach((network) => void spoil(network, world)) };
}

export const crashFamilies: readonly CrashFamily[] = [
  {
    name: "dies",
    options: (moment) => ({ ...dies(moment), mortalReads: true }),
    everyMoment: true,
  },
  {
    name: "the network acts after 25 s, beside a second worker; dies",
    options: (moment, crashCase) => ({
      ...dies(moment),
      beside: { skewMs: 0 },
      ...everywhere(crashCase, (network, { sandbox }) =>
        network.faults(sandbox).add({ kind: "slow_to_act", seconds: 25, operation: "commit", times: 100 }),
      ),
    }),
    everyMoment: true,
  },
  {
    name: "the answer is lost; one call takes 5 min longer, beside a second worker",
    options: (moment, crashCase) => ({
      beside: { skewMs: 0 },
      ...(moment === null ? {} : { stall: { at: moment, ms: 300_000 } }),
      ...everywhere(crashCase, (network, { sandbox }) =>
        network.faults(sandbox).add({ kind: "drop_after", operation: "commit" }),
      ),
    }),
    everyMoment: true,
  },
  {
    name: "dies; nobody comes for 9 min, in which the store's clock is put back by 3 min",
    options: (moment) => ({ ...dies(moment), absence: { ms: 540_000, storeBackMs: 180_000 } }),
    everyMoment: true,
  },
  ...[300_000, -300_000].map((skewMs) => ({
    name: `dies beside a worker whose clock is ${skewMs / 60_000} min off`,
    options: (moment: number | null) => ({ ...dies(moment), beside: { skewMs } }),
    everyMoment: true,
  })),
  // Hard end 35 s and settle window 30 s after the intent: the latest that a text may be taken.
  ...[20, 64].map((seconds) => ({
    name: `the connection breaks, the post is taken ${seconds} s later; dies`,
    options: (moment: number | null, crashCase: CrashCase) => ({
      ...dies(moment),
      ...everywhere(crashCase, (network, { sandbox }) =>
        network.faults(sandbox).add({ kind: "accept_late", seconds, operation: "commit" }),
      ),
    }),
    everyMoment: true,
  })),
  {
    name: "the answer is lost, the post shows 90 s later; dies",
    options: (moment, crashCase) => ({
      ...dies(moment),
      ...everywhere(crashCase, (network, { sandbox }) => {
        network.lagReads(sandbox, 90);
        network.faults(sandbox).add({ kind: "drop_after", operation: "commit" });
      }),
    }),
    everyMoment: true,
  },
  {
    name: "refused in its own words under a status that leaves it open, though posted; dies",
    options: (moment, crashCase) => ({
      ...dies(moment),
      ...everywhere(crashCase, (network, { sandbox }) => {
        const answer = misleadingAnswer(network.scene.network, ((moment ?? 0) * goldenRatio) % 1);
        network.faults(sandbox).add({ kind: "refuse_though_done", answer, operation: "commit" });
      }),
    }),
    everyMoment: true,
  },
  {
    name: "the answer comes after the hard end; dies",
    options: (moment, crashCase) => ({
      ...dies(moment),
      ...everywhere(crashCase, (network, { sandbox }) =>
        network.faults(sandbox).add({ kind: "slow", seconds: 90, operation: "commit" }),
      ),
    }),
    everyMoment: true,
  },
  ...[60_000, 300_000].map((ms) => ({
    name: `one call takes ${ms / 60_000} min longer, beside a second worker`,
    options: (moment: number | null) => ({
      beside: { skewMs: 0 },
      ...(moment === null ? {} : { stall: { at: moment, ms } }),
    }),
    everyMoment: true,
  })),
  ...[600_000, -600_000].map((skewMs) => ({
    name: `on a machine ${skewMs / 60_000} min off, answers lost`,
    options: (_: number | null, crashCase: CrashCase) => ({
      machine: { skewMs, storeOnMachine: true },
      ...everywhere(crashCase, (network, { sandbox }) =>
        network.faults(sandbox).add({ kind: "drop_after", operation: "commit" }),
      ),
    }),
    everyMoment: false,
  })),
];

export interface NamedRun {
  /** Which one: says how to repeat it. */
  name: string;
  run: CrashRun;
}

/** What the names of a family's runs on a case begin with. */
export function nameOfSeries(family: CrashFamily, crashCase: CrashCase): string {
  return `${family.name}: ${crashCase.name}`;
}

/** The runs of one family on one case: one without a moment, and one for every moment or for `max` of them. */
export async function* crashRuns(
  family: CrashFamily,
  crashCase: CrashCase,
  { max = Number.POSITIVE_INFINITY, share = 0 }: { max?: number; share?: number } = {},
): AsyncGenerator<NamedRun> {
  const { networks, kind } = crashCase;
  const whole = await crashRun(networks, kind, family.options(null, crashCase));
  yield { name: `${nameOfSeries(family, crashCase)}, not at all`, run: whole };
  if (!family.everyMoment) return;
  for (const moment of spread(whole.process.moments(), { max, from: crashFamilies.indexOf(family) + share })) {
    const run = await crashRun(networks, kind, family.options(moment, crashCase));
    yield { name: `${nameOfSeries(family, crashCase)}, moment ${moment}`, run };
  }
}

/** Of the numbers below `count` at most `max`, evenly; those of one family lie between those of another. */
function spread(count: number, { max, from }: { max: number; from: number }): number[] {
  const step = Math.max(1, count / max);
  const first = step * ((from % crashFamilies.length) / crashFamilies.length);
  return Array.from({ length: Math.min(count, max) }, (_, index) => Math.floor(first + index * step));
}

/** A process dies at every moment, and the one that recovers as well: a share of all pairs, 0 to 1. */
export async function* crashPairs(
  crashCase: CrashCase,
  { share, random }: { share: number; random: Random },
): AsyncGenerator<NamedRun> {
  const { networks, kind } = crashCase;
  const moments = (await crashRun(networks, kind, {})).process.moments();
  // How many second moments a first one has takes a run: only for those that are taken.
  const isTaken = (): boolean => random.next() < Math.sqrt(share);
  for (let dieAt = 0; dieAt < moments; dieAt++) {
    if (!isTaken()) continue;
    const { recovery } = await crashRun(networks, kind, { dieAt });
    for (let dieAgainAt = 0; dieAgainAt < recovery.moments(); dieAgainAt++) {
      if (!isTaken()) continue;
      const run = await crashRun(networks, kind, { dieAt, dieAgainAt });
      yield { name: `dies twice: ${crashCase.name}, moments ${dieAt} and ${dieAgainAt}`, run };
    }
  }
}

/** The latest moment of one run at which something is left to be done. */
const lastMoment = 80;

/** One run of the family on each of the small servers `from` to `to`, at a moment of its own. */
export async function* crashServers(
  family: CrashFamily,
  { seed, from, to }: { seed: number; from: number; to: number },
): AsyncGenerator<NamedRun> {
  for (let number = from; number < to; number++) {
    const random = seededRandom(seed * 1_000_003 + number);
    const server = randomSmallServer(random);
    const moment = random.next() < 0.2 ? null : random.between(0, lastMoment);
    const crashCase = onServer(server);
    const options = within(server, family.options(moment, crashCase));
    const run = await crashRun(crashCase.networks, crashCase.kind, options);
    const name = `${family.name}: seed ${seed}, server ${number}, moment ${moment}, ${server.words}`;
    yield { name, run };
  }
}
