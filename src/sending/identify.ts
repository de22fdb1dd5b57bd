import type { PublishedPart } from "../networks/contract/plan.ts";
import { StorageConflict } from "../storage/storage.ts";
import { LeaseLost } from "../work/lease.ts";
import { publicationsOf } from "./part-run.ts";
import { failed, type Progress } from "./progress.ts";
import type { SubjectRun } from "./subject-run.ts";

/** Between two questions for an id that the next part waits for, milliseconds. */
const betweenQuestionsMs = 30_000;
/** After it went out, a subject whose ids are missing is asked for so often, with these pauses, milliseconds. */
const pausesMs = [60_000, 600_000, 3_600_000, 6 * 3_600_000, 24 * 3_600_000] as const;

/** Nothing can reply to a part whose id is unknown. Null: all ids are there. */
export async function waitForIds(run: SubjectRun, index: number): Promise<Progress | null> {
  if (!run.isOpen() || !isMissing(run)) return null;
  await askForIds(run);
  const { live, patience } = run.state();
  if (!isMissing(run)) {
    await run.save({ state: { live, patience: null } });
    return null;
  }
  const now = run.lease.now();
  const { since, waits, number } = patience ?? { since: now, waits: 0, number: 0 };
  const parts = live.flatMap(({ id }, part) => (id === null ? [part + 1] : [])).join(", ");
  const message = `Part ${parts} is live, but its id is unknown, so no part can reply to it.`;
  if (now - since >= run.publisherOf(index).rules.pendingCapSeconds * 1000) return failed("timeout", message);
  run.remember({ patience: { since, waits: waits + 1, number, alike: null } });
  return { kind: "wait", until: now + betweenQuestionsMs, blocksLane: false, code: "timeout", message };
}

/**
 * Asks for ids that a network had not told when all of it went live.
 *
 * @returns when to ask again, milliseconds; null: not at all
 */
export async function askLater(run: SubjectRun): Promise<number | null> {
  if (!isMissing(run) || run.publisherOf(0).lookUpId === undefined) return null;
  const { id_questions: asked } = run.state();
  if (asked !== undefined) await askForIds(run);
  const next = asked === undefined ? 0 : asked + 1;
  run.remember({ id_questions: next });
  const pauseMs = pausesMs[next];
  return pauseMs === undefined || !isMissing(run) ? null : run.lease.now() + pauseMs;
}

function isMissing(run: SubjectRun): boolean {
  return run.state().live.some(({ id }) => id === null);
}

/** Whatever goes wrong, the part is live: it is asked again later, or stays without an id. */
async function askForIds(run: SubjectRun): Promise<void> {
  const live: PublishedPart[] = [];
  for (const [index, part] of run.state().live.entries()) {
    live.push(part.id === null ? await identified(run, index, part) : part);
  }
  run.remember({ live });
}

async function identified(run: SubjectRun, index: number, part: PublishedPart): Promise<PublishedPart> {
  const { lookUpId } = run.publisherOf(index);
  if (lookUpId === undefined || run.credentials.profile().status !== "connected") return part;
  try {
    const found = await lookUpId(run.credentials.context, part);
    await run.ports.storage.write(publicationsOf({ ...run, subjectId: run.id }, found)).catch(unlessTaken);
    return found;
  } catch (error) {
    if (error instanceof LeaseLost) throw error;
    const reason = error instanceof Error ? error.message : "unknown";
    run.ports.logger.warn("the id of a published part could not be read", {
      [run.label]: run.id,
      part: index,
      error: reason,
    });
    return part;
  }
}

/** The post is on record as somebody's already; that the network names it as this part stands all the same. */
function unlessTaken(error: unknown): void {
  if (!(error instanceof StorageConflict)) throw error;
}
