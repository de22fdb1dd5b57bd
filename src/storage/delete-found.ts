import type { CollectionName } from "./schema.ts";
import type { Operation, Row, Storage, Where } from "./storage.ts";

/** Rows deleted in one write. */
const rowsAtOnce = 500;

/** Options of `deleteFound`. */
export interface DeleteOptions {
  /**
   * The column that follows the condition's columns in an index, so that rows are found without sorting.
   *
   * @default "created_at"
   */
  along?: string;
  /** Called with the rows before each write. If it throws, the deletion ends. @default none */
  before?: (rows: readonly Row[]) => Promise<void>;
  /** More operations of the write that deletes the rows with these ids. @default none */
  alongside?: (ids: readonly string[]) => Promise<readonly Operation[]>;
}

/** Deletes all rows that match a condition, in several writes. */
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
