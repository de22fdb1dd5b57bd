import { crashCases, crashFamilies } from "../support/crash-families.ts";

/** All runs of one family, or of the pairs, on one case. */
export type CrashJob =
  | { what: "family"; family: string; crashCase: string }
  | { what: "pairs"; crashCase: string; share: number; seed: number };

/** Pairs first, because they take longest. */
export function crashJobs(options: { pairs: number; seed: number }): CrashJob[] {
  const names = crashCases.map(({ name }) => name);
  const pairs = names.map(
    (crashCase): CrashJob => ({ what: "pairs", crashCase, share: options.pairs, seed: options.seed }),
  );
  const families = crashFamilies.flatMap(({ name }) =>
    names.map((crashCase): CrashJob => ({ what: "family", family: name, crashCase })),
  );
  return [...(options.pairs > 0 ? pairs.reverse() : []), ...families];
}
