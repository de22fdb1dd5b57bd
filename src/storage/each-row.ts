import type { CollectionName } from "./schema.ts";
import type { Condition, Row, Storage, Where } from "./storage.ts";

/** Rows read at a time. */
const rowsAtOnce = 100;

/** All rows that a condition holds for, some read at a time, in the order of their ids; the condition names no id. */
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

/** What a text column must be to stand behind a text: a store's text holds no NUL, so with the least character at its end it is the next. */
export function behind(text: string): Condition {
  return { gte: `${text}\u0001` };
}
