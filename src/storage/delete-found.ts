import type { CollectionName } from "./schema.ts";
import type { Operation, Row, Storage, Where } from "./storage.ts";

/** Rows deleted in one write. */
const rowsAtOnce = 500;

/** What goes with a deletion. */
export interface DeleteOptions {
  /** A column that an index has behind those of the condition: found without sorting. @default "created_at" */
  along?: string;
  /** Called with the rows before each write; what it throws ends the deletion. @default nothing */
  before?: (rows: readonly Row[]) => Promise<void>;
  /** More for the write that deletes rows of these ids. @default nothing */
  alongside?: (ids: readonly string[]) => Promise<readonly Operation[]>;
}

/** Deletes all rows that a condition holds for, some at a time. */
export async function deleteFound(
  storage: Storage,
  collection: CollectionName,
  where: Where,
  { along = "created_at", before = async () => undefined, alongside = async () => [] }: DeleteOptions = {},
): Promise<void> {
  for (;;) {
    const order = { column: along, direction: "desc" } as const;
    const { rows } = await storage.find(collection, { where, order, limit: rowsAtOnce, isCounted: false });
    if (rows.length === 0) return;
    await before(rows);
    const ids = rows.map(({ id }) => id);
    await storage.write([
      ...(await alongside(ids)),
      ...ids.map((id): Operation => ({ kind: "delete", collection, id })),
    ]);
    if (rows.length < rowsAtOnce) return;
  }
}
