import { crashCases, crashFamilies } from "../support/crash-families.ts";
import { seededRandom } from "./random.ts";

/** All runs of one family, or of the pairs, on one case; or one run each of a family on small servers. */
export type CrashJob =
  | { what: "family"; family: string; crashCase: string }
  | { what: "servers"; family: string; from: number; to: number; seed: number }
  | { what: "pairs"; crashCase: string; share: number; seed: number };

/** Small servers for each family, each with ways of its own. */
const serversPerFamily = 100;

/** Pairs first, because they take longest. Which series are tried is drawn by the seed. */
export function crashJobs(options: { pairs: number; series: number; seed: number }): CrashJob[] {
  const names = crashCases.map(({ name }) => name);
  const pairs = names.map(
    (crashCase): CrashJob => ({ what: "pairs", crashCase, share: options.pairs, seed: options.seed }),
  );
  const families = crashFamilies.flatMap(({ name }) =>
    names.map((crashCase): CrashJob => ({ what: "family", family: name, crashCase })),
  );
  const servers = crashFamilies.map(({ name }, index): CrashJob => {
    const from = index * serversPerFamily;
    return { what: "servers", family: name, from, to: from + serversPerFamily, seed: options.seed };
  });
  const random = seededRandom(options.seed);
  const drawn = [...families, ...servers].filter(() => random.next() < options.series);
  return [...(options.pairs > 0 ? pairs.reverse() : []), ...drawn];
}
