import { Client, Pool } from "pg";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../../src/ports/clock.ts";
import { type PostgresClient, postgresMigrationSql, postgresStorage } from "../../../src/storage/postgres/index.ts";
import { collections } from "../../../src/storage/schema.ts";
import { findSql } from "../../../src/storage/sql/find.ts";
import { indexName, nextDueSql, postgresDialect } from "../../../src/storage/sql/sql.ts";
import { numbered } from "../../../src/storage/sql/statement.ts";
import type { FindQuery, Operation, Storage, Where } from "../../../src/storage/storage.ts";
import { storageContract } from "../../../src/testing/storage.ts";
import { spiedPool, startPostgres } from "../../support/postgres.ts";
import { shareOf } from "../../support/share.ts";

const server = await startPostgres();
const url = typeof server === "string" ? "" : server.url;
const skipped = typeof server === "string" ? ` (skipped: ${server})` : "";

afterAll(async () => {
  if (typeof server !== "string") await server.remove();
});

const insertPost: Operation = { kind: "insert", collection: "posts", row: { id: "post_1" } };

/** Each client that a host may use, with a function that ends it. */
const clients: readonly { name: string; prefix: string; open(): Promise<[PostgresClient, () => Promise<unknown>]> }[] =
  [
    {
      name: "a Pool of pg",
      prefix: "pool_",
      async open() {
        const pool = new Pool({ connectionString: url, max: 6 });
        return [pool, () => pool.end()];
      },
    },
    {
      name: "postgres",
      prefix: "sql_",
      async open() {
        const sql = postgres(url, { max: 6 });
        return [sql, () => sql.end()];
      },
    },
    {
      name: "a Client of pg",
      prefix: "client_",
      async open() {
        const client = new Client({ connectionString: url });
        await client.connect();
        return [client, () => client.end()];
      },
    },
  ];

// The first is the most common one.
for (const { name, prefix, open } of [...clients.slice(0, 1), ...shareOf(clients.slice(1), 2)]) {
  describe.skipIf(skipped !== "")(`postgres, ${name}${skipped}`, () => {
    const ends: (() => Promise<unknown>)[] = [];
    let pair: [PostgresClient, PostgresClient];
    beforeAll(async () => {
      const [one, endOne] = await open();
      const [other, endOther] = await open();
      pair = [one, other];
      ends.push(endOne, endOther);
    });
    afterAll(() => Promise.all(ends.map((end) => end())));

    storageContract({
      name,
      async create() {
        const [client, second] = pair;
        const storage = postgresStorage(client, { tablePrefix: prefix });
        await storage.migrate();
        await emptyTables(prefix);
        return { storage, another: async () => postgresStorage(second, { tablePrefix: prefix }) };
      },
    });
  });
}

describe.skipIf(skipped !== "")(`postgres${skipped}`, () => {
  const prefixes: string[] = [];

  /** A prefix for one test, whose tables are dropped after it. */
  function freshPrefix(): string {
    const prefix = `fresh_${prefixes.length}_`;
    prefixes.push(prefix);
    return prefix;
  }

  async function migrated(client: PostgresClient, tablePrefix: string): Promise<Storage> {
    const storage = postgresStorage(client, { tablePrefix });
    await storage.migrate();
    return storage;
  }

  async function count(sql: string, client: Pool = admin): Promise<number> {
    const { rows } = await client.query(`SELECT count(*)::int AS count FROM ${sql}`);
    return rows[0].count;
  }

  it("applies each migration once when six migrate concurrently", async () => {
    const prefix = freshPrefix();
    const pools = Array.from({ length: 6 }, () => new Pool({ connectionString: url, max: 1 }));
    const spies = pools.map(spiedPool);
    await Promise.all(spies.map(({ pool }) => migrated(pool, prefix)));
    const applied = spies.map(({ texts }) => texts.filter((text) => text.startsWith("INSERT INTO")).length);
    expect(applied.sort()).toEqual([0, 0, 0, 0, 0, await count(`"${prefix}migrations"`)]);
    expect(await count(`"${prefix}migrations"`)).toBe(3);
    await Promise.all(pools.map((pool) => pool.end()));
  });

  it("finds nothing to do after the exported SQL has run, even twice, and then needs no right to create", async () => {
    const prefix = freshPrefix();
    await admin.query(postgresMigrationSql(prefix));
    await admin.query(postgresMigrationSql(prefix));
    await admin.query(
      `CREATE ROLE guest LOGIN PASSWORD 'guest'; GRANT ALL ON ALL TABLES IN SCHEMA public TO guest; REVOKE CREATE ON SCHEMA public FROM PUBLIC`,
    );
    const guest = new Pool({ connectionString: url.replace("postgres:password", "guest:guest"), max: 1 });
    const storage = await migrated(guest, prefix);
    await storage.write([insertPost]);
    expect(await storage.get("posts", "post_1")).toMatchObject({ id: "post_1" });
    await guest.end();
  });

  it("names the missing tables where it may not create them", async () => {
    const guest = new Pool({ connectionString: url.replace("postgres:password", "guest:guest"), max: 1 });
    await expect(migrated(guest, freshPrefix())).rejects.toThrow("permission denied for schema public");
    await guest.end();
  });

  it("separates stores with different table prefixes", async () => {
    const [one, other] = [await migrated(admin, freshPrefix()), await migrated(admin, freshPrefix())];
    await one.write([insertPost]);
    expect(await other.get("posts", "post_1")).toBeNull();
  });

  it.each(['x"; DROP TABLE posts; --', "x".repeat(33)])("rejects the table prefix %s", (tablePrefix) => {
    expect(() => postgresStorage(admin, { tablePrefix })).toThrow("tablePrefix: Must be letters");
    expect(() => postgresMigrationSql(tablePrefix)).toThrow("tablePrefix: Must be letters");
  });

  it("names every unique in its conflicts under the longest prefix, though names of indexes are truncated", async () => {
    const prefix = "l".repeat(32);
    prefixes.push(prefix);
    const names = Object.entries(collections).flatMap(([collection, { uniques, indexes }]) =>
      [...uniques, ...indexes].map((columns) => indexName(postgresDialect, prefix, collection, columns)),
    );
    expect(new Set(names).size).toBe(names.length);
    const storage = await migrated(admin, prefix);
    const unique = { network: "x", external_account_id: "e", network_post_id: "1" };
    await storage.write([
      { kind: "insert", collection: "publications", row: { id: "a", ...unique } },
      { kind: "insert", collection: "publications", row: { id: "b", ...unique, network_post_id: "2" } },
    ]);
    await expect(
      storage.write([{ kind: "update", collection: "publications", id: "b", change: unique, where: {} }]),
    ).rejects.toMatchObject({ reason: "unique", unique: Object.keys(unique) });
  });

  it("rejects an object that is not a client", () => {
    expect(() => postgresStorage({} as PostgresClient)).toThrow(
      "Must be a pool: const pool = new Pool({ connectionString })",
    );
  });

  it("rejects a client that renames columns", async () => {
    const storage = await migrated(admin, freshPrefix());
    await storage.write([insertPost]);
    const sql = postgres(url, { max: 1, transform: postgres.camel });
    const renaming = postgresStorage(sql, { tablePrefix: prefixes.at(-1) ?? "" });
    await expect(renaming.get("posts", "post_1")).rejects.toThrow('"account_id". If it renames columns (`transform`)');
    await sql.end();
  });

  it("accepts 64-bit integers as the host's client reads them", async () => {
    const prefix = freshPrefix();
    const sql = postgres(url, { max: 1, types: { bigint: postgres.BigInt } });
    const storage = await migrated(sql, prefix);
    const row = { id: "post_1", version: Number.MAX_SAFE_INTEGER };
    await storage.write([{ kind: "insert", collection: "posts", row }]);
    expect(await storage.get("posts", "post_1")).toMatchObject(row);
    await sql.end();
  });

  it("does not ask Postgres for ids that it cannot store", async () => {
    const storage = await migrated(admin, freshPrefix());
    expect(await storage.get("posts", "a\0b")).toBeNull();
    const check: Operation = { kind: "check", collection: "posts", id: "a\0b", where: {} };
    await expect(storage.write([check])).rejects.toMatchObject({ reason: "missing" });
  });

  it("sends one message for a write, whatever it changes, and four where it deletes", async () => {
    const spy = spiedPool(admin);
    const storage = await migrated(spy.pool, freshPrefix());
    const row = { id: "p", post_id: "p", profile_id: "p" };
    spy.texts.length = 0;
    await storage.write([
      { kind: "insert", collection: "posts", row },
      { kind: "insert", collection: "profiles", row },
      { kind: "insert", collection: "targets", row },
    ]);
    expect(spy.texts.map((text) => text.split(" ")[0])).toEqual(["WITH"]);
    spy.texts.length = 0;
    const update = { kind: "update", id: "p", change: { text: "x" }, where: {} } as const;
    const operations: Operation[] = [
      { kind: "check", collection: "profiles", id: "p", where: {} },
      { ...update, collection: "posts" },
      { ...update, collection: "targets" },
      { kind: "insert", collection: "publications", row: { id: "p" } },
      { kind: "insert", collection: "deliveries", row: { id: "p" } },
    ];
    await storage.write(operations);
    expect(spy.texts.map((text) => text.split(" ")[0])).toEqual(["WITH"]);
    spy.texts.length = 0;
    await storage.write(operations.slice(0, 3).concat({ kind: "delete", collection: "publications", id: "p" }));
    expect(spy.texts.map((text) => text.split(" ")[0])).toEqual(["BEGIN", "SELECT", "WITH", "COMMIT"]);
  });

  it.each(["forgotten", "given to others"])(
    "runs its statements without names once a pooler has %s them",
    async (loss) => {
      const pools = [1, 2].map(() => new Pool({ connectionString: url, max: 1 })) as [Pool, Pool];
      const tablePrefix = freshPrefix();
      const [before, behind] = pools.map((pool) => postgresStorage(pool, { tablePrefix })) as [Storage, Storage];
      const run = async (storage: Storage, text: string): Promise<void> => {
        await storage.write([{ kind: "update", collection: "posts", id: "post_1", change: { text }, where: {} }]);
        expect(await storage.get("posts", "post_1")).toMatchObject({ text });
      };
      await before.migrate();
      await before.write([insertPost]);
      await run(before, "first");
      const { rows } = await pools[0].query<{ name: string }>("SELECT name FROM pg_prepared_statements");
      expect(rows.length).toBeGreaterThan(2);
      const [pool, storage] = loss === "forgotten" ? [pools[0], before] : [pools[1], behind];
      if (loss === "forgotten") await pool.query("DEALLOCATE ALL");
      else for (const { name } of rows) await pool.query(`PREPARE ${name} AS SELECT 1`);
      await run(storage, "second");
      await run(storage, "third");
      const { rowCount } = await pool.query("SELECT FROM pg_prepared_statements WHERE NOT from_sql");
      expect(rowCount).toBe(0);
      await Promise.all(pools.map((each) => each.end()));
    },
  );

  it("runs operations that depend on each other as separate statements, in order", async () => {
    const spy = spiedPool(admin);
    const storage = await migrated(spy.pool, freshPrefix());
    const row = { id: "a", account_id: "acct", idempotency_key: "k" };
    await storage.write([{ kind: "insert", collection: "posts", row }]);
    spy.texts.length = 0;
    await storage.write([
      { kind: "update", collection: "posts", id: "a", change: { text: "x" }, where: {} },
      { kind: "delete", collection: "posts", id: "a" },
      { kind: "insert", collection: "posts", row: { ...row, id: "b" } },
    ]);
    expect(spy.texts.map((text) => text.split(" ")[0])).toEqual([
      "BEGIN",
      "SELECT",
      "UPDATE",
      "DELETE",
      "INSERT",
      "COMMIT",
    ]);
  });

  it("waits for the disk at every write and claim, whatever the host's default, but not for counters", async () => {
    const prefix = freshPrefix();
    await migrated(admin, prefix);
    await admin.query(`
      CREATE TABLE seen (setting TEXT);
      CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN INSERT INTO seen VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER see AFTER INSERT OR UPDATE ON "${prefix}profiles"
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION see()`);
    const pool = new Pool({ connectionString: url, max: 1, options: "-c synchronous_commit=off" });
    const storage = postgresStorage(pool, { tablePrefix: prefix });
    await storage.write([{ kind: "insert", collection: "profiles", row: { id: "p", due_at: 1 } }]);
    await storage.claim("profiles", { now: 1, leaseUntil: 2, limit: 1 });
    await pool.query(`UPDATE "${prefix}profiles" SET "due_at" = 1`);
    const { rows } = await admin.query("SELECT setting FROM seen");
    // At their commit; the last is the host's own.
    expect(rows).toEqual([{ setting: "on" }, { setting: "on" }, { setting: "off" }]);
    const counters = `pg_class WHERE relname = '${prefix}counters' AND relpersistence = 'u'`;
    expect(await count(counters)).toBe(1);
    await pool.end();
  });

  it("returns the server's time in milliseconds", async () => {
    const storage = postgresStorage(admin);
    const { rows } = await admin.query("SELECT clock_timestamp() AS now");
    const now = await storage.now();
    expect(Number.isSafeInteger(now)).toBe(true);
    expect(now - rows[0].now.getTime()).toBeLessThan(5_000);
    expect(now).toBeGreaterThanOrEqual(rows[0].now.getTime());
  });

  it("deletes expired records of writes and counters", async () => {
    const prefix = freshPrefix();
    await migrated(admin, prefix);
    const clock = { ...systemClock, monotonic: () => passedMs };
    let passedMs = 0;
    const storage = postgresStorage(admin, { tablePrefix: prefix, clock });
    await storage.write([insertPost]);
    await storage.increment({ key: "old", by: 1, now: 1, expiresAt: 5 });
    await admin.query(`UPDATE "${prefix}writes" SET written_at = written_at - interval '11 minutes'`);
    const write: Operation = { kind: "delete", collection: "posts", id: "post_1" };
    await storage.write([write]);
    expect(await count(`"${prefix}writes"`)).toBe(2);
    passedMs = 60_000;
    await storage.write([write]);
    await storage.increment({ key: "new", by: 1, now: 5, expiresAt: 9 });
    expect([await count(`"${prefix}writes"`), await count(`"${prefix}counters"`)]).toEqual([2, 1]);
  });

  it.each<{ title: string; where: Where; some?: FindQuery["some"] }>([
    { title: "an account's posts", where: { account_id: "acct" } },
    { title: "its posts of a status", where: { account_id: "acct", status: "failed" } },
    {
      title: "its posts on networks",
      where: { account_id: "acct", status: "failed" },
      some: { targets: { network: { in: ["bluesky", "mastodon"] } } },
    },
  ])("reads a page of $title from an index, in order", async ({ where, some }) => {
    const prefix = freshPrefix();
    await migrated(admin, prefix);
    const { text, values } = findSql(prefix, "posts", { where, ...(some && { some }), limit: 20 }, postgresDialect);
    const client = await admin.connect();
    await client.query("BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off");
    const { rows } = await client.query(`EXPLAIN ${numbered(text)}`, values);
    await client.query("ROLLBACK");
    client.release();
    const plan = rows.map((row) => row["QUERY PLAN"]);
    const read = some === undefined ? "posts_account_id_" : "targets_account_id_network_";
    const inOrder = new RegExp(`^ *(?:->)? *Index (?:Only )?Scan Backward using ${prefix}${read}`);
    const reads = plan.flatMap((line, place) => (inOrder.test(line) ? [place] : []));
    expect(reads).toHaveLength(some === undefined ? 1 : 2);
    // The rows of the index are not sorted once more, and read only as far as the page reaches.
    for (const place of reads) {
      expect(plan.slice(0, place).findLast((line) => !/Unique|Result/.test(line))).toContain("Limit");
    }
  });

  it("writes waiting operations in one batch, and reports each conflict separately", async () => {
    const prefix = freshPrefix();
    await migrated(admin, prefix);
    const spy = spiedPool(admin);
    const storage = postgresStorage(spy.pool, { tablePrefix: prefix });
    const ids = Array.from({ length: 60 }, (_, number) => `post_${number}`);
    const inserts = ids.map((id): Operation => ({ kind: "insert", collection: "posts", row: { id, version: 1 } }));
    await Promise.all(inserts.map((insert) => storage.write([insert])));
    expect(spy.texts.length).toBeLessThan(ids.length / 3);
    const update = (id: string, number: number): Promise<void> => {
      const where = { version: number % 20 === 7 ? 5 : 1 };
      return storage.write([{ kind: "update", collection: "posts", id, change: { version: 2 }, where }]);
    };
    const ends = await Promise.allSettled(ids.map(update));
    const refused = ends.flatMap((end, number) => (end.status === "rejected" ? [[number, end.reason.reason]] : []));
    expect(refused).toEqual([7, 27, 47].map((number) => [number, "where"]));
    // None needs a transaction, which takes four messages: a write of one condition is refused by the statement itself.
    expect(spy.texts.filter((text) => text.startsWith("BEGIN"))).toEqual([]);
  });

  it("reads waiting queries in one batch", async () => {
    const prefix = freshPrefix();
    await migrated(admin, prefix);
    const spy = spiedPool(admin);
    const storage = postgresStorage(spy.pool, { tablePrefix: prefix });
    const numbers = Array.from({ length: 60 }, (_, number) => number);
    await Promise.all(numbers.map((number) => storage.get("posts", `post_${number}`)));
    const where = (number: number): Where => ({ account_id: `acct_${number}` });
    await Promise.all(numbers.map((number) => storage.find("posts", { where: where(number), limit: 3 })));
    // Of each kind two separately, then twenty at a time.
    expect(spy.texts).toHaveLength(10);
  });

  it("reads the next due time of each collection from an index, one row of each", async () => {
    const prefix = freshPrefix();
    await migrated(admin, prefix);
    const { text, values } = nextDueSql(prefix, postgresDialect)(1);
    const client = await admin.connect();
    await client.query("BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off");
    const { rows } = await client.query(`EXPLAIN (COSTS OFF) ${numbered(text)}`, values);
    await client.query("ROLLBACK");
    client.release();
    const steps = rows.map((row) => String(row["QUERY PLAN"]).replace(/^[ >-]*| using .*/g, ""));
    const read = ["Limit", "Index Only Scan", expect.stringMatching(/^Index Cond: .*due_at <= /)];
    const claims = ["Limit", "Index Only Scan Backward", expect.stringMatching(/^Index Cond: .*due_at < /)];
    // Their order does not matter.
    const reads = steps.slice(1).filter((step) => !/^(Sort|Append|Merge Append|Subquery Scan)/.test(step));
    expect(reads).toEqual([...read, ...read, ...read, ...read, ...claims]);
  });

  it("claims in the order of an index, without sorting, though many rows are due at one moment", async () => {
    const prefix = freshPrefix();
    await migrated(admin, prefix);
    const spy = spiedPool(admin);
    await postgresStorage(spy.pool, { tablePrefix: prefix }).claim("profiles", { now: 1, leaseUntil: 2, limit: 1 });
    const client = await admin.connect();
    await client.query("BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off");
    const { rows } = await client.query(`EXPLAIN ${spy.texts.at(-1)}`, [1, 1, 1, 2, 2]);
    await client.query("ROLLBACK");
    client.release();
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).toContain(`Index Scan using ${prefix}profiles_due_at_id`);
    expect(plan).not.toContain("Sort");
  });

  it("rejects every call after it was closed, and leaves the client open", async () => {
    const storage = postgresStorage(admin);
    await storage.close();
    await storage.close();
    await expect(storage.now()).rejects.toThrow("The storage on Postgres is closed.");
    expect(await count("pg_class WHERE false")).toBe(0);
  });
});

const admin = new Pool({ connectionString: url, max: 2 });
// As the documentation requires of a host.
admin.on("error", () => {});
afterAll(() => admin.end());

async function emptyTables(prefix: string): Promise<void> {
  const tables = [...Object.keys(collections), "counters"];
  await admin.query(tables.map((table) => `DELETE FROM "${prefix}${table}"`).join("; "));
}
