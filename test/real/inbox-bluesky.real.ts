import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { serveSandbox } from "../../src/sandbox/serve.ts";
import type { SocialService } from "../../src/service.ts";
import { sqliteStorage } from "../../src/storage/sqlite/index.ts";
import { seededRandom } from "../prove/random.ts";
import { startPostgres } from "../support/postgres.ts";
import { startChild } from "./child.ts";
import { type RealAccount, type RealPds, startPds } from "./pds.ts";
import { readUntil } from "./read-until.ts";
import { startRedis } from "./redis.ts";
import type { ReplyErrand } from "./replier.ts";
import { everyText, killRepliers, settleReplies } from "./reply-kills.ts";
import { createRealService, type Wire } from "./service.ts";
import { type SkippingClock, skippingClock } from "./skipping-clock.ts";

/** Bluesky's whole network except messages, whose service is closed source. */
async function startNetwork(): Promise<{ pds: RealPds; stop(): Promise<void> } | string> {
  const postgres = await startPostgres();
  if (typeof postgres === "string") return postgres;
  const redis = await startRedis();
  if (typeof redis === "string") {
    await postgres.remove();
    return redis;
  }
  const pds = await startPds({}, { postgres: postgres.url, redis: `127.0.0.1:${redis.port}` });
  return {
    pds,
    async stop() {
      await pds.stop();
      await redis.remove();
      await postgres.remove();
    },
  };
}

const network = await startNetwork();
const timeoutMs = 400_000;
const burstTimeoutMs = 900_000;
const burst = 300;
const kills = 40;
const seed = Number(process.env.POSTRIDER_SEED ?? Date.now() % 100_000);

afterAll(async () => {
  if (typeof network !== "string") await network.stop();
  rmSync(folder, { recursive: true, force: true });
}, timeoutMs);

let rounds = 0;
const folder = mkdtempSync(join(tmpdir(), "postrider-bluesky-inbox-"));
const databaseOf = (round: number): string => join(folder, `${round}.db`);
let pds: RealPds;
let clock: SkippingClock;
let social: SocialService;
let fox: RealAccount;
let ann: RealAccount;
let profileId: string;
/** The fault of a request. */
let wire: Wire;

beforeEach(async () => {
  if (typeof network === "string") return;
  ({ pds } = network);
  rounds += 1;
  clock = skippingClock();
  wire = {};
  fox = await pds.addAccount(`fox${rounds}`, { privileged: true });
  ann = await pds.addAccount(`ann${rounds}`);
  const held: RealPds = {
    ...pds,
    async http(input, init) {
      const letTimePass = clock.hold();
      return pds.http(input, init).finally(letTimePass);
    },
  };
  social = createRealService(
    { pds: held, clock, scopes: ["publish", "inbox"], storage: sqliteStorage(databaseOf(rounds), { clock }) },
    {
      onRequest: (request) => wire.onRequest?.(request) ?? request,
      onResponse: (request, response) => wire.onResponse?.(request, response),
    },
  );
  const credentials = { identifier: fox.handle, app_password: fox.app_password };
  // No time is skipped meanwhile: later messages must not look older than the connection.
  profileId = (await social.profiles.connect({ network: "bluesky", credentials })).id;
}, timeoutMs);

const conversations = async () => (await social.inbox.conversations.list({ limit: 100 })).data;
const messagesOf = async (id = "") => (await social.inbox.conversations.messages(id)).data;
const readInboxUntil = (isDone: () => Promise<boolean>) => readUntil({ social, clock }, isDone, conversations);

/** The facets of a text, as users' own apps write them. */
function naming({ did, handle }: RealAccount, text: string): object {
  const index = { byteStart: 0, byteEnd: handle.length + 1 };
  return {
    text: `@${handle} ${text}`,
    facets: [{ index, features: [{ $type: "app.bsky.richtext.facet#mention", did }] }],
  };
}

async function publish(text: string): Promise<{ uri: string; cid: string }> {
  const post = await clock.run(() => social.posts.create({ profile_ids: [profileId], text }));
  expect(post.status).toBe("published");
  const [record] = await pds.records(fox.did);
  return { uri: record?.uri ?? "", cid: record?.cid ?? "" };
}

const given = { text: "We do.", idempotency_key: "answer-0001" };
const reply = (id: string) => clock.run(() => social.inbox.conversations.reply(id, given));
const isCommit = (url: string): boolean => url.endsWith(".applyWrites");

/** Returns the conversation's id. */
async function somebodyAsks(): Promise<string> {
  await pds.post(ann, naming(fox, "do you ship?"));
  await readInboxUntil(async () => (await conversations()).length === 1);
  return (await conversations())[0]?.id ?? "";
}

/** Repeated under its key, it exists once. */
async function expectOnce(conversation: string): Promise<void> {
  for (let looks = 0; looks < 3; looks++) {
    clock.skip(6 * 60_000);
    await clock.run(() => social.runDue());
  }
  const { external_id } = await reply(conversation);
  expect((await pds.records(fox.did)).map(({ uri }) => uri)).toEqual([external_id]);
}

describe.skipIf(typeof network === "string")("the inbox on Bluesky's own servers", () => {
  it("shows a mention, and the reply in its thread, once", { timeout: timeoutMs }, async () => {
    const asked = await pds.post(ann, naming(fox, "do you ship to Norway?"));
    await readInboxUntil(async () => (await conversations()).length === 1);
    const [conversation] = await conversations();
    expect(conversation).toMatchObject({ kind: "mention", unread_count: 1, participant: { id: ann.did } });
    const answer = await clock.run(() => social.inbox.conversations.reply(conversation?.id ?? "", { text: "We do." }));
    const records = await pds.records(fox.did);
    expect(records.map(({ uri }) => uri)).toEqual([answer.external_id]);
    expect(records[0]?.value).toMatchObject({ text: "We do.", reply: { root: asked, parent: asked } });
    await pds.post(ann, {
      text: "Lovely",
      reply: { root: asked, parent: { uri: records[0]?.uri, cid: records[0]?.cid } },
    });
    await readInboxUntil(async () => (await messagesOf(conversation?.id)).length === 3);
    // The reply is dated by a clock that skips its waits: their order proves nothing.
    expect((await messagesOf(conversation?.id)).map(({ text }) => text).sort()).toEqual([
      `@${fox.handle} do you ship to Norway?`,
      "Lovely",
      "We do.",
    ]);
    expect(await conversations()).toHaveLength(1);
  });

  it("groups comments by the first of them, and shows quotes with the quoted post", {
    timeout: timeoutMs,
  }, async () => {
    const post = await publish("Open on Sunday");
    const first = await pds.post(ann, { text: "Until when?", reply: { root: post, parent: post } });
    const second = await pds.post(ann, { text: "And on Monday?", reply: { root: post, parent: first } });
    await pds.post(ann, { text: "Not mine", reply: { root: post, parent: second } });
    await pds.post(ann, { text: "Look", embed: { $type: "app.bsky.embed.record", record: post } });
    await readInboxUntil(
      async () => (await conversations()).reduce((sum, { unread_count }) => sum + unread_count, 0) === 4,
    );
    const found = await conversations();
    expect(found.map(({ kind, unread_count }) => [kind, unread_count]).sort()).toEqual([
      ["comment", 3],
      ["mention", 1],
    ]);
    const [quote] = await messagesOf(found.find(({ kind }) => kind === "mention")?.id);
    expect(quote?.attachments).toMatchObject([{ type: "quote", uri: post.uri }]);
  });

  it("shows a message as deleted if its author deletes it, but not if it is only hidden", {
    timeout: timeoutMs,
  }, async () => {
    const kept = await pds.post(ann, naming(fox, "kept"));
    const removed = await pds.post(ann, naming(fox, "removed"));
    await readInboxUntil(async () => (await conversations()).length === 2);
    await pds.removePost(ann, removed.uri);
    const all = async () => (await Promise.all((await conversations()).map(({ id }) => messagesOf(id)))).flat();
    await readInboxUntil(async () => (await all()).some(({ deleted_at }) => deleted_at !== null));
    const shown = await all();
    expect(shown.find(({ external_id }) => external_id === removed.uri)).toMatchObject({ text: null });
    expect(shown.find(({ external_id }) => external_id === kept.uri)).toMatchObject({ deleted_at: null });
  });

  it.each(["before", "after"])(
    "finds a reply whose request or response was lost, %s it was carried out",
    { timeout: timeoutMs },
    async (when) => {
      const conversation = await somebodyAsks();
      let losses = 1;
      const lose = ({ url }: Request): void => {
        if (!isCommit(url) || losses === 0) return;
        losses -= 1;
        throw new TypeError("fetch failed", { cause: new Error("socket hang up") });
      };
      const loseBefore = (request: Request): Request => {
        lose(request);
        return request;
      };
      wire = when === "after" ? { onResponse: lose } : { onRequest: loseBefore };
      await reply(conversation).catch(() => undefined);
      await readInboxUntil(async () => (await pds.records(fox.did)).length === 1 || losses === 0);
      await expectOnce(conversation);
    },
  );

  it.each(["before", "after"])(
    "finds a reply whose process was killed %s its request was carried out",
    { timeout: timeoutMs },
    async (when) => {
      const conversation = await somebodyAsks();
      const line = await serveSandbox(async (input, init) => {
        if (!isCommit(new Request(input, init).url)) return pds.http(input, init);
        if (when === "after") await pds.http(input, init);
        child.kill("SIGKILL");
        return new Response(null, { status: 502 });
      });
      const errand = { database: databaseOf(rounds), aheadMs: clock.aheadMs(), conversationId: conversation, ...given };
      const child = await startChild("replier.ts", { ...errand, pds: { url: pds.url, lineUrl: line.url } });
      expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
      await line.close();
      expect(await pds.records(fox.did)).toHaveLength(when === "after" ? 1 : 0);
      await expectOnce(conversation);
    },
  );

  it(`shows all of a burst of ${burst} mentions, each once, and no gap`, { timeout: burstTimeoutMs }, async () => {
    const numbers = Array.from({ length: burst }, (_, index) => index);
    await pds.postAll(
      ann,
      numbers.map((number) => naming(fox, `number ${number}`)),
    );
    const total = async () => (await social.inbox.conversations.list()).pagination.total;
    const shown = async () => {
      const [status] = (await social.inbox.status()).data;
      return { total: await total(), gaps: status?.gaps, failures: status?.sources.map(({ failure }) => failure) };
    };
    await readUntil({ social, clock }, async () => (await total()) >= burst, shown);
    for (let looks = 0; looks < 3; looks++) {
      clock.skip(10 * 60_000);
      await clock.run(() => social.runDue());
    }
    const read = (await everyText(social, profileId)).map((text) => Number(/number (\d+)$/.exec(text)?.[1]));
    expect(read.sort((one, other) => one - other)).toEqual(numbers);
    expect((await social.inbox.status()).data[0]?.gaps).toEqual([]);
  });

  it("holds the owner's messages to strangers only once one of them replies, and then with that person", {
    timeout: timeoutMs,
  }, async () => {
    const post = await pds.post(ann, { text: "My cat is asleep" });
    const reply = await pds.post(fox, { text: "So is mine", reply: { root: post, parent: post } });
    const other = await pds.post(ann, naming(fox, "hello"));
    await readInboxUntil(async () => (await conversations()).length > 0);
    expect((await conversations()).map(({ external_id }) => external_id)).toEqual([other.uri]);
    const answer = await pds.post(ann, { text: "Lovely", reply: { root: post, parent: reply } });
    await readInboxUntil(async () => (await conversations()).length > 1);
    expect((await conversations()).map(({ kind, external_id }) => [kind, external_id]).sort()).toEqual([
      ["comment", answer.uri],
      ["mention", other.uri],
    ]);
    expect((await conversations()).map(({ participant }) => participant.id)).toEqual([ann.did, ann.did]);
  });

  it(`sends each of ${kills} replies once whose processes were killed at random (seed ${seed})`, {
    timeout: burstTimeoutMs,
  }, async () => {
    const questions = Array.from({ length: kills }, (_, index) => naming(fox, `question ${index}?`));
    await pds.postAll(ann, questions);
    await readInboxUntil(async () => (await conversations()).length === kills);
    const asked = new Set<Promise<Response>>();
    const line = await serveSandbox(async (input, init) => {
      const answer = pds.http(input, init);
      asked.add(answer);
      return answer.finally(() => asked.delete(answer));
    });
    const settle = async (): Promise<void> => {
      while (asked.size > 0) await Promise.allSettled(asked);
    };
    const errands = (await conversations()).map(({ id }, index) => ({
      database: databaseOf(rounds),
      aheadMs: clock.aheadMs(),
      conversationId: id,
      text: `Answer number ${index}.`,
      idempotency_key: `key-of-answer-${index}`,
      pds: { url: pds.url, lineUrl: line.url },
    }));
    const sentTimes = async ({ text }: ReplyErrand) =>
      (await pds.records(fox.did)).filter(({ value }) => value.text === text).length;
    const isSent = async (errand: ReplyErrand) => (await sentTimes(errand)) > 0;
    const sent = await killRepliers(errands, { random: seededRandom(seed), clock, isSent, settle });
    await line.close();
    expect({ isSpread: sent > 2 && sent < kills - 2, sent, seed }).toMatchObject({ isSpread: true });
    await settleReplies({ social, clock }, errands);
    const once = errands.map(() => 1);
    expect(await Promise.all(errands.map(sentTimes))).toEqual(once);
    const read = await everyText(social, profileId);
    expect(errands.map(({ text }) => read.filter((each) => each === text).length)).toEqual(once);
  });

  it("continues where the server knows no service for messages, and reports it", { timeout: timeoutMs }, async () => {
    await pds.post(ann, naming(fox, "hello"));
    await readInboxUntil(async () => (await conversations()).length === 1);
    const [status] = (await social.inbox.status()).data;
    expect(status?.sources.find(({ name }) => name === "chat")?.failure).toEqual(expect.any(String));
    expect(status?.sources.filter(({ name }) => name !== "chat").map(({ failure }) => failure)).toEqual([
      null,
      null,
      null,
    ]);
    expect((await social.profiles.list()).data[0]?.status).toBe("connected");
  });
});
