/**
 * Sends waiting reads together as one statement. Only for speed: the row `1,000
 * publications on Postgres` of `npm run bench -- publish`. Without it,
 * `createReads(query)` would be `query`.
 */
import type { ColumnValue } from "../columns.ts";
import type { Statement } from "../sql/statement.ts";
import { createBatcher } from "./batcher.ts";
import type { FoundRow, Query } from "./client.ts";

/** Concurrent reads of one shape. */
const readsAtOnce = 2;
/** Maximum number of reads in one statement. */
const maxTogether = 20;

/** A reading statement, with the values that may differ from others sent with it. */
interface Read {
  statement: Statement;
  /** The SQL, with limits as literal numbers, so that Postgres plans to read no further. */
  shape: string;
  /** The value of each `?` in the SQL. */
  values: readonly ColumnValue[];
}

/** Runs reads. Waiting ones that differ only in their values become one statement. */
export function createReads(query: Query): Query {
  const ask = createBatcher<Read, FoundRow[]>({
    maxAtOnce: readsAtOnce,
    shapeOf: ({ shape }) => shape,
    choose: (waiting) => waiting.slice(0, maxTogether),
    run(chosen) {
      const [only] = chosen;
      if (only !== undefined && chosen.length === 1) return [query(only.statement)];
      const found = query(together(chosen));
      return chosen.map(async (_, place) => (await found).filter(({ asked }) => Number(asked) === place));
    },
  });
  return (statement) => ask(readOf(statement));
}

function readOf(statement: Statement): Read {
  const values = [...statement.values];
  let place = 0;
  const shape = statement.text.replaceAll(/LIMIT \? OFFSET \?|\?/g, (part) => {
    if (part !== "?") return `LIMIT ${values.splice(place, 1)} OFFSET ${values.splice(place, 1)}`;
    place += 1;
    return part;
  });
  return { statement, shape, values };
}

/** One statement for all of them; column `asked` of a row says which read it belongs to. */
function together(reads: readonly Read[]): Statement {
  const [{ shape, values }] = reads as [Read];
  let place = 0;
  const each = shape.replaceAll("?", () => `"each"."value_${place++}"`);
  const columns = values.map((value, index) => `, "value_${index}" ${typeOf(value)}`).join("");
  const from = `json_to_recordset(?::text::json) AS "each" ("asked" bigint${columns})`;
  return {
    text: `SELECT "each"."asked", "found".* FROM ${from} CROSS JOIN LATERAL (${each}) AS "found"`,
    values: [JSON.stringify(reads.map((read, asked) => ({ asked, ...valuesByName(read) })))],
  };
}

function valuesByName({ values }: Read): Record<string, ColumnValue> {
  return Object.fromEntries(values.map((value, index) => [`value_${index}`, value]));
}

/** Texts use the same collation as in every table. */
function typeOf(value: ColumnValue): string {
  return typeof value === "number" ? "bigint" : 'text COLLATE "C"';
}
