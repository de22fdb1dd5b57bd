/** Works off the jobs of the phase `inbox`: one virtual day for each seed. */
import { simulateInbox } from "./inbox-run.ts";
import { addFindings, addTally, emptyTally, type Tally } from "./tally.ts";
import { beforeTooLong } from "./too-long.ts";

/** Seeds `from` up to, but not including, `to`. */
export interface InboxJob {
  from: number;
  to: number;
}

/** A day takes a quarter of a minute at most; one that takes this long does not end, milliseconds. */
const maxDayMs = 180_000;

process.on("message", (job: InboxJob) => {
  void work(job).then((tally) => process.send?.(tally));
});

async function work({ from, to }: InboxJob): Promise<Tally & { letters: number; days: number }> {
  const tally = emptyTally();
  let letters = 0;
  for (let seed = from; seed < to; seed++) letters += await addDay(tally, seed);
  return { ...tally, letters, days: to - from };
}

/** @returns how many messages people have written */
async function addDay(tally: Tally, seed: number): Promise<number> {
  const run = `inbox, seed ${seed}`;
  try {
    const day = await beforeTooLong(simulateInbox(seed), maxDayMs);
    if (day === "too long") {
      addFindings(tally, run, [{ what: "stuck", message: "the day does not end" }]);
      return 0;
    }
    const { findings, letters, answers, seed: _, ...counts } = day;
    addTally(tally, { tried: answers, ...counts });
    addFindings(tally, run, findings);
    return letters;
  } catch (error) {
    addFindings(tally, run, [{ what: "stuck", message: `the day ended early: ${error}` }]);
    return 0;
  }
}
