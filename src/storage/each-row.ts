import type { CollectionName } from "./schema.ts";
import type { Condition, Row, Storage, Where } from "./storage.ts";

/** Rows per query. */
const rowsAtOnce = 100;

/**
 * Yields all rows that match a condition, in the order of their ids. It sends several queries. The condition must not
 * name `id`.
 */
export async function* eachRow(storage: Storage, collection: CollectionName, where: Where): AsyncGenerator<Row> {
  for (let rest: Where = {}; ; ) {
    const { rows } = await storage.find(collection, {
      where: { ...where, ...rest },
      order: { column: "id", direction: "asc" },
      limit: rowsAtOnce,
      isCounted: false,
    });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsAtOnce) return;
    rest = { id: behind(last.id) };
  }
}

/**
 * The condition that a text column is after a text. A store's text has no NUL, so the next possible text ends with
 * U+0001.
 */
export function behind(text: string): Condition {
  return { gte: `${text}\u0001` };
}
