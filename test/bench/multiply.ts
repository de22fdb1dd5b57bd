import { columnsOf } from "../../src/storage/columns.ts";
import { type CollectionName, collections } from "../../src/storage/schema.ts";
import type { BenchDatabase } from "./database.ts";

/** Where a copy differs from the row that it is made of. */
export interface RowCopy {
  columns: Readonly<Record<string, number | string>>;
  /** Words anywhere in its other fields, by the words of the original that they replace. */
  words?: Readonly<Record<string, string>>;
}

/** Copies in one statement. */
const atOnce = 20_000;

/** Copies a row that was stored as usual, by SQL: a million of them takes seconds. The copies differ in the same places. */
export async function multiplyRow(
  database: BenchDatabase,
  { collection, id }: { collection: CollectionName; id: string },
  copies: Iterable<RowCopy>,
): Promise<void> {
  let together: RowCopy[] = [];
  const insert = async (): Promise<void> => {
    const [first] = together;
    if (first === undefined) return;
    const values = together.map(({ columns, words = {} }) => ({ ...columns, ...words }));
    await database.run(copySql(database, collection, first), [JSON.stringify(values), id]);
    together = [];
  };
  for (const copy of copies) {
    together.push(copy);
    if (together.length >= atOnce) await insert();
  }
  await insert();
}

function copySql({ name }: BenchDatabase, collection: CollectionName, { columns, words = {} }: RowCopy): string {
  const kinds: Readonly<Record<string, string>> = collections[collection].columns;
  const given = (field: string): string => `copy.value ->> ${literal(field)}`;
  const selected = columnsOf(collection).map((column) => {
    if (!Object.hasOwn(columns, column)) return `original."${column}"`;
    return kinds[column] === "integer" ? `CAST(${given(column)} AS BIGINT)` : given(column);
  });
  const data = Object.keys(words).reduce(
    (text, word) => `replace(${text}, ${literal(word)}, ${given(word)})`,
    `original."data"`,
  );
  const table = `"postrider_${collection}"`;
  const source = name === "SQLite" ? "json_each(?) AS copy" : "jsonb_array_elements(?::jsonb) AS copy";
  return (
    `INSERT INTO ${table} (${[...columnsOf(collection), "data"].map((column) => `"${column}"`).join(", ")}) ` +
    `SELECT ${[...selected, data].join(", ")} FROM ${source}, ${table} AS original WHERE original."id" = ?`
  );
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
