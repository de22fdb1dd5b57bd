import { Client, Pool } from "pg";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Clock, systemClock } from "../../../src/ports/clock.ts";
import { type PostgresClient, postgresStorage } from "../../../src/storage/postgres/index.ts";
import type { Operation } from "../../../src/storage/storage.ts";
import { spiedPool, startPostgres } from "../../support/postgres.ts";
import { type Cut, type PostgresProxy, postgresProxy } from "../../support/postgres-proxy.ts";

const server = await startPostgres(["fsync=off", "deadlock_timeout=200ms"]);
const title = `postgres, when something breaks${typeof server === "string" ? ` (skipped: ${server})` : ""}`;

const drivers = ["pg", "postgres"] as const;
const lostAt: readonly Cut[] = ["before", "answered", "late"];
/** Updates the post, and takes a unique: neither can happen twice. */
const moveOn: readonly Operation[] = [
  { kind: "update", collection: "posts", id: "p", change: { version: 2, text: "new" }, where: { version: 1 } },
  {
    kind: "insert",
    collection: "publications",
    row: { id: "n", network: "x", external_account_id: "e", network_post_id: "1" },
  },
];

/** Not possible in one statement: it runs in a transaction. */
const inSteps: readonly Operation[] = [...moveOn, { kind: "delete", collection: "targets", id: "none" }];
const ways = [
  { way: "in one statement", operations: moveOn, end: /WITH "settings"/ },
  { way: "in a transaction", operations: inSteps, end: /commit\0/i },
];
const cuts = ways.flatMap((way) => lostAt.map((cut) => ({ ...way, cut })));

describe.skipIf(typeof server === "string")(title, () => {
  if (typeof server === "string") return;
  const ends: (() => Promise<unknown>)[] = [];
  const admin = new Pool({ connectionString: server.url, max: 3 });
  // As the documentation requires of a host.
  admin.on("error", () => {});
  let proxy: PostgresProxy;

  beforeAll(() => postgresStorage(admin).migrate());
  beforeEach(async () => {
    proxy = await postgresProxy(server.port);
    const tables = ["posts", "targets", "profiles", "publications", "writes"].map((name) => `postrider_${name}`);
    // For a few rows this takes a tenth of the time of TRUNCATE, which makes new files.
    for (const table of tables) await admin.query(`DELETE FROM ${table}`);
    await postgresStorage(admin).write([{ kind: "insert", collection: "posts", row: { id: "p", version: 1 } }]);
    await admin.query("DELETE FROM postrider_writes");
  });
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
    await proxy.close();
  });
  afterAll(async () => {
    await admin.end();
    await server.remove();
  });

  function open(driver: (typeof drivers)[number], port: number, max = 2): PostgresClient {
    const address = `postgres://postgres:password@127.0.0.1:${port}/postgres`;
    if (driver === "postgres") {
      // Without fetch_types, as the documentation requires of a host.
      const sql = postgres(address, { max, onnotice: () => {}, backoff: () => 0.02, fetch_types: false });
      // Without a limit it waits for ever for the query of a broken connection.
      ends.push(() => sql.end({ timeout: 0 }));
      return sql;
    }
    const pool = new Pool({ connectionString: address, max });
    pool.on("error", () => {});
    ends.push(() => pool.end());
    return pool;
  }

  async function count(sql: string): Promise<number> {
    const { rows } = await admin.query(`SELECT count(*)::int AS count FROM ${sql}`);
    return rows[0].count;
  }

  describe.each(drivers)("through %s", (driver) => {
    it.each(cuts)(
      "writes $way once when the connection is cut at the commit: $cut",
      async ({ operations, end, cut }) => {
        const storage = postgresStorage(open(driver, proxy.port));
        await storage.now();
        proxy.arm(end, cut);
        await storage.write(operations);
        expect(proxy.cuts()).toBe(1);
        expect(await storage.get("posts", "p")).toMatchObject({ version: 2, text: "new" });
        expect([await count("postrider_publications"), await count("postrider_writes")]).toEqual([1, 1]);
      },
    );

    it.each(lostAt)("writes once when the connection is cut before the commit: %s", async (cut) => {
      const storage = postgresStorage(open(driver, proxy.port));
      await storage.now();
      proxy.arm(/FOR UPDATE/, cut);
      await storage.write(inSteps);
      expect(proxy.cuts()).toBe(1);
      expect(await storage.get("posts", "p")).toMatchObject({ version: 2 });
      expect(await count("postrider_writes")).toBe(1);
    });

    it.each(lostAt)("writes each row of a batch once when its connection is cut: %s", async (cut) => {
      const ids = Array.from({ length: 20 }, (_, number) => `p${number}`);
      const rows = ids.map((id) => ({ id, version: 1 }));
      await postgresStorage(admin).write(rows.map((row) => ({ kind: "insert", collection: "posts", row })));
      await admin.query("DELETE FROM postrider_writes");
      const storage = postgresStorage(open(driver, proxy.port));
      await storage.now();
      proxy.arm(/\(VALUES \(\$\d+\), /, cut);
      const change = { version: 2 };
      const write = (id: string): Promise<void> =>
        storage.write([{ kind: "update", collection: "posts", id, change, where: { version: 1 } }]);
      await Promise.all(ids.map(write));
      expect(proxy.cuts()).toBe(1);
      expect(await count("postrider_posts WHERE version = 2")).toBe(ids.length);
      expect(await count("postrider_writes")).toBe(ids.length);
    });

    it("still names the conflict of a write whose connection was cut before the commit", async () => {
      const storage = postgresStorage(open(driver, proxy.port));
      await storage.now();
      await storage.write(moveOn);
      proxy.arm(/INSERT INTO "postrider_writes"/, "before");
      await expect(storage.write(moveOn)).rejects.toMatchObject({ index: 0, reason: "where" });
      expect(proxy.cuts()).toBe(1);
    });

    it("does not apply a write later that it has reported as a conflict, though the first attempt arrives late", async () => {
      const storage = postgresStorage(open(driver, proxy.port));
      await admin.query("UPDATE postrider_posts SET version = 0");
      proxy.arm(/WITH "settings"/, "held");
      await expect(storage.write(moveOn)).rejects.toMatchObject({ index: 0, reason: "where" });
      // Its condition holds now.
      await admin.query("UPDATE postrider_posts SET version = 1");
      await proxy.deliver();
      expect(proxy.cuts()).toBe(1);
      expect(await storage.get("posts", "p")).toMatchObject({ version: 1 });
      expect(await count("postrider_publications")).toBe(0);
    });

    it("reads, claims and counts again when the connection is cut", async () => {
      const storage = postgresStorage(open(driver, proxy.port));
      await storage.now();
      for (const [call, at] of [
        [() => storage.get("posts", "p"), /FROM "postrider_posts"/],
        [() => storage.find("posts", { where: {} }), /FROM "postrider_posts"/],
        [() => storage.claim("profiles", { now: 1, leaseUntil: 2, limit: 1 }), /SKIP LOCKED/],
        [() => storage.increment({ key: "k", by: 1, now: 1, expiresAt: 2 }), /postrider_counters/],
        [() => storage.now(), /clock_timestamp/],
      ] as const) {
        proxy.arm(at, "before");
        await call();
      }
      expect(proxy.cuts()).toBe(5);
    });

    it("loses and duplicates nothing while the server crashes", async () => {
      const storage = postgresStorage(open(driver, server.port, 6));
      const written: number[] = [];
      let isOver = false;
      const writer = async (start: number): Promise<void> => {
        for (let number = start; !isOver; number += 100) {
          const target = { id: `t${number}`, post_id: "p", profile_id: `${number}` };
          await storage.write([
            { kind: "insert", collection: "targets", row: target },
            {
              kind: "update",
              collection: "targets",
              id: target.id,
              change: { position: number, more: true },
              where: { position: null },
            },
          ]);
          written.push(number);
        }
      };
      const writers = Array.from({ length: 8 }, (_, start) => writer(start));
      const progress = async (): Promise<void> => {
        const wanted = written.length + 40;
        while (written.length < wanted) await systemClock.sleep(5);
      };
      for (let crashes = 0; crashes < 2; crashes++) {
        await progress();
        await server.crash();
        await server.start();
      }
      await progress();
      isOver = true;
      await Promise.all(writers);
      const { rows } = await admin.query(`SELECT position FROM postrider_targets ORDER BY position`);
      expect(rows.map(({ position }) => Number(position))).toEqual(written.sort((one, other) => one - other));
    });

    it("continues when the server shuts down just as it accepts a connection", async () => {
      const storage = postgresStorage(open(driver, proxy.port));
      proxy.shutDownAtWelcome();
      await storage.write(moveOn);
      expect(proxy.cuts()).toBe(1);
      expect(await storage.get("posts", "p")).toMatchObject({ version: 2, text: "new" });
    });

    it("waits for a server that has not started yet", async () => {
      await server.crash();
      const storage = postgresStorage(open(driver, server.port));
      const migrating = storage.migrate();
      await systemClock.sleep(100);
      await server.start();
      await migrating;
      expect(await storage.get("posts", "p")).toMatchObject({ id: "p" });
    });

    it("reports after 10 s that the server cannot be reached, that nothing was written, and what to do", async () => {
      const clock = fastClock();
      const storage = postgresStorage(open(driver, 1), { clock });
      const failing = storage.write(moveOn);
      await expect(failing).rejects.toMatchObject({ name: "SocialError", code: "internal_error", cause: {} });
      await expect(failing).rejects.toThrow(
        /^Postgres could not be reached for 10 s \(.*ECONNREFUSED.*\)\. Nothing was written\. Check that the server is running/,
      );
      expect(clock.monotonic()).toBeLessThan(11_000);
    });

    it.each(ways)(
      "reports of a write $way whose commit was cut for good that it may have been applied",
      async (way) => {
        const storage = postgresStorage(open(driver, proxy.port), { clock: fastClock() });
        await storage.now();
        proxy.arm(way.end, "before");
        const writing = expect(storage.write(way.operations)).rejects.toThrow("The last write may have been applied");
        while (proxy.cuts() === 0) await systemClock.sleep(1);
        await proxy.close();
        await writing;
        proxy = await postgresProxy(server.port);
      },
    );

    it("repeats a write that a deadlock ended", async () => {
      const storage = postgresStorage(open(driver, server.port));
      const host = await admin.connect();
      // So that the storage's own statement is the deadlock's victim.
      await host.query("SET deadlock_timeout = '10s'");
      await host.query(
        "BEGIN; INSERT INTO postrider_posts (id, account_id, idempotency_key, data) VALUES ('h2', 'a', '2', '{}')",
      );
      const insert = (key: string): Operation => ({
        kind: "insert",
        collection: "posts",
        row: { id: `s${key}`, account_id: "a", idempotency_key: key },
      });
      const writing = storage.write([insert("1"), insert("2")]);
      while ((await count("pg_stat_activity WHERE wait_event_type = 'Lock'")) === 0) await systemClock.sleep(5);
      await host.query(
        "INSERT INTO postrider_posts (id, account_id, idempotency_key, data) VALUES ('h1', 'a', '1', '{}')",
      );
      await host.query("ROLLBACK");
      host.release();
      await writing;
      expect(await count("postrider_posts WHERE id IN ('s1', 's2')")).toBe(2);
    });

    it("a claim of a named row waits for other changes of it, and returns them", async () => {
      const storage = postgresStorage(open(driver, server.port));
      await storage.write([{ kind: "insert", collection: "profiles", row: { id: "named", due_at: 1 } }]);
      const host = await admin.connect();
      await host.query("BEGIN; UPDATE postrider_profiles SET status = 'changed' WHERE id = 'named'");
      const claiming = storage.claim("profiles", { now: 1, leaseUntil: 2, limit: 1, id: "named" });
      while ((await count("pg_stat_activity WHERE wait_event_type = 'Lock'")) === 0) await systemClock.sleep(5);
      await host.query("COMMIT");
      host.release();
      expect(await claiming).toMatchObject([{ id: "named", status: "changed", epoch: 1 }]);
    });
  });

  it("the error says that all connections of the pool are in use", async () => {
    const pool = new Pool({ connectionString: server.url, max: 1 });
    ends.push(() => pool.end());
    const taken = await pool.connect();
    const reading = postgresStorage(pool, { clock: fastClock() }).get("posts", "p");
    await expect(reading).rejects.toThrow(
      /no response for 30 s.*all connections of the pool are in use.*The read failed/,
    );
    taken.release();
    // The abandoned one returns to the pool.
    expect(await postgresStorage(pool).get("posts", "p")).toMatchObject({ id: "p" });
  });

  it("a single client that has lost its connection causes no wait, and the error asks for a pool", async () => {
    const client = new Client({ connectionString: `postgres://postgres:password@127.0.0.1:${proxy.port}/postgres` });
    client.on("error", () => {});
    await client.connect();
    const storage = postgresStorage(client);
    proxy.arm(/FOR UPDATE/, "before");
    await expect(storage.write(inSteps)).rejects.toThrow(/single client does not reconnect.*Nothing was written.*Pool/);
    await expect(storage.get("posts", "p")).rejects.toThrow("Pass a Pool to postgresStorage.");
  });

  it("writes never deadlock, whatever their order", async () => {
    const spies = [1, 2].map(() => spiedPool(open("pg", server.port, 4) as Pool));
    const storages = spies.map(({ pool }) => postgresStorage(pool));
    await postgresStorage(admin).write([
      { kind: "insert", collection: "targets", row: { id: "t", post_id: "p", profile_id: "1" } },
      { kind: "insert", collection: "posts", row: { id: "a" } },
    ]);
    const change = (collection: "posts" | "targets", id: string): Operation => ({
      kind: "update",
      collection,
      id,
      change: { text: "x" },
      where: {},
    });
    const there = [change("posts", "a"), change("posts", "p"), change("targets", "t")];
    const back = there.toReversed();
    // Not possible in one statement.
    const none: Operation = { kind: "delete", collection: "targets", id: "none" };
    const orders = [there, back, back, [...there, none], [none, ...back]];
    const writes = Array.from({ length: 200 }, (_, number) =>
      storages[number % 2]?.write(orders[number % orders.length] ?? []),
    );
    await Promise.all(writes);
    // A deadlock would have repeated one.
    const texts = spies.flatMap((spy) => spy.texts);
    expect(texts.filter((text) => text.startsWith("WITH"))).toHaveLength(120 + 80);
    expect(texts.filter((text) => text.startsWith("BEGIN"))).toHaveLength(80);
  });
});

/** A clock on which every wait ends after a millisecond, and counts in full. */
function fastClock(): Clock {
  let sleptMs = 0;
  return {
    now: () => sleptMs,
    monotonic: () => sleptMs,
    async sleep(ms, signal) {
      // Before a timeout, the watched work gets real time, enough of it on a busy machine.
      await systemClock.sleep(ms >= 30_000 ? 2_000 : 1, signal);
      sleptMs += ms;
    },
  };
}
