import type { Pace } from "../async/pace.ts";
import { retryConflicts } from "../storage/conflict-retry.ts";
import type { Operation, Row, Storage } from "../storage/storage.ts";
import { fromRow } from "../storage/typed.ts";
import { type IntentRow, type IntentState, inconclusiveStates, settledKeptMs } from "./intent.ts";
import type { SubjectKind } from "./subject-kind.ts";

/** Intents read, and deleted, at a time. */
const intentsAtOnce = 100;
/** Maximum number of conflicts with other processes at one page. */
const maxConflicts = 20;

/** States of requests that did nothing. */
const withoutEffect: ReadonlySet<IntentState> = new Set<IntentState>(["not_sent", "refused", "later"]);
const inconclusive: ReadonlySet<IntentState> = new Set<IntentState>(inconclusiveStates);

export interface IntentRetentionPorts {
  storage: Storage;
  pace: Pace;
  kinds: readonly Pick<SubjectKind, "collection" | "stageOf">[];
}

/**
 * Deletes intents that settled 30 days ago and that nothing needs any more. The others are checked again 30 days later:
 *
 * - All intents of a subject that is being sent, because the next step is decided from them.
 * - Requests that may be live (`inconclusiveStates`), whatever became of their subject: a post that another look finds
 *   may be theirs, so it cannot be matched with another part.
 * - Of a subject that failed, what a retry needs: requests whose response was lost and jobs, which it looks for once
 *   more before it sends anything; requests that were accepted, which it never sends again; and the last intent of each
 *   part, from which it counts, so that a new intent never counts as one of an earlier attempt.
 *
 * What stays goes with its post or message. Any number of processes may do this at the same time. If one dies, the next
 * one continues, since the rows say what is left.
 */
export async function pruneIntents(ports: IntentRetentionPorts): Promise<void> {
  while (await retryConflicts(() => pruneSome(ports), { max: maxConflicts })) await ports.pace();
}

/** @returns whether there may be more */
async function pruneSome({ storage, kinds }: IntentRetentionPorts): Promise<boolean> {
  const now = await storage.now();
  const { rows } = await storage.find("intents", {
    where: { due_at: { lte: now } },
    order: { column: "due_at", direction: "asc" },
    limit: intentsAtOnce,
    isCounted: false,
  });
  if (rows.length === 0) return false;
  const intents = rows.map((row) => fromRow<IntentRow>(row));
  const stageOf = await readStages(storage, kinds, intents);
  const lastOf = await readLastNumbers(
    storage,
    intents.filter((intent) => stageOf(intent) === "retryable"),
  );
  const again = { due_at: now + settledKeptMs };
  await storage.write(
    intents.map((intent): Operation => {
      const { id, due_at } = intent;
      return isNeeded(intent, stageOf(intent), lastOf(intent))
        ? { kind: "update", collection: "intents", id, change: again, where: { due_at } }
        : { kind: "delete", collection: "intents", id };
    }),
  );
  return rows.length === intentsAtOnce;
}

type Stage = ReturnType<SubjectKind["stageOf"]> | "deleted";

/** @param last the number of the part's last intent */
function isNeeded({ state, number, private: record }: IntentRow, stage: Stage, last: number): boolean {
  if (stage === "deleted") return false;
  if (stage === "open" || inconclusive.has(state)) return true;
  if (stage === "ended") return false;
  const wasLost = record.unknown_since !== null || record.job !== undefined;
  return wasLost || !withoutEffect.has(state) || number >= last;
}

async function readStages(
  storage: Storage,
  kinds: IntentRetentionPorts["kinds"],
  intents: readonly IntentRow[],
): Promise<(intent: IntentRow) => Stage> {
  const where = { id: { in: [...new Set(intents.map(({ subject_id }) => subject_id))] } };
  const read = async ({ collection, stageOf }: IntentRetentionPorts["kinds"][number]) => {
    const { rows } = await storage.find(collection, { where, isCounted: false });
    return rows.map((row: Row) => [row.id, stageOf(row)] as const);
  };
  const stages = new Map((await Promise.all(kinds.map(read))).flat());
  return ({ subject_id }) => stages.get(subject_id) ?? "deleted";
}

/** The numbers of the last intents of the parts that these belong to. */
async function readLastNumbers(
  storage: Storage,
  intents: readonly IntentRow[],
): Promise<(intent: IntentRow) => number> {
  const lastNumbers = new Map<string, number>();
  const nameOf = ({ subject_id, part }: IntentRow): string => `${subject_id}/${part}`;
  if (intents.length > 0) {
    const where = { subject_id: { in: [...new Set(intents.map(({ subject_id }) => subject_id))] } };
    const { rows } = await storage.find("intents", { where, isCounted: false });
    for (const intent of rows.map((row) => fromRow<IntentRow>(row)))
      lastNumbers.set(nameOf(intent), Math.max(lastNumbers.get(nameOf(intent)) ?? 0, intent.number));
  }
  return (intent) => lastNumbers.get(nameOf(intent)) ?? 0;
}
