import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { Clock } from "../../../src/ports/clock.ts";
import { postStatuses } from "../../../src/publishing/schema.ts";
import type { CollectionName } from "../../../src/storage/schema.ts";
import { countSql, findSql } from "../../../src/storage/sql/find.ts";
import { nextDueSql, type Statement } from "../../../src/storage/sql/sql.ts";
import { openSqlite } from "../../../src/storage/sqlite/driver.ts";
import {
  type SqliteHandle,
  type SqliteStorageOptions,
  sqliteMigrationSql,
  sqliteStorage,
} from "../../../src/storage/sqlite/index.ts";
import type { FindQuery, Operation, Storage, Where } from "../../../src/storage/storage.ts";
import { storageContract } from "../../../src/testing/storage.ts";
import { buildProgram } from "../../support/built-programs.ts";

const insertPost: Operation = { kind: "insert", collection: "posts", row: { id: "post_1" } };

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "postrider-sqlite-"));
  file = join(folder, "social.db");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

storageContract({
  name: "sqlite, a file name",
  create: () => ({ storage: sqliteStorage(file), another: async () => sqliteStorage(file), bytes }),
});

/** The database, its log, and the log's index. */
function bytes(): Buffer {
  const names = ["", "-wal", "-shm"].map((end) => file + end).filter((name) => existsSync(name));
  return Buffer.concat(names.map((name) => readFileSync(name)));
}

/** Each kind of handle: how it is opened, and whether it is missing here. */
const handles: readonly { name: string; open: () => SqliteHandle; isMissing: boolean }[] = [
  { name: "libsql", open: () => new Database(file), isMissing: false },
  { name: "nothing but prepare and exec", open: () => bareHandle(new Database(file)), isMissing: false },
  { name: "node:sqlite", open: openNodeSqlite, isMissing: !hasNodeSqlite() },
];

for (const { name, open, isMissing } of handles) {
  const title = isMissing ? `sqlite, a handle of ${name} (skipped: this Node has none)` : `sqlite, a handle of ${name}`;
  describe.skipIf(isMissing)(title, () => {
    let handle: SqliteHandle;
    beforeEach(() => {
      handle = open();
    });
    afterEach(() => {
      handle.close?.();
    });

    storageContract({
      name,
      create: () => {
        const second = open();
        return {
          storage: sqliteStorage(handle),
          another: async () => sqliteStorage(second),
          bytes,
          cleanup: () => void second.close?.(),
        };
      },
    });

    it("a handle holds no lock after a read", async () => {
      const storage = sqliteStorage(handle);
      await storage.migrate();
      await storage.write([insertPost, { kind: "insert", collection: "posts", row: { id: "post_2" } }]);
      await storage.get("posts", "post_1");
      await storage.find("posts", { where: {}, limit: 1 });
      await storage.increment({ key: "k", by: 1, now: 0, expiresAt: 1 });
      await storage.nextDueAt(1);
      const other = open();
      // The log cannot be emptied while a reader uses it.
      expect({ ...(other.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all()[0] as object) }).toMatchObject({
        busy: 0,
        log: 0,
      });
      other.close?.();
    });

    it("the storage refuses to write into a foreign transaction, and writes when that has ended", async () => {
      const storage = sqliteStorage(handle);
      await storage.migrate();
      handle.exec("BEGIN");
      const claim = { now: 1, leaseUntil: 2, limit: 1 };
      for (const call of [
        () => storage.write([insertPost]),
        () => storage.claim("profiles", claim),
        () => storage.increment({ key: "k", by: 1, now: 1, expiresAt: 2 }),
        () => storage.migrate(),
      ]) {
        await expect(call()).rejects.toThrow("A transaction of other code is open on the given handle.");
      }
      handle.exec("ROLLBACK");
      await storage.write([insertPost]);
      expect(await storage.get("posts", "post_1")).toMatchObject({ id: "post_1" });
    });

    it("the storage refuses to begin on a handle that is in a transaction already", async () => {
      handle.exec("PRAGMA journal_mode = WAL; BEGIN; SELECT 1");
      await expect(sqliteStorage(handle).migrate()).rejects.toThrow("A transaction of other code is open");
      handle.exec("COMMIT");
    });

    it("the storage wipes deleted data as soon as no reader uses it, and reports the rest until then", async () => {
      const clock = countingClock({ onSleep: (sleeps) => sleeps === 60 && reader.exec("COMMIT") });
      const storage = sqliteStorage(handle, { clock });
      await storage.migrate();
      await storage.write([{ kind: "insert", collection: "posts", row: { id: "post_1", text: "words to be erased" } }]);
      const reader = open();
      reader.exec("BEGIN");
      reader.prepare('SELECT COUNT(*) FROM "postrider_posts"').get();
      await storage.write([{ kind: "delete", collection: "posts", id: "post_1" }]);
      expect(await storage.wipeDeleted?.()).toBe(false);
      expect(clock.monotonic()).toBeLessThan(3_000);
      expect(bytes().includes("words to be erased")).toBe(true);
      expect(await storage.wipeDeleted?.()).toBe(true);
      expect(bytes().includes("words to be erased")).toBe(false);
      reader.close?.();
    });

    it("a write waits on the clock while the database is locked, together with later ones, then all are written", async () => {
      const storage = sqliteStorage(handle);
      await storage.migrate();
      const locker = open();
      locker.exec("BEGIN IMMEDIATE");
      const clock = countingClock({ onSleep: (sleeps) => sleeps === 3 && locker.exec("COMMIT") });
      const waiting = sqliteStorage(handle, { clock });
      const ids = ["post_1", "post_2", "post_3"];
      await Promise.all(ids.map((id) => waiting.write([{ kind: "insert", collection: "posts", row: { id } }])));
      expect(clock.waitsMs).toEqual([5, 10, 20]);
      expect((await storage.find("posts", { where: { id: { in: ids } } })).total).toBe(3);
      locker.close?.();
    });

    it("the storage leaves a given handle open", async () => {
      const storage = sqliteStorage(handle);
      await storage.close();
      expect(handle.prepare("SELECT 1 AS one").all()).toMatchObject([{ one: 1 }]);
      await expect(storage.get("posts", "post_1")).rejects.toThrow("The storage on the given handle is closed.");
    });
  });
}

describe("sqlite", () => {
  it("keeps written data when the file is closed and opened again", async () => {
    const before = await migrated(sqliteStorage(file));
    await before.write([insertPost]);
    await before.increment({ key: "k", by: 1, now: 1, expiresAt: 9 });
    await before.close();
    await before.close();
    await expect(before.get("posts", "post_1")).rejects.toThrow(`The storage on "${file}" is closed.`);
    const after = await migrated(sqliteStorage(file));
    expect(await after.get("posts", "post_1")).toMatchObject({ id: "post_1" });
    expect(await after.increment({ key: "k", by: 1, now: 2, expiresAt: 9 })).toBe(2);
    await after.close();
  });

  it("keeps a database in memory only", async () => {
    const storage = await migrated(sqliteStorage(":memory:"));
    await storage.write([insertPost]);
    expect(await storage.get("posts", "post_1")).toMatchObject({ id: "post_1" });
    await storage.close();
  });

  it("uses a write-ahead log, syncs every commit fully, and blocks the event loop for 50 ms at most", async () => {
    const handle = new Database(file);
    await migrated(sqliteStorage(handle));
    const [mode] = handle.prepare("PRAGMA journal_mode").all();
    const [synchronous] = handle.prepare("PRAGMA synchronous").all();
    const [timeout] = handle.prepare("PRAGMA busy_timeout").all() as { timeout: number }[];
    expect([mode, synchronous]).toEqual([{ journal_mode: "wal" }, { synchronous: 2 }]);
    expect(timeout?.timeout).toBeLessThanOrEqual(50);
    handle.close();
  });

  it.each(["read", "write"])("yields to other work between many calls that %s", async (kind) => {
    let busyMs = 0;
    // Each reading of the clock takes 5 ms.
    const clock = { ...countingClock(), monotonic: () => (busyMs += 5) };
    const storage = await migrated(sqliteStorage(":memory:", { clock }));
    const call = (_: unknown, index: number): Promise<unknown> =>
      kind === "read"
        ? storage.get("posts", "post_1")
        : storage.write([{ kind: "insert", collection: "posts", row: { id: `post_${index}` } }]);
    let turns = 0;
    let isOver = false;
    const calls = Promise.all(Array.from({ length: 60 }, call)).then(() => {
      isOver = true;
    });
    for (; !isOver; turns++) await new Promise((resolve) => setImmediate(resolve));
    await calls;
    expect(turns).toBeGreaterThan(20);
    await storage.close();
  });

  it("uses the given clock", async () => {
    const storage = sqliteStorage(":memory:", { clock: countingClock() });
    expect(await storage.now()).toBe(1_790_000_000_000);
    await storage.close();
  });

  it("fails with a clear error when the database stays locked, and writes at the next call", async () => {
    const clock = countingClock({ eachTakesMs: 250 });
    const storage = await migrated(sqliteStorage(file, { clock }));
    const locker = openSqlite(file);
    locker.exec("BEGIN IMMEDIATE");
    const writes = [storage.write([insertPost]), storage.claim("profiles", { now: 1, leaseUntil: 2, limit: 1 })];
    const outcomes = await Promise.allSettled(writes);
    for (const outcome of outcomes) {
      expect(String((outcome as PromiseRejectedResult).reason)).toContain(
        `Another connection has locked "${file}" for 10 s`,
      );
    }
    expect(clock.monotonic()).toBeLessThan(11_000);
    locker.exec("COMMIT");
    await storage.write([insertPost]);
    expect(await storage.get("posts", "post_1")).toMatchObject({ id: "post_1" });
    locker.close?.();
    await storage.close();
  });

  it("reads while another connection writes, and sees only committed data", async () => {
    const clock = countingClock();
    const storage = await migrated(sqliteStorage(file, { clock }));
    await storage.write([insertPost]);
    const writer = openSqlite(file);
    writer.exec(`BEGIN IMMEDIATE; DELETE FROM "postrider_posts"`);
    expect(await storage.get("posts", "post_1")).toMatchObject({ id: "post_1" });
    writer.exec("COMMIT");
    expect(await storage.get("posts", "post_1")).toBeNull();
    expect(clock.waitsMs).toEqual([]);
    writer.close?.();
    await storage.close();
  });

  it("gives each row to one of two processes that claim from one file", async () => {
    const storage = await migrated(sqliteStorage(file));
    const ids = Array.from({ length: 300 }, (_, index) => `prof_${String(index).padStart(3, "0")}`);
    const rows = ids.map((id) => ({ id, external_id: id, due_at: 1000 }));
    await storage.write(rows.map((row) => ({ kind: "insert", collection: "profiles", row })));
    await storage.close();
    const program = await buildProgram(new URL("claim-on-message.ts", import.meta.url));
    onTestFinished(program.remove);
    const claimers = [1, 2].map(() => fork(program.path, [file], { execArgv: [] }));
    const claimedBy: string[][] = [[], []];
    for (let round = 0; round < 30; round++) {
      const answers = claimers.map((claimer) => once(claimer, "message"));
      for (const claimer of claimers) claimer.send(5);
      for (const [place, [claimed]] of (await Promise.all(answers)).entries()) claimedBy[place]?.push(...claimed);
    }
    for (const claimer of claimers) claimer.disconnect();
    await Promise.all(claimers.map((claimer) => once(claimer, "exit")));
    expect(claimedBy.map((claimed) => claimed.length)).toEqual([150, 150]);
    expect(claimedBy.flat().sort()).toEqual(ids);
  });

  it("separates stores with different table prefixes in one file", async () => {
    const one = await migrated(sqliteStorage(file, { tablePrefix: "one_" }));
    const two = await migrated(sqliteStorage(file, { tablePrefix: "" }));
    await one.write([insertPost]);
    expect(await two.get("posts", "post_1")).toBeNull();
    const unsafe: SqliteStorageOptions = { tablePrefix: 'x"; DROP TABLE posts; --' };
    expect(() => sqliteStorage(file, unsafe)).toThrow("tablePrefix: Must be letters");
    await Promise.all([one.close(), two.close()]);
  });

  it("finds nothing to do after the exported SQL has run, even twice", async () => {
    const handle = new Database(file);
    handle.exec(sqliteMigrationSql());
    handle.exec(sqliteMigrationSql());
    const schemaVersion = (): unknown => handle.prepare("PRAGMA schema_version").all();
    const before = schemaVersion();
    const ids = handle.prepare(`SELECT "id" FROM "postrider_migrations" ORDER BY "id"`).all();
    expect(ids).toEqual([{ id: "001_collections" }, { id: "002_counters" }]);
    const storage = await migrated(sqliteStorage(handle));
    expect(schemaVersion()).toEqual(before);
    await storage.write([insertPost]);
    handle.close();
  });

  it("records each migration once, and skips recorded ones", async () => {
    const handle = new Database(file);
    handle.exec(
      `CREATE TABLE "postrider_migrations" ("id" TEXT PRIMARY KEY); INSERT INTO "postrider_migrations" VALUES ('002_counters')`,
    );
    await migrated(await migrated(sqliteStorage(handle)));
    const ids = handle.prepare(`SELECT "id" FROM "postrider_migrations" ORDER BY "id"`).all();
    expect(ids).toEqual([{ id: "001_collections" }, { id: "002_counters" }]);
    const counters = handle.prepare("SELECT name FROM sqlite_schema WHERE name = 'postrider_counters'").all();
    expect(counters).toEqual([]);
    handle.close();
  });

  it.each<{ title: string; where?: Where; targets: Where }>([
    { title: "a network", targets: { network: { in: ["mastodon"] } } },
    { title: "several networks", targets: { network: { in: ["mastodon", "bluesky", "discord"] } } },
    { title: "a profile", targets: { profile_id: "prof_1" } },
    { title: "a network and a time", where: { created_at: { gte: "2026" } }, targets: { network: "mastodon" } },
  ])("reads the posts of $title from an index, page and total, and sorts no more than the page", async (given) => {
    const handle = new Database(file);
    await migrated(sqliteStorage(handle));
    const where = { account_id: "acct", status: { in: postStatuses }, ...given.where };
    const query = { where, some: { targets: given.targets }, limit: 20 };
    const page = planOf(handle, findSql("postrider_", "posts", query));
    expect(page.filter((step) => step.includes("TEMP B-TREE"))).toEqual(["USE TEMP B-TREE FOR ORDER BY"]);
    expect(page.at(-1)).toBe("USE TEMP B-TREE FOR ORDER BY");
    expect(page[0]).toMatch(/^SEARCH postrider_posts USING INDEX \S+ \(id=\?\)$/);
    const total = planOf(handle, countSql("postrider_", "posts", query));
    expect(total.join()).not.toContain("TEMP B-TREE");
    const reads = [...page, ...total].filter((step) => step.includes("targets"));
    for (const step of reads) expect(step).toMatch(/^SEARCH postrider_targets USING COVERING INDEX /);
    handle.close();
  });

  it.each<{ collection: CollectionName; where: Where }>([
    { collection: "posts", where: { status: "scheduled", due_at: { lte: 1 } } },
    { collection: "profiles", where: { due_at: { lte: 1 } } },
    { collection: "endpoints", where: { due_at: { lte: 1 } } },
  ])("reads the first due rows of $collection from an index, without sorting", async (given) => {
    const handle = new Database(file);
    await migrated(sqliteStorage(handle));
    const query: FindQuery = { where: given.where, order: { column: "due_at", direction: "asc" }, limit: 20 };
    const plan = planOf(handle, findSql("postrider_", given.collection, query));
    expect(plan).toEqual([expect.stringMatching(/^SEARCH postrider_\w+ USING INDEX \S+ \(.*due_at<\?\)$/)]);
    handle.close();
  });

  it("reads the next due time of each collection only from an index, without sorting", async () => {
    const handle = new Database(file);
    await migrated(sqliteStorage(handle));
    const reads = planOf(handle, nextDueSql("postrider_")(1)).filter((step) => /postrider_|TEMP/.test(step));
    // The claim of a post that ends first is one row, whose opposite is sorted.
    expect(reads.filter((step) => /TEMP/.test(step))).toHaveLength(1);
    const searches = reads.filter((step) => !/TEMP/.test(step));
    expect(searches).toHaveLength(5);
    for (const step of searches)
      expect(step).toMatch(/^SEARCH postrider_\w+ USING COVERING INDEX \S+ \(.*due_at<\?\)$/);
    handle.close();
  });

  it("deletes expired counters", async () => {
    const handle = new Database(file);
    const storage = await migrated(sqliteStorage(handle));
    for (const now of [1000, 2000, 3000]) {
      await storage.increment({ key: `at ${now}`, by: 1, now, expiresAt: now + 1000 });
    }
    expect(handle.prepare(`SELECT "key" FROM "postrider_counters"`).all()).toEqual([{ key: "at 3000" }]);
    handle.close();
  });
});

describe("openSqlite", () => {
  const notInstalled = (name: string): never => {
    throw Object.assign(new Error(`Cannot find module '${name}'`), { code: "MODULE_NOT_FOUND" });
  };
  class Opened {
    constructor(readonly opened: string) {}
  }

  it("names the command to run when no driver is installed", () => {
    expect(() => openSqlite(file, notInstalled)).toThrow(/no SQLite driver.*npm install libsql$/s);
  });

  it("says why an installed driver did not load", () => {
    const load = (name: string): unknown => {
      if (name !== "better-sqlite3") notInstalled(name);
      throw new Error("NODE_MODULE_VERSION 115");
    };
    expect(() => openSqlite(file, load)).toThrow("better-sqlite3 did not load: NODE_MODULE_VERSION 115");
  });

  it.each([
    { there: ["node:sqlite", "libsql", "better-sqlite3"], opens: "node:sqlite" },
    { there: ["libsql", "better-sqlite3"], opens: "libsql" },
    { there: ["better-sqlite3"], opens: "better-sqlite3" },
  ])("opens $opens where $there are available", ({ there, opens }) => {
    const loaded: string[] = [];
    const handle = openSqlite(file, (name) => {
      if (!there.includes(name)) notInstalled(name);
      loaded.push(name);
      return name === "node:sqlite" ? { DatabaseSync: Opened } : Opened;
    });
    expect(loaded).toEqual([opens]);
    expect(handle).toMatchObject({ opened: file });
  });

  it("names a file that cannot be opened", () => {
    const nowhere = join(folder, "no such folder", "social.db");
    expect(() => sqliteStorage(nowhere)).toThrow(`The database file "${nowhere}" could not be opened`);
  });
});

/** The steps of the database for a statement. */
function planOf(handle: SqliteHandle, { text, values }: Statement): string[] {
  const steps = handle.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values) as { detail: string }[];
  return steps.map(({ detail }) => detail);
}

async function migrated(storage: Storage): Promise<Storage> {
  await storage.migrate();
  return storage;
}

/** A clock that advances only by its sleeps, which take no real time and are recorded. */
function countingClock(
  options: { onSleep?: (sleeps: number) => unknown; eachTakesMs?: number } = {},
): Clock & { waitsMs: number[] } {
  const waitsMs: number[] = [];
  const slept = (): number => waitsMs.reduce((sum, ms) => sum + (options.eachTakesMs ?? ms), 0);
  return {
    waitsMs,
    now: () => 1_790_000_000_000 + slept(),
    monotonic: slept,
    async sleep(ms) {
      waitsMs.push(ms);
      options.onSleep?.(waitsMs.length);
    },
  };
}

/** A driver without transaction state and error codes, like node:sqlite in 22.13. */
function bareHandle(database: SqliteHandle): SqliteHandle {
  const translated = <Result>(call: () => Result): Result => {
    try {
      return call();
    } catch (error) {
      const { message, rawCode } = error as { message: string; rawCode?: number };
      throw Object.assign(new Error(message), { code: "ERR_SQLITE_ERROR", errcode: rawCode });
    }
  };
  return {
    exec: (sql) => translated(() => database.exec(sql)),
    prepare: (sql) => translated(() => database.prepare(sql)),
    close: () => database.close?.(),
  };
}

function hasNodeSqlite(): boolean {
  try {
    return createRequire(import.meta.url)("node:sqlite") !== undefined;
  } catch {
    return false;
  }
}

function openNodeSqlite(): SqliteHandle {
  const { DatabaseSync } = createRequire(import.meta.url)("node:sqlite") as {
    DatabaseSync: new (file: string) => SqliteHandle;
  };
  return new DatabaseSync(file);
}
