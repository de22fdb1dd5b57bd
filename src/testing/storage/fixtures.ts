import { expect } from "vitest";
import type { CollectionName } from "../../storage/schema.ts";
import { type Operation, type Row, type Storage, StorageConflict } from "../../storage/storage.ts";
import type { JsonObject } from "../../wire/json.ts";

/** Operations that insert rows. */
export function inserts(collection: CollectionName, rows: readonly Row[]): Operation[] {
  return rows.map((row) => ({ kind: "insert", collection, row }));
}

const created_at = "2026-11-01T08:00:00.000Z";

export function post(id: string, fields: JsonObject = {}): Row {
  return { id, account_id: "acct", status: "draft", created_at, version: 1, ...fields };
}

/** A target of a post. `post` creates posts with the same account, time and status. */
export function target(id: string, postId: string, fields: JsonObject = {}): Row {
  return {
    id,
    account_id: "acct",
    post_id: postId,
    profile_id: `prof_${id}`,
    status: "pending",
    post_status: "draft",
    created_at,
    ...fields,
  };
}

export function profile(id: string, fields: JsonObject = {}): Row {
  return {
    id,
    account_id: "acct",
    network: "bluesky",
    external_id: id,
    created_at: "2026-11-01T08:00:00.000Z",
    ...fields,
  };
}

/** The conflict that a write fails with; the test fails if it succeeds or fails otherwise. */
export async function conflictOf(writing: Promise<void>): Promise<StorageConflict> {
  const outcome = await writing.then(
    () => "the write was applied",
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(StorageConflict);
  return outcome as StorageConflict;
}

/** All rows of a collection, by id. */
export async function everything(storage: Storage, collection: CollectionName): Promise<Row[]> {
  const { rows } = await storage.find(collection, { where: {}, order: { column: "id", direction: "asc" } });
  return rows;
}

export function idsOf(rows: readonly Row[]): string[] {
  return rows.map((row) => row.id);
}
