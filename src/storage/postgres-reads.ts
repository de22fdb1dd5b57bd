import type { ColumnValue } from "./columns.ts";
import type { FoundRow, Query } from "./postgres-client.ts";
import { createGathering } from "./postgres-gathering.ts";
import type { Statement } from "./statement.ts";

/** A question that may be asked together with others. */
export interface Read {
  /** Of a text that ends with the page, if it has one. */
  statement: Statement;
  /** Values at its end that are the page's, `LIMIT` and `OFFSET`: a query has them the same for all its rows. */
  pageValues: number;
}

/** Reads of one shape under way at once. */
const readsAtOnce = 2;
/** Reads in one statement. */
const mostTogether = 20;

/** Runs reads; those that differ in nothing but their values, and wait, are one statement. */
export function createReads(query: Query): (read: Read) => Promise<FoundRow[]> {
  return createGathering<Read, FoundRow[]>({
    mostAtOnce: readsAtOnce,
    shapeOf,
    choose: (waiting) => waiting.slice(0, mostTogether),
    run(chosen) {
      const [only] = chosen;
      if (only !== undefined && chosen.length === 1) return [query(only.statement)];
      const found = query(together(chosen));
      return chosen.map(async (_, place) => (await found).filter(({ asked }) => Number(asked) === place));
    },
  });
}

function shapeOf({ statement, pageValues }: Read): string {
  const page = pageValues === 0 ? "" : statement.values.slice(-pageValues).join(" ");
  return `${statement.text} ${page}`;
}

/** One statement for all of them; each row says as `asked` which it belongs to. */
function together(reads: readonly Read[]): Statement {
  const [{ statement, pageValues }] = reads as [Read];
  const { text, values } = statement;
  const own = values.slice(0, values.length - pageValues);
  let place = 0;
  // A page cannot be another for each row.
  const inner = text.replaceAll("?", () => {
    const name = place < own.length ? `"each"."value_${place}"` : String(values[place]);
    place += 1;
    return name;
  });
  const columns = own.map((value, index) => `, "value_${index}" ${typeOf(value)}`).join("");
  const each = `json_to_recordset(?::text::json) AS "each" ("asked" bigint${columns})`;
  return {
    text: `SELECT "each"."asked", "found".* FROM ${each} CROSS JOIN LATERAL (${inner}) AS "found"`,
    values: [JSON.stringify(reads.map((read, asked) => valuesOf(read, asked, own.length)))],
  };
}

function valuesOf({ statement }: Read, asked: number, count: number): Record<string, ColumnValue> {
  const named = statement.values.slice(0, count).map((value, index) => [`value_${index}`, value]);
  return { asked, ...Object.fromEntries(named) };
}

/** Texts compare as those of every table do. */
function typeOf(value: ColumnValue | undefined): string {
  return typeof value === "number" ? "bigint" : 'text COLLATE "C"';
}
