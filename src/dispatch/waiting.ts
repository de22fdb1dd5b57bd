import type { ProfileRow } from "../profiles/rows.ts";
import type { SubjectKind } from "../sending/subject-kind.ts";
import type { Operation, Row } from "../storage/storage.ts";
import type { DispatchPorts } from "./ports.ts";

/** Something that is to go out on a profile, now or later. */
export interface WaitingSubject {
  kind: SubjectKind;
  row: Row;
  /** Milliseconds. */
  dueAt: number;
}

/** Waiting subjects of a kind that are read together, of one profile. */
export const subjectsRead = 50;

/** What a profile has to do, now or later; the next first. */
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

/** What is stored of a subject, wherever that is. */
export type SubjectPlace = Pick<Extract<Operation, { kind: "update" }>, "collection" | "id">;

export function dueNow({ collection, id }: SubjectPlace, now: number): Operation {
  return { kind: "update", collection, id, change: { due_at: now }, where: {} };
}
