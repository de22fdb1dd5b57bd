import { Pool } from "pg";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../src/ports/clock.ts";
import type { PreparedPost } from "../../src/posts/prepare.ts";
import type { Profile } from "../../src/profiles/schema.ts";
import { postgresStorage } from "../../src/storage/postgres/index.ts";
import type { ManualClock } from "../../src/testing/clock.ts";
import { connectMastodon } from "../support/connect.ts";
import { startPostgres } from "../support/postgres.ts";
import { createTestService, type TestService } from "../support/service.ts";

const server = await startPostgres();
const skipped = typeof server === "string" ? ` (skipped: ${server})` : "";
const url = typeof server === "string" ? "" : server.url;

/** A server responds in real time. */
const machineClock: ManualClock = {
  ...systemClock,
  run: (work) => work(),
  advance: (ms) => systemClock.sleep(ms),
  watch: (port) => port,
  jump() {
    throw new Error("The machine's clock does not jump.");
  },
};

afterAll(async () => {
  if (typeof server !== "string") await server.remove();
});

describe.skipIf(skipped !== "")(`a prepared post on Postgres${skipped}`, () => {
  let pool: Pool;
  let service: TestService;
  let profile: Profile;
  /** The server has its own clock. */
  const later = new Date(Date.now() + 86_400_000).toISOString();

  beforeAll(async () => {
    pool = new Pool({ connectionString: url, max: 10 });
    pool.on("error", () => {});
    await pool.query("CREATE TABLE orders (post TEXT)");
    service = createTestService({ clock: machineClock, storage: postgresStorage(pool) });
    profile = await connectMastodon(service);
  });
  afterAll(() => pool.end());

  function prepare(more: object = {}): Promise<PreparedPost> {
    return service.social.posts.prepare({ profile_ids: [profile.id], text: "Shipped", scheduled_at: later, ...more });
  }

  async function isThere(id: string): Promise<{ post: boolean; order: boolean }> {
    const post = await service.storage.get("posts", id);
    const order = await pool.query("SELECT 1 FROM orders WHERE post = $1", [id]);
    return { post: post !== null, order: order.rows.length > 0 };
  }

  it.each(["COMMIT", "ROLLBACK"])("exists exactly if the host's rows do: pg, %s, under load", async (end) => {
    const prepared = await Promise.all(Array.from({ length: 8 }, () => prepare()));
    const others = Array.from({ length: 20 }, (_, index) =>
      service.social.posts.create({ profile_ids: [profile.id], text: `Other ${index}`, scheduled_at: later }),
    );
    const saved = prepared.map(async ({ post, save }) => {
      const client = await pool.connect();
      await client.query("BEGIN");
      await client.query("INSERT INTO orders VALUES ($1)", [post.id]);
      await save(client);
      await client.query(end);
      client.release();
    });
    await Promise.all([...saved, ...others]);
    for (const { post } of prepared) {
      expect(await isThere(post.id)).toEqual({ post: end === "COMMIT", order: end === "COMMIT" });
    }
  });

  it("exists exactly if the host's rows do: postgres, begin", async () => {
    const sql = postgres(url, { max: 2 });
    const kept = await prepare();
    const dropped = await prepare();
    await sql.begin(async (own) => {
      await own`INSERT INTO orders VALUES (${kept.post.id})`;
      await kept.save(own);
    });
    const failed = sql.begin(async (own) => {
      await own`INSERT INTO orders VALUES (${dropped.post.id})`;
      await dropped.save(own);
      throw new Error("the host thinks again");
    });
    await expect(failed).rejects.toThrow("the host thinks again");
    expect(await isThere(kept.post.id)).toEqual({ post: true, order: true });
    expect(await isThere(dropped.post.id)).toEqual({ post: false, order: false });
    expect(await service.social.posts.get(kept.post.id)).toEqual(kept.post);
    await sql.end();
  });

  it("reports that its idempotency key was used meanwhile, so that the host rolls back", async () => {
    const [first, second] = [
      await prepare({ idempotency_key: "order-4711" }),
      await prepare({ idempotency_key: "order-4711" }),
    ];
    const client = await pool.connect();
    await client.query("BEGIN");
    await first.save(client);
    await client.query("COMMIT");
    await client.query("BEGIN");
    await expect(second.save(client)).rejects.toThrow("unique (account_id, idempotency_key)");
    await client.query("ROLLBACK");
    client.release();
    expect(await isThere(second.post.id)).toMatchObject({ post: false });
  });

  it("is saved neither outside of a transaction nor through a pool", async () => {
    const { save, post } = await prepare();
    const client = await pool.connect();
    await expect(save(client)).rejects.toThrow("No transaction is open");
    client.release();
    await expect(save(pool)).rejects.toThrow("not the Pool");
    await expect(save(null)).rejects.toThrow("the pg client");
    expect(await isThere(post.id)).toMatchObject({ post: false });
  });
});
