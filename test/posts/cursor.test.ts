import { describe, expect, it } from "vitest";
import type { ConversationRow, MessageRow } from "../../src/inbox/rows.ts";
import { isoTime } from "../../src/ports/clock.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import type { CollectionName } from "../../src/storage/schema.ts";
import { sqliteStorage } from "../../src/storage/sqlite/index.ts";
import type { Operation, Row } from "../../src/storage/storage.ts";
import { toRow } from "../../src/storage/typed.ts";
import { manualClock } from "../../src/testing/clock.ts";
import type { CursorPage } from "../../src/wire/pagination.ts";
import { conversationRow, messageRow } from "../bench/inbox-rows.ts";
import { createRest } from "../http/rest.ts";
import { type Random, seededRandom } from "../prove/random.ts";
import { connectBluesky } from "../support/connect.ts";
import { failureOf } from "../support/failure.ts";
import { createTestService, type TestService } from "../support/service.ts";
import { profileEvent, webhookBench } from "../support/webhooks.ts";

const seed = Number(process.env.POSTRIDER_SEED ?? Math.floor(Math.random() * 1e9));

/** One long list: how a row of it is stored, and how a page of it is read. */
interface LongList {
  insert(id: string, at: string): Operation[];
  erase(id: string): Operation[];
  page(query: { limit: number; cursor?: string }): Promise<CursorPage<{ id: string }>>;
}

const insert = (collection: CollectionName, row: Row): Operation => ({ kind: "insert", collection, row });
const erase = (collection: CollectionName, id: string): Operation => ({ kind: "delete", collection, id });

async function postsOf(service: TestService): Promise<LongList> {
  const { social, storage, clock } = service;
  const profile = await connectBluesky(service);
  const scheduled_at = isoTime(clock.now() + 86_400_000);
  const made = await clock.run(() => social.posts.create({ profile_ids: [profile.id], text: "Hills", scheduled_at }));
  const post = (await storage.get("posts", made.id)) as Row;
  const target = (await storage.find("targets", { where: { post_id: made.id } })).rows[0] as Row;
  await storage.write([erase("posts", post.id), erase("targets", target.id)]);
  return {
    insert: (id, created_at) => [
      insert("posts", { ...post, id, created_at }),
      insert("targets", { ...target, id: `tgt_${id}`, post_id: id, created_at }),
    ],
    erase: (id) => [erase("posts", id), erase("targets", `tgt_${id}`)],
    page: (query) => social.posts.list({ ...query, network: ["bluesky", "mastodon"], status: ["scheduled", "failed"] }),
  };
}

const people = conversationRow("cnv_people", Date.parse("2026-11-21T12:00:00Z"));

async function conversationsOf({ social }: TestService): Promise<LongList> {
  const row = (id: string, at: string): ConversationRow => ({ ...people, id, key: id, last_at: at, created_at: at });
  return {
    insert: (id, at) => [insert("conversations", toRow(row(id, at)))],
    erase: (id) => [erase("conversations", id)],
    page: (query) => social.inbox.conversations.list({ ...query, unread: true }),
  };
}

async function messagesOf({ social, storage }: TestService): Promise<LongList> {
  await storage.write([insert("conversations", toRow(people))]);
  const row = (id: string, at: string): MessageRow => ({ ...messageRow(people, 0), id, key: id, sent_at: at });
  return {
    insert: (id, at) => [insert("messages", toRow(row(id, at)))],
    erase: (id) => [erase("messages", id)],
    page: (query) => social.inbox.conversations.messages(people.id, query),
  };
}

async function deliveriesOf({
  social,
  storage,
  outbox,
  clock,
  endpoint,
}: ReturnType<typeof webhookBench>): Promise<LongList> {
  const webhook = await endpoint("a");
  await outbox.write([], profileEvent(), clock.now());
  const delivery = (await storage.find("deliveries", { where: {} })).rows[0] as Row;
  await storage.write([erase("deliveries", delivery.id)]);
  return {
    insert: (id, created_at) => [insert("deliveries", { ...delivery, id, created_at })],
    erase: (id) => [erase("deliveries", id)],
    page: (query) => social.webhooks.deliveries.list(webhook.id, { ...query, status: ["pending", "failed"] }),
  };
}

const lists = [
  ["posts", (storage: Stored) => postsOf(createTestService(storage))],
  ["conversations", (storage: Stored) => conversationsOf(createTestService(storage))],
  ["messages", (storage: Stored) => messagesOf(createTestService(storage))],
  ["deliveries", (storage: Stored) => deliveriesOf(webhookBench(storage))],
] as const;

type Stored = Pick<TestService, "clock" | "storage">;

const stores = [
  ["in memory", (): Promise<Stored> => withClock(memoryStorage)],
  ["in SQLite", (): Promise<Stored> => withClock((options) => sqliteStorage(":memory:", options))],
] as const;

async function withClock(open: typeof memoryStorage): Promise<Stored> {
  const clock = manualClock();
  const storage = open({ clock });
  await storage.migrate();
  return { clock, storage };
}

/** Few moments, so that many rows share one. */
const momentOf = (random: Random): string =>
  isoTime(Date.parse("2026-11-20T00:00:00Z") + random.between(1, 25) * 1_000);

/** Walks a list while other rows come and go at its beginning, its end and in between. */
async function walk(list: LongList, write: (operations: Operation[]) => Promise<void>, random: Random) {
  let number = 0;
  const add = (): string => {
    const id = `row_${random.between(100, 999)}_${number++}`;
    written.push(...list.insert(id, momentOf(random)));
    return id;
  };
  const written: Operation[] = [];
  const staying = Array.from({ length: 60 }, add);
  let passing = Array.from({ length: 40 }, add);
  await write(written.splice(0));
  const met: string[] = [];
  let page = await list.page({ limit: 7 });
  const { total } = page.pagination;
  for (;;) {
    met.push(...page.data.map(({ id }) => id));
    const { next_cursor: cursor, has_more } = page.pagination;
    expect(has_more).toBe(cursor !== null);
    if (cursor === null) return { met, staying, total, last: page.pagination };
    const [gone, left] = [passing.slice(0, 5), passing.slice(5)];
    // The row at which the page ended may go, too.
    const end = page.data.at(-1)?.id ?? "";
    const ending = left.includes(end) ? [end] : [];
    written.push(...[...gone, ...ending].flatMap((id) => list.erase(id)));
    passing = [...left.filter((id) => id !== end), ...Array.from({ length: random.between(0, 4) }, add)];
    await write(written.splice(0));
    page = await list.page({ limit: 7, cursor });
  }
}

describe.each(stores)("a walk by cursor %s", (_, open) => {
  it.each(lists)(
    `meets each of the %s that stay once, whatever is written and erased meanwhile (seed ${seed})`,
    async (_, listOf) => {
      const stored = await open();
      const list = await listOf(stored);
      const { met, staying, total, last } = await walk(list, (each) => stored.storage.write(each), seededRandom(seed));
      expect(new Set(met).size).toBe(met.length);
      expect(staying.filter((id) => !met.includes(id))).toEqual([]);
      expect(last).toMatchObject({ total, offset: expect.any(Number), next_cursor: null });
      expect(last.offset).toBeLessThan(met.length);
      await stored.storage.close();
    },
  );

  it("meets no conversation twice, and finds above its beginning those that a message has moved", async () => {
    const stored = await open();
    const list = await conversationsOf(createTestService(stored));
    const at = (second: number): string => isoTime(Date.parse("2026-11-20T00:00:00Z") + second * 1_000);
    const ids = Array.from({ length: 12 }, (_, number) => `cnv_${number}`);
    await stored.storage.write(ids.flatMap((id, number) => list.insert(id, at(number))));
    const first = await list.page({ limit: 5 });
    const change = { last_at: at(60) };
    await stored.storage.write([{ kind: "update", collection: "conversations", id: "cnv_2", change, where: {} }]);
    const met = first.data.map(({ id }) => id);
    for (let cursor = first.pagination.next_cursor; cursor !== null; ) {
      const { data, pagination } = await list.page({ limit: 5, cursor });
      met.push(...data.map(({ id }) => id));
      cursor = pagination.next_cursor;
    }
    expect(met).toEqual([...ids].reverse().filter((id) => id !== "cnv_2"));
    expect((await list.page({ limit: 1 })).data[0]?.id).toBe("cnv_2");
    await stored.storage.close();
  });
});

it("begins a walk at any offset, and says on each page where it stands", async () => {
  const service = createTestService();
  const list = await postsOf(service);
  const ids = Array.from({ length: 9 }, (_, number) => `post_${number}`);
  await service.storage.write(ids.flatMap((id) => list.insert(id, "2026-11-20T00:00:00.000Z")));
  const { social } = service;
  const { pagination } = await social.posts.list({ limit: 4, offset: 2 });
  expect(pagination).toEqual({ limit: 4, offset: 2, total: 9, has_more: true, next_cursor: expect.any(String) });
  const next = await social.posts.list({ limit: 2, cursor: pagination.next_cursor ?? "" });
  expect(next.data.map(({ id }) => id)).toEqual(["post_2", "post_1"]);
  expect(next.pagination).toMatchObject({ limit: 2, offset: 6, total: 9, has_more: true });
});

it("refuses a cursor that is none, and one beside an offset, and names the field", async () => {
  const { social } = createTestService();
  const texts = ['["a","b",-1,2]', '["a\\u0000","b",1,2]', '["a","b",1]'].map((text) =>
    Buffer.from(text).toString("base64url"),
  );
  const cursors = ["", "hello", "W10", ...texts, "x".repeat(1_001)];
  for (const cursor of cursors) {
    const { code, details } = await failureOf(social.posts.list({ cursor }));
    expect([cursor, code, details?.map(({ field }) => field)]).toEqual([cursor, "invalid_request", ["cursor"]]);
  }
  const right = Buffer.from('["2026-11-20T00:00:00.000Z","post_1",1,2]').toString("base64url");
  const { details } = await failureOf(social.posts.list({ cursor: right, offset: 3 }));
  expect(details?.map(({ field }) => field)).toEqual(["offset"]);
});

it("walks over REST as in process", async () => {
  const rest = await createRest();
  const list = await postsOf(rest);
  await rest.storage.write(["post_1", "post_2", "post_3"].flatMap((id) => list.insert(id, "2026-11-20T00:00:00.000Z")));
  const first = await rest.send("GET", "/v1/posts?limit=2");
  const cursor = String(first.body.meta?.pagination.next_cursor);
  const second = await rest.send("GET", `/v1/posts?limit=2&cursor=${cursor}`);
  const idsIn = (data: unknown): unknown[] => (data as { id: string }[]).map(({ id }) => id);
  expect([...idsIn(first.body.data), ...idsIn(second.body.data)]).toEqual(["post_3", "post_2", "post_1"]);
  expect(second.body.meta?.pagination).toEqual({ limit: 2, offset: 2, total: 3, has_more: false, next_cursor: null });
});
