/**
 * Runs many steps of a write as few statements. Steps that differ only in their values become one statement, and the
 * values become one JSON parameter, so that Postgres plans few statements. A post to many profiles then takes a few
 * round trips, not one per row. Only for speed: the row `on Postgres` of `npm run bench -- ingest`. Without it each
 * step would be a statement of its own (`stepStatement`), with the same effect.
 */

import { type ColumnValue, columnsOf, namesUnique, schemaOf } from "../columns.ts";
import type { CollectionName } from "../schema.ts";
import { storedValue, tableName } from "../sql/sql.ts";
import { list, quoted, type Statement } from "../sql/statement.ts";
import { type Operation, rowIdOf } from "../storage.ts";
import { keyOf, mayTakeUnique, type Step, stepStatement } from "./plan.ts";

/** Postgres plans a statement of many parts slowly. */
export const maxParts = 25;
/** Maximum number of rows in one statement. */
export const maxRows = 1_000;

/** Steps that may run as one statement. */
interface Batch {
  steps: Step[];
  shapes: Set<string>;
  rows: Set<string>;
  /** Collections in which a step may have freed a unique value. */
  freed: Set<CollectionName>;
}

/** Groups of steps that can run as one statement each. Postgres promises no order within a statement, so no step of a group depends on another. */
export function batchesOf(steps: readonly Step[]): Step[][] {
  const batches: Batch[] = [];
  for (const step of steps) {
    const { operation } = step;
    let batch = batches.at(-1);
    if (batch === undefined || !mayJoin(batch, step)) {
      batch = { steps: [], shapes: new Set(), rows: new Set(), freed: new Set() };
      batches.push(batch);
    }
    batch.steps.push(step);
    batch.shapes.add(shapeOf(step));
    batch.rows.add(keyOf(operation.collection, rowIdOf(operation)));
    if (mayFreeUnique(operation)) batch.freed.add(operation.collection);
  }
  return batches.map((batch) => batch.steps);
}

function mayJoin({ steps, shapes, rows, freed }: Batch, step: Step): boolean {
  const { operation } = step;
  if (steps.length >= maxRows || rows.has(keyOf(operation.collection, rowIdOf(operation)))) return false;
  if (freed.has(operation.collection) && mayTakeUnique(operation)) return false;
  return shapes.size < maxParts || shapes.has(shapeOf(step));
}

function mayFreeUnique(operation: Operation): boolean {
  return operation.kind === "delete" || (operation.kind === "update" && namesUnique(operation));
}

/** Equal for steps that fit into one statement. */
function shapeOf({ operation }: Step): string {
  const names = operation.kind === "update" ? changedNames(operation) : [];
  return [operation.kind, operation.collection, ...names].join(" ");
}

/** The columns that an update sets, `data` among them. */
function changedNames({ collection, change }: Extract<Operation, { kind: "update" }>): string[] {
  const columns = columnsOf(collection);
  const changed = columns.filter((column) => Object.hasOwn(change, column));
  return Object.keys(change).length > changed.length ? [...changed, "data"] : changed;
}

/** One statement for a batch. It returns a row for each applied step. */
export function batchStatement(tablePrefix: string, batch: readonly Step[]): Statement {
  const statements = groupsOf(batch, shapeOf).map((steps) => alikeStatement(tablePrefix, steps));
  const [first] = statements;
  if (first !== undefined && statements.length === 1) return first;
  const parts = statements.map(({ text }, place) => `"part_${place}" AS (${text})`);
  const answers = statements.map((_, place) => `SELECT "id" FROM "part_${place}"`);
  return {
    text: `WITH ${parts.join(", ")} ${answers.join(" UNION ALL ")}`,
    values: statements.flatMap(({ values }) => values),
  };
}

/** One or more steps of the same shape. */
export type Alike<Item> = readonly [Item, ...Item[]];

/** In the order of their first members. */
export function groupsOf<Item>(items: readonly Item[], shapeOf: (item: Item) => string): Alike<Item>[] {
  const groups = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const shape = shapeOf(item);
    const group = groups.get(shape);
    if (group === undefined) groups.set(shape, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}

function alikeStatement(tablePrefix: string, steps: Alike<Step>): Statement {
  const [first] = steps;
  if (steps.length === 1) return stepStatement(tablePrefix, first);
  const { operation } = first;
  const { collection } = operation;
  const table = tableName(tablePrefix, collection);
  if (operation.kind === "insert") {
    const names = [...columnsOf(collection), "data"];
    const given = givenRows(steps, collection, names);
    const text = `INSERT INTO ${table} (${list(names)}) SELECT ${list(names)} FROM ${given.text} ON CONFLICT DO NOTHING RETURNING "id"`;
    return { ...given, text };
  }
  const names = operation.kind === "update" ? changedNames(operation) : [];
  const given = givenRows(steps, collection, ["id", ...names]);
  const sets = names.map((name) => `${quoted(name)} = "given".${quoted(name)}`).join(", ");
  const text =
    operation.kind === "update"
      ? `UPDATE ${table} AS "row" SET ${sets} FROM ${given.text} WHERE "row"."id" = "given"."id" RETURNING "row"."id"`
      : `DELETE FROM ${table} AS "row" USING ${given.text} WHERE "row"."id" = "given"."id" RETURNING "row"."id"`;
  return { ...given, text };
}

/** The values of some columns after the steps. */
function givenRows(steps: readonly Step[], collection: CollectionName, names: readonly string[]): Statement {
  const rows = steps.map(({ operation, row }) => {
    if (row === null) return { id: rowIdOf(operation) };
    return Object.fromEntries(names.map((name) => [name, storedValue(collection, row, name)]));
  });
  return givenSql(collection, names, rows);
}

/** Values of some columns, `data` among them, as a table of the name `given`. */
export function givenSql(
  collection: CollectionName,
  names: readonly string[],
  rows: readonly Readonly<Record<string, ColumnValue>>[],
): Statement {
  const { columns } = schemaOf(collection);
  const types = names.map((name) => `${quoted(name)} ${columns[name] === "integer" ? "bigint" : "text"}`);
  return {
    text: `json_to_recordset(?::text::json) AS "given" (${types.join(", ")})`,
    values: [JSON.stringify(rows)],
  };
}
