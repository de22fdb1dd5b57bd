/**
 * Prepared statements, which Postgres plans once per connection. Only for speed:
 * the rows `500 claims one by one` of `npm run bench -- claim` and `1,000
 * publications on Postgres` of `npm run bench -- publish`. Used by `client.ts`.
 */
import { createHash } from "node:crypto";
import type { ColumnValue } from "../columns.ts";
import { numbered, type Statement } from "../sql/statement.ts";

/** A statement that is prepared under its name when it first runs on a connection. */
export interface PgQuery {
  /** The server's name for the statement. */
  name: string;
  /** Its SQL. */
  text: string;
  /** Its parameters, `$1` first. */
  values: ColumnValue[];
}

/** Statements with more parameters come in too many lengths to be worth preparing, except known ones. */
const maxPreparedValues = 60;
/** Maximum number of remembered statements. A store has fewer. */
const maxKept = 500;

const kept = new Map<string, { name: string; text: string }>();

/** True if a statement is worth preparing: planning it takes longer than running it. */
export function isWorthPreparing({ values, isRecurring }: Statement): boolean {
  return values.length > 0 && (isRecurring === true || values.length <= maxPreparedValues);
}

/** The statement with a name that is derived from its text. */
export function preparedQuery({ text, values }: Statement): PgQuery {
  const known = kept.get(text);
  if (known !== undefined) return { ...known, values };
  if (kept.size >= maxKept) kept.clear();
  const digest = createHash("sha256").update(text).digest("hex");
  const named = { name: `postrider_${digest.slice(0, 32)}`, text: numbered(text) };
  kept.set(text, named);
  return { ...named, values };
}
