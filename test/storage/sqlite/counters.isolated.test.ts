import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type * as Driver from "../../../src/storage/sqlite/driver.ts";
import { openSqlite, type SqliteHandle } from "../../../src/storage/sqlite/driver.ts";
import { sqliteStorage } from "../../../src/storage/sqlite/index.ts";

const opened: SqliteHandle[] = [];

vi.mock("../../../src/storage/sqlite/driver.ts", async (importOriginal) => {
  const original = await importOriginal<typeof Driver>();
  return {
    ...original,
    openSqlite(file: string) {
      const handle = original.openSqlite(file);
      opened.push(handle);
      return handle;
    },
  };
});

const full = 2; // https://www.sqlite.org/pragma.html#pragma_synchronous (2026-11)
const normal = 1;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "postrider-sqlite-"));
  opened.length = 0;
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("a counter on SQLite", () => {
  it("does not wait for the disk, and everything else does", async () => {
    const storage = sqliteStorage(join(folder, "social.db"));
    await storage.migrate();
    await storage.increment({ key: "k", by: 1, now: 1, expiresAt: 9 });
    const before = opened.map(state);
    expect(before.map(({ synchronous }) => synchronous)).toEqual([full, normal]);

    await storage.write([{ kind: "insert", collection: "profiles", row: { id: "prof_1", due_at: 1 } }]);
    await storage.claim("profiles", { now: 2, leaseUntil: 3, limit: 1 });
    expect(changesSince(before)).toEqual([2, 0]);

    await storage.increment({ key: "k", by: 1, now: 1, expiresAt: 9 });
    expect(changesSince(before)).toEqual([2, 1]);
    await storage.close();
  });

  it("shares the one connection of an in-memory database", async () => {
    const storage = sqliteStorage(":memory:");
    await storage.migrate();
    expect(await storage.increment({ key: "k", by: 1, now: 1, expiresAt: 9 })).toBe(1);
    expect(opened.map((handle) => state(handle).synchronous)).toEqual([full]);
    await storage.close();
  });

  it("shares the one connection of a given handle", async () => {
    const handle = openSqlite(join(folder, "social.db"));
    const storage = sqliteStorage(handle);
    await storage.migrate();
    expect(await storage.increment({ key: "k", by: 1, now: 1, expiresAt: 9 })).toBe(1);
    expect(opened.map((each) => state(each).synchronous)).toEqual([full]);
    handle.close?.();
  });

  it("closes both connections, after which only the database file is left", async () => {
    const storage = sqliteStorage(join(folder, "social.db"));
    await storage.migrate();
    await storage.increment({ key: "k", by: 1, now: 1, expiresAt: 9 });
    await storage.close();
    const closed = { key: "k", by: 1, now: 1, expiresAt: 9 };
    await expect(storage.increment(closed)).rejects.toThrow("is closed");
    for (const handle of opened) expect(() => state(handle)).toThrow();
  });
});

function changesSince(before: readonly { changes: number }[]): number[] {
  return opened.map((handle, place) => state(handle).changes - (before[place]?.changes ?? 0));
}

/** How a handle syncs, and how many rows have been changed through it. */
function state(handle: SqliteHandle): { synchronous: number; changes: number } {
  const [setting] = handle.prepare("PRAGMA synchronous").all() as { synchronous: number }[];
  const [total] = handle.prepare("SELECT total_changes() AS changes").all() as { changes: number }[];
  return { synchronous: setting?.synchronous ?? Number.NaN, changes: total?.changes ?? Number.NaN };
}
