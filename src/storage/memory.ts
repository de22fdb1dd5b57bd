import * as z from "zod";
import { type Clock, systemClock } from "../ports/clock.ts";
import { checkOptions, clockOption } from "../ports/parse-options.ts";
import { changedRow, checkOperation, checkQuery, copyJson, copyRow, normalizeRow, orderOf } from "./columns.ts";
import { isBehind, matcher, sortRows } from "./match.ts";
import { createTable, type Table } from "./memory-table.ts";
import { type CollectionName, sweptRows, targetsPointBy } from "./schema.ts";
import {
  type FindQuery,
  type Operation,
  type Row,
  rowIdOf,
  type Storage,
  StorageConflict,
  type Where,
} from "./storage.ts";

const optionsSchema = z.strictObject({ clock: clockOption.optional() });

/**
 * A storage in this process's memory, for tests, simulations and first experiments. All data are lost when the process
 * exits. It is also the readable reference of every storage's behaviour.
 *
 * @param options.clock the clock of `now()`. Default: the machine's
 */
export function memoryStorage(options: { clock?: Clock } = {}): Storage {
  checkOptions("memoryStorage", optionsSchema, options);
  const { clock = systemClock } = options;
  const tables = new Map<CollectionName, Table>();
  const counters = new Map<string, { value: number; expiresAt: number }>();

  function tableOf(collection: CollectionName): Table {
    const table = tables.get(collection) ?? createTable(collection);
    tables.set(collection, table);
    return table;
  }

  function matching(collection: CollectionName, { where, some }: FindQuery): Row[] {
    const rows = tableOf(collection).candidates(where).filter(matcher(where));
    if (some === undefined) return rows;
    const targets = matching("targets", { where: some.targets });
    const pointedAt = new Set(targets.map((target) => target[targetsPointBy]));
    return rows.filter((row) => pointedAt.has(row.id));
  }

  return {
    isVolatile: true,
    async migrate() {},

    async now() {
      return clock.now();
    },

    async get(collection, id) {
      const row = tableOf(collection).get(id);
      return row === undefined ? null : copyRow(row);
    },

    async find(collection, query) {
      checkQuery(collection, query);
      const { limit = Infinity, offset = 0 } = query;
      const order = orderOf(query);
      const found = sortRows(matching(collection, query).filter(isBehind(query.after, order)), order);
      const rows = found.slice(offset, offset + limit).map(copyRow);
      return { rows, total: query.isCounted === false ? rows.length : found.length };
    },

    async write(operations) {
      operations.forEach(checkOperation);
      const before: [table: Table, id: string, row: Row | undefined][] = [];
      try {
        for (const [index, operation] of copyJson(operations).entries()) {
          const table = tableOf(operation.collection);
          const id = rowIdOf(operation);
          before.push([table, id, table.get(id)]);
          apply(table, operation, index);
        }
      } catch (error) {
        for (const [table, id, row] of before.reverse()) table.put(id, row);
        throw error;
      }
    },

    async claim(collection, { now, leaseUntil, limit, id, exceptAccounts = [] }) {
      const table = tableOf(collection);
      const where: Where = {
        ...(id === undefined ? {} : { id }),
        due_at: { lte: now },
        account_id: { not_in: exceptAccounts },
      };
      const due = table
        .candidates(where)
        .filter(matcher(where))
        .filter((row) => Number(row.lease_until ?? now) <= now);
      const claimed = sortRows(due, { column: "due_at", direction: "asc" })
        .slice(0, limit)
        .map((row) => ({
          ...row,
          due_at: leaseUntil,
          lease_until: leaseUntil,
          epoch: Number(row.epoch ?? 0) + 1,
        }));
      for (const row of claimed) table.put(row.id, row);
      return claimed.map(copyRow);
    },

    async claimPosts({ now, leaseUntil, limit, exceptAccounts = [] }) {
      const table = tableOf("posts");
      const where: Where = { status: "scheduled", due_at: { lte: now }, account_id: { not_in: exceptAccounts } };
      const isTaken = matcher({ due_at: { gte: -leaseUntil, lt: -now } });
      const due = table.candidates(where).filter((row) => matcher(where)(row) && !isTaken(row));
      const claimed = sortRows(due, { column: "due_at", direction: "asc" })
        .slice(0, limit)
        .map((row) => ({ ...row, due_at: -leaseUntil }));
      for (const row of claimed) table.put(row.id, row);
      return claimed.map(copyRow);
    },

    async nextDueAt(until) {
      const swept = sweptRows.flatMap(({ collection, where }) =>
        matching(collection, { where: { ...where, due_at: { lte: until } } }),
      );
      const next = Math.min(...swept.map(({ due_at }) => Math.abs(Number(due_at))));
      return next <= until ? next : null;
    },

    async increment({ key, by, now, expiresAt }) {
      for (const [other, counter] of counters) {
        if (counter.expiresAt <= now) counters.delete(other);
      }
      const counter = counters.get(key) ?? { value: 0, expiresAt };
      counters.set(key, { ...counter, value: counter.value + by });
      return counter.value + by;
    },

    async close() {},
  };
}

/** @throws StorageConflict if the operation cannot be applied; `table` is then unchanged */
function apply(table: Table, operation: Operation, index: number): void {
  if (operation.kind === "delete") {
    table.put(operation.id, undefined);
    return;
  }
  if (operation.kind === "insert") {
    if (table.get(operation.row.id) !== undefined) throw new StorageConflict(index, operation, "exists");
    putUnique(table, normalizeRow(operation.collection, operation.row), operation, index);
    return;
  }
  const row = table.get(operation.id);
  if (row === undefined) throw new StorageConflict(index, operation, "missing");
  if (!matcher(operation.where)(row)) throw new StorageConflict(index, operation, "where");
  if (operation.kind === "update") putUnique(table, changedRow(row, operation), operation, index);
}

function putUnique(table: Table, row: Row, operation: Operation, index: number): void {
  const unique = table.takenUnique(row);
  if (unique !== undefined) throw new StorageConflict(index, operation, "unique", unique);
  table.put(row.id, row);
}
