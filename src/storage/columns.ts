import { type Json, type JsonObject, unstorableText } from "../wire/json.ts";
import { type CollectionName, type CollectionSchema, collections } from "./schema.ts";
import type { Condition, FindQuery, Operation, Row, Where } from "./storage.ts";

type Update = Extract<Operation, { kind: "update" }>;

/** A column's value. */
export type ColumnValue = null | number | string;

const conditionKeys = ["in", "not_in", "lt", "lte", "gte", "not_null"];

/** @throws TypeError if there is no such collection */
export function schemaOf(collection: CollectionName): CollectionSchema {
  if (!Object.hasOwn(collections, collection)) throw new TypeError(`There is no collection "${collection}".`);
  return collections[collection];
}

const columnNames = new Map(
  Object.entries(collections).map(([collection, { columns }]) => [collection, ["id", ...Object.keys(columns)]]),
);

const absentColumns = new Map(
  [...columnNames].map(([collection, names]) => [
    collection,
    Object.fromEntries(names.map((name) => [name, null])) as JsonObject,
  ]),
);

const columnSets = new Map([...columnNames].map(([collection, names]) => [collection, new Set(names)]));

/** The names of a collection's columns, `id` first. */
export function columnsOf(collection: CollectionName): readonly string[] {
  const names = columnNames.get(collection);
  if (names === undefined) throw new TypeError(`There is no collection "${collection}".`);
  return names;
}

export function isColumn(collection: CollectionName, name: string): boolean {
  return columnSets.get(collection)?.has(name) === true;
}

/** The row as every storage returns it: with all columns, null where absent, `id` first. */
export function normalizeRow(collection: CollectionName, row: Row): Row {
  return { ...(absentColumns.get(collection) ?? {}), ...row };
}

/** The fields that are not columns. A loop, because it runs for every written row. */
export function withoutColumns(collection: CollectionName, fields: JsonObject): JsonObject {
  const columns = columnSets.get(collection);
  const others: JsonObject = {};
  for (const name of Object.keys(fields)) {
    if (columns?.has(name)) continue;
    // This name would set the prototype.
    if (name === "__proto__") Object.defineProperty(others, name, { value: fields[name], enumerable: true });
    else others[name] = fields[name] as Json;
  }
  return others;
}

/** The row after an update. */
export function changedRow(row: Row, { collection, change, isComplete = false }: Omit<Update, "id" | "where">): Row {
  return { ...(isComplete ? onlyColumns(collection, row) : row), ...change, id: row.id };
}

function onlyColumns(collection: CollectionName, row: Row): JsonObject {
  return Object.fromEntries(columnsOf(collection).map((column) => [column, columnValue(row, column)]));
}

/** A deep copy, as through JSON, so that every storage drops the same values (such as `undefined`) before a write. */
export function copyJson<Value>(value: Value): Value {
  return isJson(value) ? (copyRow(value) as Value) : JSON.parse(JSON.stringify(value));
}

/** True: JSON keeps the value unchanged, as it does nearly all values. */
function isJson(value: unknown): value is Json {
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value !== "object") return false;
  if (Array.isArray(value)) return value.every(isJson);
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isJson);
}

/** The fields without those that are undefined, as in JSON. */
export function withoutUndefined(change: JsonObject): JsonObject {
  const isUndefined = (value: unknown): boolean => value === undefined;
  if (!Object.values(change).some(isUndefined)) return change;
  return Object.fromEntries(Object.entries(change).filter(([, value]) => !isUndefined(value)));
}

/** A deep copy of a stored row, which contains only JSON values since `copyJson`. */
export function copyRow<Value extends Json>(value: Value): Value {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyRow) as Value;
  const copy: JsonObject = { ...value };
  for (const key of Object.keys(copy)) {
    const inner = copy[key];
    if (typeof inner === "object" && inner !== null) copy[key] = copyRow(inner);
  }
  return copy as Value;
}

/** The values of `columns`; null: one of them is null, so the unique does not apply to the row. */
export function uniqueValues(row: Row, columns: readonly string[]): ColumnValue[] | null {
  const values = columns.map((column) => columnValue(row, column));
  return values.includes(null) ? null : values;
}

/** True: the update names a column of a unique. */
export function namesUnique({ collection, change }: Update): boolean {
  return schemaOf(collection).uniques.some((unique) => unique.some((column) => Object.hasOwn(change, column)));
}

/** A column's value in a checked row or change. */
export function columnValue(fields: JsonObject, column: string): ColumnValue {
  return (fields[column] ?? null) as ColumnValue;
}

/** @throws TypeError naming the column that does not exist or cannot hold its value */
export function checkOperation(operation: Operation): void {
  const { collection } = operation;
  schemaOf(collection);
  if (operation.kind === "insert") {
    if (typeof operation.row.id !== "string") throw new TypeError(`A row for ${collection} has no id.`);
    checkFields(collection, operation.row);
  }
  if (operation.kind === "update") {
    if (Object.hasOwn(operation.change, "id"))
      throw new TypeError(`The id of a row in ${collection} cannot be changed.`);
    checkFields(collection, operation.change);
  }
  if (operation.kind === "update" || operation.kind === "check") checkWhere(collection, operation.where);
}

/** The order of a query's rows. */
export function orderOf({ order }: FindQuery): NonNullable<FindQuery["order"]> {
  return order ?? { column: "created_at", direction: "desc" };
}

/** @throws TypeError naming the invalid column, limit or offset */
export function checkQuery(collection: CollectionName, query: FindQuery): void {
  checkWhere(collection, query.where);
  const { column } = orderOf(query);
  kindOf(collection, column);
  if (query.after !== undefined) {
    checkValue(collection, column, query.after.value);
    checkValue(collection, "id", query.after.id);
  }
  if (query.some !== undefined) {
    if (collection !== "posts") throw new TypeError(`Rows of ${collection} have no targets; only posts have.`);
    checkWhere("targets", query.some.targets);
  }
  for (const name of ["limit", "offset"] as const) {
    const value = query[name] ?? 0;
    if (!Number.isSafeInteger(value) || value < 0) throw new TypeError(`${name} must be 0 or more, not ${value}.`);
  }
}

function checkFields(collection: CollectionName, fields: JsonObject): void {
  for (const column of columnsOf(collection)) {
    const value = fields[column];
    if (value !== null && value !== undefined) checkValue(collection, column, value);
  }
}

function checkWhere(collection: CollectionName, where: Where): void {
  for (const [column, condition] of Object.entries(where)) {
    for (const value of valuesIn(collection, column, condition)) checkValue(collection, column, value);
  }
}

function valuesIn(collection: CollectionName, column: string, condition: Condition): readonly ColumnValue[] {
  kindOf(collection, column);
  if (condition === null) return [];
  if (typeof condition !== "object") return [condition];
  const unknown = Object.keys(condition).find((key) => !conditionKeys.includes(key));
  if (unknown !== undefined) throw new TypeError(`${collection}.${column}: there is no condition "${unknown}".`);
  const { in: list = [], not_in: others = [], lt, lte, gte } = condition;
  return [...list, ...others, lt, lte, gte].filter((value) => value !== undefined);
}

function checkValue(collection: CollectionName, column: string, value: unknown): void {
  const kind = kindOf(collection, column);
  if (kind === "integer" && Number.isSafeInteger(value)) return;
  if (kind === "text" && typeof value === "string" && !unstorableText.test(value)) return;
  const wanted = kind === "text" ? "a string without NUL and lone surrogates" : "a safe integer";
  const given = typeof value === "number" ? value : `this ${typeof value}`;
  throw new TypeError(`${collection}.${column} must be ${wanted}, not ${given}.`);
}

function kindOf(collection: CollectionName, column: string): "text" | "integer" {
  if (column === "id") return "text";
  const { columns } = schemaOf(collection);
  const kind = Object.hasOwn(columns, column) ? columns[column] : undefined;
  if (kind === undefined) throw new TypeError(`${collection} has no column "${column}".`);
  return kind;
}
