import type { PartRun } from "./part-run.ts";
import { failed, type Progress, tooLate } from "./progress.ts";
import type { Hindrance, SubjectRun } from "./subject-run.ts";

/** Time between two checks of whether a hindrance is gone, milliseconds. */
const hindranceWaitMs = 2_000;

/** Why a subject cannot be sent although its turn has come. Null: it can. */
export async function hindranceOf(
  run: SubjectRun,
  { unresolvedIntents, lastIntentBeforeRetry }: PartRun,
): Promise<Hindrance | null> {
  return (await run.hindrance?.(unresolvedIntents.filter(({ number }) => number > lastIntentBeforeRetry))) ?? null;
}

/** Waits for the end of the hindrance and releases the profile meanwhile. */
export function whileHindered(run: SubjectRun, hindrance: Hindrance): Progress {
  const now = run.lease.now();
  const ends = [now + hindranceWaitMs, hindrance.until, run.sendUntil].filter((each) => each !== null);
  const until = Math.min(...ends);
  if (hindrance.isFinal || until <= now) return failed("network_error", notSent(hindrance));
  const message = `waiting: ${hindrance.reason}`;
  return { kind: "wait", until, blocksLane: false, givesBack: true, code: "network_error", message };
}

export async function whyTooLate(run: SubjectRun, part: PartRun): Promise<string> {
  const hindrance = await hindranceOf(run, part);
  return hindrance === null ? tooLate : notSent(hindrance);
}

function notSent({ reason }: Hindrance): string {
  return `It was not sent: ${reason}. Retry later.`;
}
