import { crashCases, crashFamilies } from "../support/crash-families.ts";
import { seededRandom } from "./random.ts";

/** All runs of one family, or of the pairs, on one case; or one run each of a family on small servers. */
export type CrashJob =
  | { what: "family"; family: string; crashCase: string; max: number | null }
  | { what: "servers"; family: string; from: number; to: number; seed: number }
  | { what: "pairs"; crashCase: string; share: number; seed: number };

/** Small servers for each family, each with ways of its own. */
const serversPerFamily = 100;

/**
 * Of a post on all networks, unless everything is asked for: it has ten times the moments of a post on one, each of which
 * takes as long as ten there, and of pairs a hundred times as many.
 */
const maxMomentsTogether = 40;

/** Pairs first, because they take longest. Which series are tried is drawn by the seed. */
export function crashJobs(options: { pairs: number; series: number; seed: number }): CrashJob[] {
  const { seed } = options;
  const pairs = crashCases.map(({ name: crashCase, networks }): CrashJob => {
    const share = options.pairs === 1 ? 1 : options.pairs / networks.length ** 2;
    return { what: "pairs", crashCase, share, seed };
  });
  const families = crashFamilies.flatMap(({ name: family }) =>
    crashCases.map(({ name: crashCase, networks }): CrashJob => {
      const max = options.series === 1 || networks.length === 1 ? null : maxMomentsTogether;
      return { what: "family", family, crashCase, max };
    }),
  );
  const servers = crashFamilies.map(({ name }, index): CrashJob => {
    const from = index * serversPerFamily;
    return { what: "servers", family: name, from, to: from + serversPerFamily, seed: options.seed };
  });
  const random = seededRandom(options.seed);
  const drawn = [...families, ...servers].filter(() => random.next() < options.series);
  return [...(options.pairs > 0 ? pairs.reverse() : []), ...drawn];
}
