import type { ColumnValue } from "../columns.ts";
import type { Condition, Where } from "../storage.ts";

/** A statement with a `?` for each of its values, in their order. */
export interface Statement {
  text: string;
  values: ColumnValue[];
  /** True: one of a few texts that run repeatedly, whatever the number of values. */
  isRecurring?: boolean;
}

/** `where` as a condition on `table`, a quoted name or alias. */
export function whereSql(table: string, where: Where): Statement {
  return allOf(
    Object.entries(where).map(([column, condition]) => conditionSql(`${table}.${quoted(column)}`, condition)),
  );
}

function conditionSql(column: string, condition: Condition): Statement {
  if (condition === null) return { text: `${column} IS NULL`, values: [] };
  if (typeof condition !== "object") return { text: `${column} = ?`, values: [condition] };
  const { in: members, not_in: others, lt, lte, gte, not_null } = condition;
  const parts: Statement[] = [];
  if (members?.length === 0) parts.push({ text: "1 = 0", values: [] });
  else if (members) parts.push({ text: `${column} IN (${places(members)})`, values: [...members] });
  if (others !== undefined && others.length > 0) {
    parts.push({ text: `(${column} IS NULL OR ${column} NOT IN (${places(others)}))`, values: [...others] });
  }
  if (lt !== undefined) parts.push({ text: `${column} < ?`, values: [lt] });
  if (lte !== undefined) parts.push({ text: `${column} <= ?`, values: [lte] });
  if (gte !== undefined) parts.push({ text: `${column} >= ?`, values: [gte] });
  if (not_null) parts.push({ text: `${column} IS NOT NULL`, values: [] });
  return allOf(parts);
}

function places(values: readonly unknown[]): string {
  return values.map(() => "?").join(", ");
}

/** Joins conditions with AND; none: always true. */
export function allOf(parts: readonly Statement[]): Statement {
  return parts.length === 0 ? { text: "1 = 1", values: [] } : joined(parts, " AND ");
}

/** Joins statements in their order. */
export function joined(parts: readonly Statement[], separator: string): Statement {
  const values: ColumnValue[] = [];
  for (const part of parts) values.push(...part.values);
  return { text: parts.map(({ text }) => text).join(separator), values };
}

/** Quoted names, joined by commas. */
export function list(names: readonly string[]): string {
  return names.map(quoted).join(", ");
}

export function quoted(name: string): string {
  return `"${name}"`;
}

/** Replaces each `?` by Postgres's `$1`, `$2` …. No name or literal of this package contains a `?`. */
export function numbered(text: string): string {
  let number = 0;
  return text.replaceAll("?", () => `$${++number}`);
}
