import { behind } from "./behind.ts";
import type { CollectionName } from "./schema.ts";
import type { Row, Storage, Where } from "./storage.ts";

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
