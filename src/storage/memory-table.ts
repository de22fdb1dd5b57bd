import { schemaOf, uniqueValues } from "./columns.ts";
import type { CollectionName } from "./schema.ts";
import type { Condition, Row, Where } from "./storage.ts";

/** The rows of one collection. Rows are replaced, never changed in place, so that a rollback can restore them. */
export interface Table {
  get(id: string): Row | undefined;
  /** Sets the row with an id; undefined removes it. */
  put(id: string, row: Row | undefined): void;
  /** The columns of a unique whose values another row already has. */
  takenUnique(row: Row): readonly string[] | undefined;
  /** The rows that may match `where`: the one that an id or a unique identifies, otherwise all. */
  candidates(where: Where): Row[];
}

/** @throws TypeError if there is no such collection */
export function createTable(collection: CollectionName): Table {
  const rows = new Map<string, Row>();
  /** Per unique: the id of the row that has its values. */
  const indexes = schemaOf(collection).uniques.map((columns) => ({ columns, ids: new Map<string, string>() }));

  /** The id of the only row that can match `where`; null: none can; undefined: several may. */
  function onlyId(where: Where): string | null | undefined {
    if (typeof where.id === "string") return where.id;
    for (const { columns, ids } of indexes) {
      const values = columns.map((column) => where[column]);
      if (values.every(isValue)) return ids.get(JSON.stringify(values)) ?? null;
    }
    return undefined;
  }

  return {
    get: (id) => rows.get(id),

    put(id, row) {
      const old = rows.get(id);
      for (const { columns, ids } of indexes) {
        const before = keyOf(old, columns);
        const after = keyOf(row, columns);
        if (before === after) continue;
        if (before !== null) ids.delete(before);
        if (after !== null) ids.set(after, id);
      }
      if (row === undefined) rows.delete(id);
      else rows.set(id, row);
    },

    takenUnique(row) {
      const taken = indexes.find(({ columns, ids }) => {
        const key = keyOf(row, columns);
        return key !== null && (ids.get(key) ?? row.id) !== row.id;
      });
      return taken?.columns;
    },

    candidates(where) {
      const id = onlyId(where);
      if (id === undefined) return [...rows.values()];
      const row = id === null ? undefined : rows.get(id);
      return row === undefined ? [] : [row];
    },
  };
}

function keyOf(row: Row | undefined, columns: readonly string[]): string | null {
  const values = row === undefined ? null : uniqueValues(row, columns);
  return values === null ? null : JSON.stringify(values);
}

/** True: exactly one value, not null, matches the condition. */
function isValue(condition: Condition | undefined): boolean {
  return typeof condition === "string" || typeof condition === "number";
}
