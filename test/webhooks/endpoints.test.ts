import { beforeEach, describe, expect, it } from "vitest";
import { eventNames } from "../../src/ports/events.ts";
import { StorageConflict } from "../../src/storage/storage.ts";
import { failureOf } from "../support/failure.ts";
import { createProcess } from "../support/process.ts";
import { type WebhookBench, webhookBench } from "../support/webhooks.ts";

let bench: WebhookBench;
const url = "https://receiver.sandbox.example/a";

beforeEach(() => {
  bench = webhookBench();
});

describe("an endpoint", () => {
  it("is created with the fields of the contract, its secret, and no field that has no value", async () => {
    const { social, clock } = bench;
    const now = new Date(clock.now()).toISOString();
    const created = await social.webhooks.create({ url });
    expect(created).toStrictEqual({
      id: expect.stringMatching(/^wh_[0-9a-z]{26}$/),
      url,
      events: [],
      status: "active",
      secret_last_four: created.secret.slice(-4),
      consecutive_failures: 0,
      created_at: now,
      updated_at: now,
      secret: expect.stringMatching(/^whsec_[\w-]{43}$/),
    });
  });

  it("is read with the fields of its creation, except for the secret", async () => {
    const { webhooks } = bench.social;
    const { secret, ...created } = await webhooks.create({ url, events: ["post.failed"], description: "Ours" });
    expect(created).toMatchObject({ events: ["post.failed"], description: "Ours" });
    expect(await webhooks.get(created.id)).toStrictEqual(created);
    expect((await webhooks.list()).data).toStrictEqual([created]);
    expect(secret).not.toBe("");
  });

  it.each([[undefined], [null], [""]])("has no description when it is given %o", async (description) => {
    const created = await bench.social.webhooks.create({ url, description });
    expect(created).not.toHaveProperty("description");
  });

  it.each(eventNames.map((name) => [name]))("subscribes only to %s, and names it once", async (name) => {
    expect((await bench.social.webhooks.create({ url, events: [name, name] })).events).toEqual([name]);
  });

  it("shows when deliveries arrived and failed, once they have", async () => {
    const { social, sandbox, clock } = bench;
    const { id } = await bench.endpoint("a");
    await bench.happen();
    await bench.deliver();
    const arrived = await social.webhooks.get(id);
    expect(arrived.last_succeeded_at).toBe(new Date(clock.now()).toISOString());
    expect(arrived).not.toHaveProperty("last_failed_at");
    sandbox.receivers.faults.add({ kind: "drop_before" });
    await clock.advance(1_000);
    await bench.happen();
    await bench.deliver();
    const failed = await social.webhooks.get(id);
    expect(failed.last_failed_at).toBe(new Date(clock.now()).toISOString());
    expect(failed.last_succeeded_at).toBe(arrived.last_succeeded_at);
  });
});

describe("the list of endpoints", () => {
  it("is newest first, in pages", async () => {
    const { social, clock } = bench;
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) {
      ids.unshift((await bench.endpoint(`r${index}`)).id);
      await clock.advance(1);
    }
    const pages = [await social.webhooks.list({ limit: 2 }), await social.webhooks.list({ limit: 2, offset: 4 })];
    expect(pages.map(({ data }) => data.map(({ id }) => id))).toEqual([ids.slice(0, 2), ids.slice(4)]);
    expect(pages.map(({ pagination }) => pagination)).toEqual([
      { limit: 2, offset: 0, total: 5, has_more: true },
      { limit: 2, offset: 4, total: 5, has_more: false },
    ]);
  });
});

describe("an update", () => {
  it("changes the fields that it names, and the time of the update", async () => {
    const { social, clock } = bench;
    const { secret: _, ...created } = await social.webhooks.create({ url, description: "Ours" });
    await clock.advance(5_000);
    const updated = await social.webhooks.update(created.id, { events: ["post.failed"] });
    const now = new Date(clock.now()).toISOString();
    expect(updated).toStrictEqual({ ...created, events: ["post.failed"], updated_at: now });
    expect(await social.webhooks.get(created.id)).toStrictEqual(updated);
  });

  it.each([[null], [""]])("removes the description with %o", async (description) => {
    const { webhooks } = bench.social;
    const { id } = await webhooks.create({ url, description: "Ours" });
    expect(await webhooks.update(id, { description })).not.toHaveProperty("description");
  });

  it("subscribes to everything with an empty list", async () => {
    const { webhooks } = bench.social;
    const { id } = await webhooks.create({ url, events: ["post.failed"] });
    expect((await webhooks.update(id, { events: [] })).events).toEqual([]);
  });

  it("delivers to the new URL from then on, pending deliveries included", async () => {
    const { social, sandbox } = bench;
    const { id } = await bench.endpoint("old");
    await bench.happen();
    await social.webhooks.update(id, { url: sandbox.receivers.url("new") });
    await bench.happen();
    await bench.deliver();
    expect(bench.taken().map(({ receiver }) => receiver)).toEqual(["new", "new"]);
  });

  it("keeps both of two concurrent changes", async () => {
    const { webhooks } = bench.social;
    const { id } = await webhooks.create({ url });
    await Promise.all([webhooks.update(id, { description: "Ours" }), webhooks.update(id, { events: ["post.failed"] })]);
    expect(await webhooks.get(id)).toMatchObject({ description: "Ours", events: ["post.failed"] });
  });
});

describe("an update that other writes always overtake", () => {
  it("gives up after twenty retries", async () => {
    const { storage } = bench;
    const { id } = await bench.endpoint("a");
    let writes = 0;
    const { social } = webhookBench({
      clock: bench.clock,
      storage: {
        ...storage,
        async write([operation]) {
          writes += 1;
          throw new StorageConflict(0, operation ?? { kind: "delete", collection: "endpoints", id }, "where");
        },
      },
    });
    await expect(social.webhooks.update(id, { description: "Ours" })).rejects.toThrow(StorageConflict);
    expect(writes).toBe(21);
  });
});

describe("a deleted endpoint", () => {
  it("is gone with its deliveries, and no more requests are sent", async () => {
    const { social, storage } = bench;
    const { id } = await bench.endpoint("a");
    const other = await bench.endpoint("b");
    await bench.happen(3);
    await social.webhooks.delete(id);
    expect((await failureOf(social.webhooks.get(id))).code).toBe("not_found");
    expect((await failureOf(social.webhooks.delete(id))).code).toBe("not_found");
    await bench.deliver();
    expect(bench.taken("a")).toEqual([]);
    expect(bench.taken("b")).toHaveLength(3);
    const { rows } = await storage.find("deliveries", { where: {} });
    expect(new Set(rows.map(({ webhook_id }) => webhook_id))).toEqual(new Set([other.id]));
  });

  it("is gone, too, while a delivery to it is under way", async () => {
    const { social, storage, clock } = bench;
    const { id } = await bench.endpoint("a");
    await bench.happen(12);
    bench.answer("a", async () => {
      await clock.sleep(1_000);
      return new Response("late");
    });
    await clock.run(async () => {
      const run = social.runDue();
      await clock.sleep(500);
      await social.webhooks.delete(id);
      await run;
    });
    expect(bench.sent).toHaveLength(8);
    expect((await storage.find("deliveries", { where: {} })).total).toBe(0);
    expect((await storage.find("endpoints", { where: {} })).total).toBe(0);
  });
});

describe("a process that dies while it deletes an endpoint", () => {
  it("leaves no delivery without its endpoint, and the next delete finishes the work", async () => {
    for (let dieAt = 0; dieAt < 8; dieAt++) {
      const { clock, sandbox, storage, endpoint, happen } = webhookBench();
      const { id } = await endpoint("a");
      await happen(3);
      const dying = createProcess({ clock, sandbox, storage, dieAt });
      await clock.run(() => Promise.race([dying.social.webhooks.delete(id), dying.died]));
      const left = await storage.find("deliveries", { where: {} });
      const row = await storage.get("endpoints", id);
      const isThere = row !== null;
      expect(isThere || left.total === 0, `dead at ${dieAt}`).toBe(true);
      // From the first deleted delivery on, nothing new is recorded.
      if (isThere && left.total === 0) expect(row.status, `dead at ${dieAt}`).toBe("disabled");
      const { social } = createProcess({ clock, sandbox, storage });
      if (isThere) await social.webhooks.delete(id);
      expect((await storage.find("deliveries", { where: {} })).total, `dead at ${dieAt}`).toBe(0);
      expect(await storage.get("endpoints", id)).toBeNull();
    }
  });
});

const many = <Item>(count: number, item: Item): Item[] => Array.from({ length: count }, () => item);

describe("an invalid field of a body", () => {
  it.each<[string, unknown, string]>([
    ["no URL", {}, "url"],
    ["an empty URL", { url: "" }, "url"],
    ["a URL that is a number", { url: 7 }, "url"],
    ["a URL of 2,049 characters", { url: url.padEnd(2_049, "a") }, "url"],
    ["a URL with a NUL in it", { url: `${url}\0` }, "url"],
    ["a URL with half a character in it", { url: `${url}\ud800` }, "url"],
    ["an unknown event", { url, events: ["post.created"] }, "events[0]"],
    ["an event that cannot be subscribed to", { url, events: ["post.failed", "webhook.test"] }, "events[1]"],
    ["events that are not a list", { url, events: "post.failed" }, "events"],
    ["101 events", { url, events: many(101, "post.failed") }, "events"],
    ["a description of 1,001 characters", { url, description: "d".repeat(1_001) }, "description"],
    ["a description with a NUL in it", { url, description: "a\0b" }, "description"],
    ["an unknown field", { url, secret: "mine" }, "secret"],
    ["a status at creation", { url, status: "active" }, "status"],
    ["not an object", "https://example.com", "body"],
  ])("is named: %s", async (_, body, field) => {
    const failure = await failureOf(bench.social.webhooks.create(body as never));
    expect(failure.code).toBe("invalid_request");
    expect(failure.details?.map((detail) => detail.field)).toEqual([field]);
    expect((await bench.social.webhooks.list()).pagination.total).toBe(0);
  });

  it("is not a value of the maximum length", async () => {
    const body = { url: url.padEnd(2_048, "a"), description: "d".repeat(1_000), events: many(100, "post.failed") };
    expect(await bench.social.webhooks.create(body as never)).toMatchObject({ url: body.url, events: ["post.failed"] });
  });

  it.each<[string, unknown, string]>([
    ["an unknown status", { status: "paused" }, "status"],
    ["a status that is null", { status: null }, "status"],
    ["an unknown event", { events: ["nothing"] }, "events[0]"],
    ["an unknown field", { consecutive_failures: 0 }, "consecutive_failures"],
    ["a URL that is null", { url: null }, "url"],
  ])("is named in an update: %s", async (_, body, field) => {
    const { id, secret: __, ...before } = await bench.endpoint("a");
    const failure = await failureOf(bench.social.webhooks.update(id, body as never));
    expect(failure.code).toBe("invalid_request");
    expect(failure.details?.map((detail) => detail.field)).toEqual([field]);
    expect(await bench.social.webhooks.get(id)).toEqual({ id, ...before });
  });

  it.each<[string, (webhooks: WebhookBench["social"]["webhooks"], id: string) => Promise<unknown>, string]>([
    ["an overlap below zero", (it, id) => it.rotateSecret(id, { overlap_seconds: -1 }), "overlap_seconds"],
    ["an overlap over a week", (it, id) => it.rotateSecret(id, { overlap_seconds: 604_801 }), "overlap_seconds"],
    ["half a second of overlap", (it, id) => it.rotateSecret(id, { overlap_seconds: 0.5 }), "overlap_seconds"],
    ["an unknown option", (it, id) => it.rotateSecret(id, { overlap: 1 } as never), "overlap"],
    ["a page of 101", (it) => it.list({ limit: 101 }), "limit"],
    ["a page of 0", (it) => it.list({ limit: 0 }), "limit"],
    ["a negative offset", (it) => it.list({ offset: -1 }), "offset"],
    ["an unknown filter", (it) => it.list({ status: "active" } as never), "status"],
    ["an unknown filter of the log", (it, id) => it.deliveries.list(id, { state: "x" } as never), "state"],
    ["an unknown status of deliveries", (it, id) => it.deliveries.list(id, { status: "lost" as never }), "status"],
    ["an unknown event of deliveries", (it, id) => it.deliveries.list(id, { event: ["x" as never] }), "event[0]"],
  ])("is named in another call: %s", async (_, call, field) => {
    const { id } = await bench.endpoint("a");
    const failure = await failureOf(call(bench.social.webhooks, id));
    expect(failure.code).toBe("invalid_request");
    expect(failure.details?.map((detail) => detail.field)).toEqual([field]);
  });
});
