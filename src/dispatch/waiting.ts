import type { ProfileRow } from "../profiles/rows.ts";
import type { SubjectKind } from "../sending/subject-kind.ts";
import type { Operation, Row } from "../storage/storage.ts";
import type { DispatchPorts } from "./ports.ts";

/** A subject that is due on a profile now or later. */
export interface WaitingSubject {
  kind: SubjectKind;
  row: Row;
  /** Milliseconds. */
  dueAt: number;
}

/** Maximum number of waiting subjects of one kind that are read for a profile. */
export const subjectsRead = 50;

/** Lists a profile's waiting subjects, the earliest first. */
export async function waitingSubjects(ports: DispatchPorts, profile: ProfileRow): Promise<WaitingSubject[]> {
  const found = await Promise.all(ports.kinds.map((kind) => waitingOfKind(ports, kind, profile)));
  return found.flat().sort((one, other) => one.dueAt - other.dueAt);
}

export async function waitingOfKind(
  { storage, adapter }: DispatchPorts,
  kind: SubjectKind,
  { id, network }: ProfileRow,
): Promise<WaitingSubject[]> {
  if (!kind.goesOutOn(adapter(network))) return [];
  const { rows } = await storage.find(kind.collection, {
    where: { profile_id: id, due_at: { not_null: true } },
    order: { column: "due_at", direction: "asc" },
    limit: subjectsRead,
    isCounted: false,
  });
  return rows.map((row) => ({ kind, row, dueAt: Number(row.due_at) }));
}

/** The collection and id of a stored subject. */
export type SubjectPlace = Pick<Extract<Operation, { kind: "update" }>, "collection" | "id">;

export function dueNow({ collection, id }: SubjectPlace, now: number): Operation {
  return { kind: "update", collection, id, change: { due_at: now }, where: {} };
}
