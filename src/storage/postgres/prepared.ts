/**
 * Statements that Postgres plans once on each connection. For speed alone: the
 * rows `500 claims one by one` of `npm run bench -- claim` and `1,000 publications
 * on Postgres` of `npm run bench -- publish`. `client.ts` is its door.
 */
import { createHash } from "node:crypto";
import type { ColumnValue } from "../columns.ts";
import { numbered, type Statement } from "../sql/statement.ts";

/** A statement that is prepared under this name on each connection, the first time that it runs there. */
export interface PgQuery {
  /** Under which the server keeps the statement. */
  name: string;
  /** The statement. */
  text: string;
  /** Its parameters, `$1` first. */
  values: ColumnValue[];
}

/** Statements with more values are as many different ones as lists have lengths, unless it is known of them: not worth keeping prepared. */
const maxPreparedValues = 60;
/** Texts kept with their names. A store has fewer. */
const maxKept = 500;

const kept = new Map<string, { name: string; text: string }>();

/** True for a statement that is worth preparing: Postgres plans it once on each connection, which takes longer than running it. */
export function isWorthPreparing({ values, isRecurring }: Statement): boolean {
  return values.length > 0 && (isRecurring === true || values.length <= maxPreparedValues);
}

/** The statement by a name that says its text. */
export function preparedQuery({ text, values }: Statement): PgQuery {
  const known = kept.get(text);
  if (known !== undefined) return { ...known, values };
  if (kept.size >= maxKept) kept.clear();
  const digest = createHash("sha256").update(text).digest("hex");
  const named = { name: `postrider_${digest.slice(0, 32)}`, text: numbered(text) };
  kept.set(text, named);
  return { ...named, values };
}
