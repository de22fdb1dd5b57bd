import { simulate } from "./simulate-run.ts";
import { addFindings, addTally, emptyTally, type Tally } from "./tally.ts";
import { beforeTooLong } from "./too-long.ts";

/** Seeds `from` up to, but not including, `to`. */
export interface SimulateJob {
  from: number;
  to: number;
}

/** A week takes a fraction of a second; one that takes this long does not end, milliseconds. */
const maxWeekMs = 120_000;

/** One virtual week for each seed, one after the other. */
export async function playWeeks({ from, to }: SimulateJob): Promise<Tally & { weeks: number }> {
  const tally = emptyTally();
  for (let seed = from; seed < to; seed++) await addWeek(tally, seed);
  return { ...tally, weeks: to - from };
}

async function addWeek(tally: Tally, seed: number): Promise<void> {
  const run = `simulate, seed ${seed}`;
  try {
    const week = await beforeTooLong(simulate(seed), maxWeekMs);
    if (week === "too long") return addFindings(tally, run, [{ what: "stuck", message: "the week does not end" }]);
    const { findings, undecidedNotes, seed: _, posts, ...counts } = week;
    addTally(tally, {
      tried: posts,
      ...counts,
      notes: undecidedNotes.map((message) => `seed ${seed}: undecided: ${message}`),
    });
    addFindings(tally, run, findings);
  } catch (error) {
    addFindings(tally, run, [{ what: "stuck", message: `the week ended early: ${error}` }]);
  }
}
