import { Pool } from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { withoutColumns } from "../../../src/storage/columns.ts";
import { memoryStorage } from "../../../src/storage/memory.ts";
import { postgresStorage } from "../../../src/storage/postgres/index.ts";
import { singleStatement, singleWrite } from "../../../src/storage/postgres/single.ts";
import { type Operation, type Row, type Storage, StorageConflict, type Where } from "../../../src/storage/storage.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import { type Random, seededRandom } from "../../prove/random.ts";
import { startPostgres } from "../../support/postgres.ts";
import { shareOf } from "../../support/share.ts";

/**
 * A write on Postgres is a few statements, each of which runs many operations. Its result must be
 * the result of one operation after the other, as in the memory storage.
 */
const server = await startPostgres();
const skipped = typeof server === "string" ? ` (skipped: ${server})` : "";
const pool = new Pool(typeof server === "string" ? {} : { connectionString: server.url });

afterAll(async () => {
  await pool.end();
  if (typeof server !== "string") await server.remove();
});

const collections = ["posts", "messages"] as const;
const ids = Array.from({ length: 60 }, (_, number) => `row_${number}`);
const texts = ["plain", 'a "quote" and \\', "ä\u2028 😀", "?", "$1", "", "null"];
const writesOfEach = 40;

/** How the operations of one write are made. Sloppy: some of them cannot succeed. */
interface Manner {
  random: Random;
  isSloppy: boolean;
}

function fieldsOf({ random, isSloppy }: Manner, id: string): JsonObject {
  const choices: [name: string, value: () => JsonObject[string]][] = [
    ["account_id", () => random.of(["one", "two", null])],
    ["status", () => random.of(texts)],
    ["idempotency_key", () => (isSloppy ? `key ${random.between(1, 200)}` : random.of([null, `key of ${id}`]))],
    ["due_at", () => random.of([null, 0, -1, Number.MAX_SAFE_INTEGER])],
    ["text", () => random.of([...texts, null, "\0", "\ud800"])],
    ["nested", () => ({ list: [random.between(0, 3), random.of(texts)], deep: { none: null, "a.b": true } })],
    ["__proto__", () => "a field like any other"],
  ];
  const given = choices.filter(() => random.next() < 0.4).map(([name, value]) => [name, value()] as const);
  return Object.fromEntries(given);
}

function operationOf(manner: Manner, held: ReadonlyMap<string, ReadonlySet<string>>): Operation {
  const { random, isSloppy } = manner;
  const collection = random.of(collections);
  const id = random.of(ids);
  const isThere = held.get(collection)?.has(id) === true;
  const isWrong = isSloppy && random.next() < 0.04;
  if (isThere === isWrong) return { kind: "insert", collection, row: { ...fieldsOf(manner, id), id } };
  const kind = random.of(["update", "update", "update", "delete", "check"] as const);
  if (kind === "delete") return { kind, collection, id };
  const where: Where = isWrong ? { account_id: "three" } : {};
  return kind === "check"
    ? { kind, collection, id, where }
    : { kind, collection, id, where, change: fieldsOf(manner, id) };
}

/** @param known the ids of the existing rows */
function writeOf(random: Random, known: ReadonlyMap<string, ReadonlySet<string>>): Operation[] {
  const manner = { random, isSloppy: random.next() < 0.5 };
  const held = new Map([...known].map(([collection, rows]) => [collection, new Set(rows)]));
  return Array.from({ length: random.of([1, 5, 30, 120]) }, () => {
    const operation = operationOf(manner, held);
    if (operation.kind === "insert") held.get(operation.collection)?.add(operation.row.id);
    if (operation.kind === "delete") held.get(operation.collection)?.delete(operation.id);
    return operation;
  });
}

/** Each row once, none deleted, and the same column in each condition: fit for one statement. */
function apartWriteOf(random: Random, known: ReadonlyMap<string, ReadonlyMap<string, Row>>): Operation[] {
  const manner = { random, isSloppy: random.next() < 0.3 };
  const wrong = random.next() < 0.3 ? random.between(0, 39) : -1;
  return shuffled(random, ids)
    .slice(0, 40)
    .map((id, place): Operation => {
      const collection = random.of(collections);
      const row = known.get(collection)?.get(id);
      if (row === undefined) return { kind: "insert", collection, row: { ...fieldsOf(manner, id), id, seen: 1 } };
      const where = place === wrong ? { created_at: "never" } : { created_at: String(row.created_at) };
      if (random.next() < 0.2) return { kind: "check", collection, id, where };
      const fields: JsonObject = random.of([
        { status: random.of(texts) },
        { nested: [place] },
        fieldsOf(manner, id),
        {},
      ]);
      const isComplete = random.next() < 0.4;
      const change = withoutUniques({ ...(isComplete && withoutColumns(collection, row)), ...fields });
      return { kind: "update", collection, id, where, change, isComplete };
    });
}

function shuffled<Item>(random: Random, items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, at: random.next() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}

function withoutUniques({ account_id, idempotency_key, ...others }: JsonObject): JsonObject {
  return others;
}

async function outcomeOf(storage: Storage, operations: readonly Operation[]): Promise<unknown> {
  try {
    await storage.write(operations);
    return "applied";
  } catch (error) {
    if (!(error instanceof StorageConflict)) throw error;
    return { index: error.index, reason: error.reason, unique: error.unique };
  }
}

/** All rows as text; the order of a row's fields depends on the storage. */
async function contentsOf(storage: Storage): Promise<string[]> {
  const found = await Promise.all(
    collections.map((collection) =>
      storage.find(collection, { where: {}, order: { column: "id", direction: "asc" }, isCounted: false }),
    ),
  );
  return found.flatMap(({ rows }) => rows.map((row) => JSON.stringify(Object.entries(row).sort())));
}

it("a statement has the same text however many rows a write has, so the server keeps one plan", () => {
  const textOf = (count: number): string => {
    const operations = ids.slice(0, count).map((id, place): Operation => {
      if (place % 2 === 0) return { kind: "insert", collection: "messages", row: { id, text: `text ${place}` } };
      return { kind: "update", collection: "posts", id, change: { status: "live" }, where: { account_id: "one" } };
    });
    const write = singleWrite(operations, "any_", "an id");
    return write === null ? "none" : singleStatement([write], { settings: ["1"], writesTable: "writes" }).text;
  };
  expect(textOf(30)).toContain("UPDATE");
  expect(textOf(30)).toBe(textOf(60));
});

describe.skipIf(skipped !== "")(`a write of many operations on Postgres${skipped}`, () => {
  it.each(shareOf([1, 2, 3, 4, 5], 2))("equals one operation after the other, seed %i", async (seed) => {
    const random = seededRandom(seed);
    const [wanted, tried] = [memoryStorage(), postgresStorage(pool, { tablePrefix: `alike_${seed}_` })];
    await tried.migrate();
    const ends = new Set<string>();
    for (let count = 0; count < writesOfEach; count++) {
      const known = new Map<string, Set<string>>();
      for (const collection of collections) {
        const { rows } = await wanted.find(collection, { where: {}, isCounted: false });
        known.set(collection, new Set(rows.map(({ id }) => id)));
      }
      const operations = writeOf(random, known);
      const outcome = await outcomeOf(wanted, operations);
      ends.add(operations.length > 100 && outcome === "applied" ? "long" : JSON.stringify(outcome));
      expect(await outcomeOf(tried, operations)).toEqual(outcome);
      expect(await contentsOf(tried)).toEqual(await contentsOf(wanted));
    }
    expect([ends.has("long"), ends.size > 3]).toEqual([true, true]);
  });

  it.each(shareOf([1, 2, 3], 3))(
    "that names each row once equals one operation after the other, seed %i",
    async (seed) => {
      const random = seededRandom(seed);
      const [wanted, tried] = [memoryStorage(), postgresStorage(pool, { tablePrefix: `apart_${seed}_` })];
      await tried.migrate();
      const ends = { applied: 0, refused: 0, single: 0 };
      for (let count = 0; count < writesOfEach; count++) {
        const known = new Map<string, Map<string, Row>>();
        for (const collection of collections) {
          const { rows } = await wanted.find(collection, { where: {}, isCounted: false });
          known.set(collection, new Map(rows.map((row) => [row.id, row])));
        }
        const operations = apartWriteOf(random, known).map((operation) =>
          operation.kind === "insert"
            ? { ...operation, row: { ...operation.row, created_at: `at ${random.between(1, 9)}` } }
            : operation,
        );
        if (singleWrite(operations, "any_", "an id") !== null) ends.single += 1;
        const outcome = await outcomeOf(wanted, operations);
        ends[outcome === "applied" ? "applied" : "refused"] += 1;
        expect(await outcomeOf(tried, operations)).toEqual(outcome);
        expect(await contentsOf(tried)).toEqual(await contentsOf(wanted));
      }
      for (const times of Object.values(ends)) expect(times).toBeGreaterThan(5);
    },
  );

  it("applies complete changes of rows with fields, and of rows without, each to the right row", async () => {
    const [wanted, tried] = [memoryStorage(), postgresStorage(pool, { tablePrefix: "complete_" })];
    await tried.migrate();
    const rows = ids.slice(0, 30).map((id, place): Row => ({ id, ...(place % 2 === 1 && { text: "old" }) }));
    const inserts = rows.map((row): Operation => ({ kind: "insert", collection: "posts", row }));
    const updates = rows.map(({ id, text }): Operation => {
      const change = { status: "live", ...(text !== undefined && { text: "new" }) };
      return { kind: "update", collection: "posts", id, change, where: {}, isComplete: true };
    });
    for (const operations of [inserts, updates]) {
      expect(singleWrite(operations, "any_", "an id")).not.toBeNull();
      await Promise.all([wanted.write(operations), tried.write(operations)]);
      expect(await contentsOf(tried)).toEqual(await contentsOf(wanted));
    }
  });

  it("locks its rows in one order, whatever the order of the write, so that no two deadlock", async () => {
    // Plans that read rows in the order of the write, and a server that detects deadlocks immediately.
    const settings = ["enable_hashjoin=off", "enable_mergejoin=off", "enable_seqscan=off", "deadlock_timeout=5ms"];
    const options = settings.map((setting) => `-c ${setting}`).join(" ");
    const planned = new Pool({ connectionString: pool.options.connectionString, options });
    const storages = [1, 2, 3, 4, 5, 6].map(() => postgresStorage(planned, { tablePrefix: "order_" }));
    await storages[0]?.migrate();
    await storages[0]?.write(ids.map((id): Operation => ({ kind: "insert", collection: "posts", row: { id } })));
    for (let round = 0; round < 40; round++) {
      const updates = ids.map((id): Operation => {
        return { kind: "update", collection: "posts", id, change: { status: `round ${round}` }, where: {} };
      });
      await Promise.all(
        storages.map((storage, place) => storage.write(place % 2 === 0 ? updates : [...updates].reverse())),
      );
    }
    const { rows } = await pool.query("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()");
    expect(Number(rows[0]?.deadlocks)).toBe(0);
    await planned.end();
  });
});
