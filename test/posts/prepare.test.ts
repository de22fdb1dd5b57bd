import Database from "libsql";
import { beforeEach, describe, expect, it } from "vitest";
import type { Profile } from "../../src/profiles/schema.ts";
import { sqliteStorage } from "../../src/storage/sqlite/index.ts";
import { type ManualClock, manualClock } from "../../src/testing/clock.ts";
import { png } from "../media/samples.ts";
import { connectMastodon } from "../support/connect.ts";
import { createTestService, type TestService } from "../support/service.ts";

/** The host's own table lies in the same database. */
interface World extends TestService {
  database: InstanceType<typeof Database>;
  profile: Profile;
}

let world: World;
let clock: ManualClock;

beforeEach(async () => {
  clock = manualClock();
  const database = new Database(":memory:");
  database.exec("CREATE TABLE orders (id INTEGER PRIMARY KEY, post TEXT)");
  const service = createTestService({ clock, storage: sqliteStorage(database, { clock }) });
  world = { ...service, database, profile: await connectMastodon(service) };
});

const later = "2026-11-21T13:00:00Z";

function prepare(more: object = {}) {
  const { social, profile } = world;
  return clock.run(() =>
    social.posts.prepare({ profile_ids: [profile.id], text: "Shipped", scheduled_at: later, ...more }),
  );
}

function orders(): number {
  return (world.database.prepare("SELECT COUNT(*) AS total FROM orders").get() as { total: number }).total;
}

async function posts(): Promise<number> {
  return (await world.social.posts.list()).pagination.total;
}

describe("a prepared post", () => {
  it("does not exist before it is saved", async () => {
    const { post } = await prepare();
    expect(post).toMatchObject({ status: "scheduled", text: "Shipped", targets: [{ status: "pending" }] });
    expect(await posts()).toBe(0);
  });

  it("keeps its files for a day, in which the host may save it", async () => {
    const { post } = await prepare({ media: [png(20, 10)] });
    expect(await world.social.media.list()).toMatchObject({ data: [{ url: post.media[0]?.url, status: "temporary" }] });
  });

  it("exists once the host's rows are committed, and goes out at its time", async () => {
    const { database, social, sandbox } = world;
    const prepared = await prepare();
    database.exec("BEGIN IMMEDIATE");
    expect(prepared.save(database)).toBeUndefined();
    database.prepare("INSERT INTO orders (post) VALUES (?)").run(prepared.post.id);
    database.exec("COMMIT");
    expect([orders(), await posts()]).toEqual([1, 1]);
    expect(await social.posts.get(prepared.post.id)).toEqual(prepared.post);
    await clock.run(async () => {
      await clock.sleep(3_600_000);
      await social.runDue();
    });
    expect(sandbox.mastodon.posts().map(({ text }) => text)).toEqual(["Shipped"]);
  });

  it("does not exist once the host's rows are rolled back", async () => {
    const { database, social, sandbox } = world;
    const prepared = await prepare();
    database.exec("BEGIN IMMEDIATE");
    database.prepare("INSERT INTO orders (post) VALUES (?)").run(prepared.post.id);
    void prepared.save(database);
    database.exec("ROLLBACK");
    expect([orders(), await posts()]).toEqual([0, 0]);
    await clock.run(async () => {
      await clock.sleep(3_600_000);
      await social.runDue();
    });
    expect(sandbox.mastodon.posts()).toEqual([]);
  });

  it("is isolated from the service's own writes on the same handle, committed or not", async () => {
    const { database, social, profile } = world;
    const prepared = await Promise.all(Array.from({ length: 20 }, (_, index) => prepare({ text: `Order ${index}` })));
    const others = Array.from({ length: 20 }, (_, index) =>
      social.posts.create({ profile_ids: [profile.id], text: `Other ${index}`, scheduled_at: later }),
    );
    await clock.run(async () => {
      for (const [index, each] of prepared.entries()) {
        await new Promise((resolve) => setImmediate(resolve));
        database.exec("BEGIN IMMEDIATE");
        database.prepare("INSERT INTO orders (post) VALUES (?)").run(each.post.id);
        void each.save(database);
        database.exec(index % 2 === 0 ? "COMMIT" : "ROLLBACK");
      }
      await Promise.all(others);
    });
    const { data } = await social.posts.list({ limit: 100 });
    const saved = data.filter(({ text }) => text.startsWith("Order")).map(({ id }) => id);
    const kept = prepared.filter((_, index) => index % 2 === 0).map(({ post }) => post.id);
    expect([orders(), data.length, saved.sort()]).toEqual([10, 30, kept.sort()]);
  });

  it("is stored once, however often it is saved", async () => {
    const { database } = world;
    const prepared = await prepare();
    database.exec("BEGIN");
    void prepared.save(database);
    void prepared.save(database);
    database.exec("COMMIT");
    expect(await posts()).toBe(1);
  });

  it("is the post that its idempotency key has created before", async () => {
    const { database } = world;
    const first = await prepare({ idempotency_key: "order-4711" });
    const other = await prepare({ idempotency_key: "order-4711" });
    database.exec("BEGIN");
    void first.save(database);
    database.exec("COMMIT");
    const again = await prepare({ idempotency_key: "order-4711", text: "Something else" });
    expect(again.post).toEqual(first.post);
    database.exec("BEGIN");
    void again.save(database);
    expect(() => other.save(database)).toThrow("unique (account_id, idempotency_key)");
    database.exec("ROLLBACK");
    expect(await posts()).toBe(1);
  });

  it("may be a draft", async () => {
    const { database } = world;
    const prepared = await prepare({ draft: true, scheduled_at: null });
    database.exec("BEGIN");
    void prepared.save(database);
    database.exec("COMMIT");
    expect((await world.social.posts.get(prepared.post.id)).status).toBe("draft");
  });
});

describe("prepare", () => {
  it.each([{ scheduled_at: null }, { publish_now: true }, { scheduled_at: "2026-11-21T12:00:30Z" }])(
    "rejects a post that goes out immediately: %j",
    async (more) => {
      await expect(prepare(more)).rejects.toMatchObject({
        code: "invalid_request",
        details: [{ field: "scheduled_at", message: expect.stringContaining("publish others with create") }],
      });
    },
  );

  it("rejects a post that create would reject", async () => {
    await expect(prepare({ text: "Hills ".repeat(200) })).rejects.toMatchObject({
      details: [{ network: "mastodon", field: "text" }],
    });
    await expect(prepare({ profile_ids: ["prof_none"] })).rejects.toMatchObject({
      details: [{ field: "profile_ids[0]" }],
    });
  });

  it("rejects every post where the storage has no transactions", async () => {
    const { social } = createTestService();
    const refused = social.posts.prepare({ profile_ids: ["prof_1"], text: "Hello", scheduled_at: later });
    await expect(refused).rejects.toMatchObject({ code: "unsupported" });
  });
});

describe("save", () => {
  it("accepts an open database, and nothing else", async () => {
    const prepared = await prepare();
    expect(() => prepared.save(null)).toThrow("the open SQLite database");
    expect(() => prepared.save({})).toThrow("the open SQLite database");
  });

  it("requires an open transaction", async () => {
    const prepared = await prepare();
    expect(() => prepared.save(world.database)).toThrow("No transaction is open");
    world.database.exec("BEGIN");
    void prepared.save(world.database);
    world.database.exec("COMMIT");
    expect(await posts()).toBe(1);
  });
});
