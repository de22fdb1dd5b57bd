import { type ColumnValue, columnValue } from "./columns.ts";
import type { Condition, Place, Row, Where } from "./storage.ts";

/** Creates a function that returns whether a row matches `where`. */
export function matcher(where: Where): (row: Row) => boolean {
  const conditions = Object.entries(where);
  return (row) => conditions.every(([column, condition]) => fulfils(columnValue(row, column), condition));
}

/** A copy sorted by `column`, and for equal values by id in the same direction. */
export function sortRows(rows: readonly Row[], order: { column: string; direction: "asc" | "desc" }): Row[] {
  const sign = order.direction === "asc" ? 1 : -1;
  return [...rows].sort(
    (left, right) =>
      sign *
      (compareValues(columnValue(left, order.column), columnValue(right, order.column)) ||
        compareValues(left.id, right.id)),
  );
}

/** Creates a function that returns whether a row is after a position in an order. */
export function isBehind(
  after: Place | undefined,
  order: { column: string; direction: "asc" | "desc" },
): (row: Row) => boolean {
  if (after === undefined) return () => true;
  const sign = order.direction === "asc" ? 1 : -1;
  return (row) => {
    const value = columnValue(row, order.column);
    return value !== null && sign * (compareValues(value, after.value) || compareValues(row.id, after.id)) > 0;
  };
}

function fulfils(value: ColumnValue, condition: Condition): boolean {
  if (typeof condition !== "object" || condition === null) return value === condition;
  const { in: list, not_in: others, lt, lte, gte, not_null } = condition;
  return (
    (list === undefined || (value !== null && list.includes(value))) &&
    (others === undefined || value === null || !others.includes(value)) &&
    (lt === undefined || (value !== null && compareValues(value, lt) < 0)) &&
    (lte === undefined || (value !== null && compareValues(value, lte) <= 0)) &&
    (gte === undefined || (value !== null && compareValues(value, gte) >= 0)) &&
    (not_null === undefined || value !== null)
  );
}

/** Compares values of one column: null first, then numbers by size or texts by code point. */
function compareValues(left: ColumnValue, right: ColumnValue): number {
  if (left === right) return 0;
  if (left === null) return -1;
  if (right === null) return 1;
  if (typeof left === "string" && typeof right === "string") return compareTexts(left, right);
  return left < right ? -1 : 1;
}

/** Compares by code point, as databases order UTF-8. `<` compares UTF-16 units and puts emoji before U+E000 and up. */
function compareTexts(left: string, right: string): number {
  let place = 0;
  while (place < left.length && left[place] === right[place]) place++;
  return (left.codePointAt(place) ?? -1) - (right.codePointAt(place) ?? -1);
}
