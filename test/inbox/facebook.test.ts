import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createHandler } from "../../src/http/index.ts";
import type { CreateReply } from "../../src/inbox/schema.ts";
import { facebook } from "../../src/networks/facebook/index.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import type { Operation, Storage } from "../../src/storage/storage.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { createTestService, testBaseUrl } from "../support/service.ts";
import { type Bench, type BenchOptions, facebookApp, hookUrl, minuteMs, openBench } from "./facebook-bench.ts";

const readComment =
  "GET /:id?fields=id,message,created_time,from{id,name},parent{id,from{id,name},permalink_url},permalink_url,attachment";

/** Longer than any list waits, milliseconds. */
const aWhileMs = 20 * minuteMs;

describe("an inbox that Facebook does not let be read for now", () => {
  it("says so, and misses nothing once it can be read again", async () => {
    const { facebook: there, page, post, ann, clock, conversations, social } = await openBench({ hooks: false });
    there.limitReads(60 * 60);
    there.messageAs(ann, page, "Hello?");
    there.commentAs(ann, post, "Until when?");
    there.mentionAs(ann, page, "The Fox is lovely");
    await clock.advance(aWhileMs);
    expect(await conversations()).toEqual([]);
    const [{ sources = [] } = {}] = (await social.inbox.status()).data;
    const limited = sources.filter(({ failure }) => failure?.includes("rate limit is reached"));
    expect(limited.map(({ name }) => name)).toEqual(["messages", "comments", "tagged", "visitor_posts"]);
    await clock.advance(3 * 60 * minuteMs);
    expect((await conversations()).map(({ kind }) => kind).sort()).toEqual(["comment", "dm", "mention"]);
  });
});

describe.each([
  ["lists", { hooks: false }, aWhileMs],
  ["webhooks", {}, 1_000],
  ["webhooks sent three times", { ways: { times: 3 } }, 1_000],
] as const)("the inbox of a Facebook Page, by %s", (_, options, waitMs) => {
  it("shows messages with their person, comments by the first of them, and mentions", async () => {
    const { facebook: there, page, post, ann, clock, conversations, texts } = await openBench(options);
    there.messageAs(ann, page, "Do you ship to Norway? 🇳🇴");
    const comment = there.commentAs(ann, post, "Until when?");
    there.commentAs(ann, comment, "And on Monday?");
    there.mentionAs(ann, page, "The Fox is lovely");
    await clock.advance(waitMs);
    const found = await conversations();
    const shown = found.map(({ kind, unread_count, participant }) => [kind, unread_count, participant.name]);
    expect(shown.sort()).toEqual([
      ["comment", 2, "Ann Lee"],
      ["dm", 1, "Ann Lee"],
      ["mention", 1, "Ann Lee"],
    ]);
    const dm = found.find(({ kind }) => kind === "dm");
    expect(await texts(dm?.id)).toEqual([["inbound", "Do you ship to Norway? 🇳🇴"]]);
    await clock.advance(aWhileMs);
    const later = await conversations();
    expect(later.map(({ unread_count }) => unread_count).sort()).toEqual([1, 1, 2]);
  });

  it("has each reply once, whether it was given here or in Facebook's own app", async () => {
    const { facebook: there, page, post, ann, clock, conversations, texts, social } = await openBench(options);
    there.messageAs(ann, page, "Hello?");
    const comment = there.commentAs(ann, post, "Until when?");
    await clock.advance(waitMs);
    for (const { id, kind } of await conversations())
      await clock.run(() => social.inbox.conversations.reply(id, { text: `answer to a ${kind}` }));
    await clock.advance(1_000);
    there.answerByHand(ann, page, "By hand");
    await clock.advance(aWhileMs);
    const found = await conversations();
    const byKind = (wanted: string) => texts(found.find(({ kind }) => kind === wanted)?.id);
    expect(await byKind("comment")).toEqual([
      ["outbound", "answer to a comment"],
      ["inbound", "Until when?"],
    ]);
    expect(await byKind("dm")).toEqual([
      ["outbound", "By hand"],
      ["outbound", "answer to a dm"],
      ["inbound", "Hello?"],
    ]);
    expect(there.comments().filter(({ parent }) => parent === comment)).toHaveLength(1);
    expect(found).toHaveLength(2);
  });

  it("hides the Page's own comments without replies, and shows comments below its own as begun by others", async () => {
    const { facebook: there, post, ann, clock, conversations, social, profile } = await openBench(options);
    const published = await clock.run(() =>
      social.posts.create({
        profile_ids: [profile.id],
        text: "New",
        networks: { facebook: { first_comment: "More" } },
      }),
    );
    expect(published.status).toBe("published");
    const own = there.comments()[0];
    await clock.advance(aWhileMs);
    expect(await conversations()).toEqual([]);
    there.commentAs(ann, own?.id ?? post, "Nice");
    await clock.advance(aWhileMs);
    expect((await conversations()).map(({ kind, last_message }) => [kind, last_message.text])).toEqual([
      ["comment", "Nice"],
    ]);
  });
});

/** The sender and the recipient. */
const parties = { sender: { id: "7" }, recipient: { id: "8" } };

describe("Facebook's webhooks", () => {
  it("arrive from two seconds after the connection of a Page, and leave no gap, since lists bring earlier messages", async () => {
    const service = createTestService({ networks: [facebook({ app: facebookApp, scopes: ["publish", "inbox"] })] });
    const { social, sandbox, clock } = service;
    sandbox.facebook.sendHooksTo(createHandler(social));
    await clock.run(() => social.start());
    const { access_token, external_id: page } = sandbox.facebook.addPage({ name: "The Fox" });
    const credentials = { access_token, client_id: facebookApp.client_id };
    await clock.run(() => social.profiles.connect({ network: "facebook", credentials }));
    await clock.advance(2_000);
    sandbox.facebook.messageAs(sandbox.facebook.addFan("Ann"), page, "Hello?");
    await clock.advance(1_000);
    expect((await social.inbox.conversations.list()).data).toMatchObject([{ unread_count: 1 }]);
    expect((await social.inbox.status()).data).toMatchObject([{ gaps: [] }]);
  });

  it("let the lists rest for a quarter of an hour from the subscription on, before the first webhook", async () => {
    const { social, clock } = await openBench();
    for (let look = 0; look < 3; look++) {
      const [{ sources = [] } = {}] = (await social.inbox.status()).data;
      const pauses = sources
        .filter(({ name }) => ["messages", "comments"].includes(name))
        .map(({ read_at, next_at }) => Date.parse(next_at ?? "") - Date.parse(read_at ?? ""));
      expect(pauses).toEqual([15 * minuteMs, 15 * minuteMs]);
      await clock.advance(15 * minuteMs);
    }
  });

  it("that never come are replaced by the lists, which are then read more often", async () => {
    const bench = await openBench({ ways: { isSilent: true } });
    bench.facebook.messageAs(bench.ann, bench.page, "One");
    await bench.clock.advance(aWhileMs);
    expect(await bench.conversations()).toMatchObject([{ last_message: { text: "One" } }]);
    bench.facebook.messageAs(bench.ann, bench.page, "Two");
    await bench.clock.advance(5 * minuteMs);
    expect(await bench.conversations()).toMatchObject([{ last_message: { text: "Two" } }]);
  });

  it("are subscribed to once, at the app and at the Page, and read within a second", async () => {
    const bench = await openBench();
    bench.facebook.messageAs(bench.ann, bench.page, "Quick");
    await bench.clock.advance(1_000);
    expect(bench.facebook.hookAnswers()).toEqual([200]);
    expect(await bench.conversations()).toHaveLength(1);
  });

  it("change and delete comments, in whatever order they come", async () => {
    const { facebook: there, post, ann, clock, conversations, texts } = await openBench();
    const kept = there.commentAs(ann, post, "Untill when?");
    const removed = there.commentAs(ann, post, "Rude words");
    await clock.advance(1_000);
    there.editComment(kept, "Until when?");
    there.removeComment(removed);
    await clock.advance(1_000);
    const found = await conversations();
    expect(found.map(({ last_message }) => last_message.text).sort()).toEqual(["", "Until when?"]);
    const [edited] = found.filter(({ last_message }) => last_message.text !== "");
    expect(await texts(edited?.id)).toEqual([["inbound", "Until when?"]]);
  });

  it("that are lost are replaced by the lists, which are then read more often", async () => {
    const bench = await openBench();
    bench.facebook.messageAs(bench.ann, bench.page, "One");
    await bench.clock.advance(minuteMs);
    bench.facebook.unsubscribe(bench.page);
    bench.facebook.messageAs(bench.ann, bench.page, "Two");
    await bench.clock.advance(aWhileMs);
    const [dm] = await bench.conversations();
    expect(dm).toMatchObject({ unread_count: 2, last_message: { text: "Two" } });
    // Subscribed to again, they arrive again.
    const before = bench.facebook.hookAnswers().length;
    bench.facebook.messageAs(bench.ann, bench.page, "Three");
    await bench.clock.advance(1_000);
    expect(bench.facebook.hookAnswers().length).toBe(before + 1);
  });

  it("from a user whom Facebook does not name show the user once the lists do", async () => {
    const bench = await openBench();
    const error = { message: "(#17) User request limit reached", type: "OAuthException", code: 17 };
    const operation = "GET /:id?fields=first_name,last_name,profile_pic";
    bench.facebook.faults.add({ kind: "refuse", operation, answer: { status: 400, json: { error } } });
    bench.facebook.messageAs(bench.ann, bench.page, "Hello?");
    await bench.clock.advance(1_000);
    const names = async () => (await bench.conversations()).map(({ participant }) => participant.name);
    expect(await names()).toEqual([null]);
    await bench.clock.advance(aWhileMs);
    expect(await names()).toEqual(["Ann Lee"]);
  });

  it("about an object that Facebook refuses for good block no others, and are set aside", async () => {
    const bench = await openBench();
    const { clock } = bench;
    const error = { message: "(#10) Requires pages_read_engagement", type: "OAuthException", code: 10 };
    const answer = { status: 403, json: { error } };
    bench.facebook.faults.add({ kind: "refuse", operation: readComment, answer, times: 5 });
    bench.facebook.commentAs(bench.ann, bench.post, "Nobody may read this");
    await clock.advance(1_000);
    bench.facebook.messageAs(bench.ann, bench.page, "Hello?");
    await clock.advance(1_000);
    expect((await bench.conversations()).map(({ kind }) => kind)).toEqual(["dm"]);
    await clock.advance(3 * 3_600_000);
    expect((await bench.storage.find("hook_events", { where: { state: "new" } })).rows).toEqual([]);
    expect((await bench.storage.find("hook_events", { where: { state: "aside" } })).rows).toHaveLength(1);
  });

  it.each([
    ["a message in an unknown form", { messaging: [{ sender: { id: "7" }, text_v2: "Hello?" }] }],
    ["a new kind of thread event", { messaging: [{ ...parties, timestamp: 1, message_pinned: { mid: "m_1" } }] }],
    ["a comment without its id", { changes: [{ field: "feed", value: { item: "comment", verb: "add" } }] }],
    ["a mention without its time", { changes: [{ field: "mention", value: { post_id: "7_8", item: "post" } }] }],
  ])("that cannot be parsed are set aside, never dropped: %s", async (_, said) => {
    const { clock, handler, page, storage, conversations, facebook: there, ann } = await openBench();
    const body = JSON.stringify({ object: "page", entry: [{ id: page, time: 1, ...said }] });
    const request = new Request(hookUrl, { method: "POST", headers: signed(body), body });
    expect((await clock.run(() => handler(request))).status).toBe(200);
    await clock.advance(1_000);
    // A later version may parse it.
    expect((await storage.find("hook_events", { where: { state: "new" } })).rows).toHaveLength(1);
    there.messageAs(ann, page, "Hello?");
    await clock.advance(3 * 3_600_000);
    const [aside] = (await storage.find("hook_events", { where: { state: "aside" } })).rows;
    expect(aside?.private).toMatchObject({ body: expect.anything(), failures: 5 });
    expect(await conversations()).toHaveLength(1);
  });

  it.each([
    ["a like", { changes: [{ field: "feed", value: { item: "reaction", verb: "add", post_id: "7_8" } }] }],
    ["a field that the host has subscribed to itself", { changes: [{ field: "leadgen", value: { leadgen_id: 7 } }] }],
    ["an optin", { messaging: [{ ...parties, timestamp: 1, optin: { type: "one_time_notif_req" } }] }],
  ])("without inbox content are finished: %s", async (_, said) => {
    const { clock, handler, page, storage } = await openBench();
    const body = JSON.stringify({ object: "page", entry: [{ id: page, time: 1, ...said }] });
    await clock.run(() => handler(new Request(hookUrl, { method: "POST", headers: signed(body), body })));
    await clock.advance(1_000);
    expect((await storage.find("hook_events", { where: {} })).rows).toMatchObject([{ state: "done" }]);
  });

  it("are read once, and no longer make their inbox due, where the store's answer to that was lost", async () => {
    const clock = manualClock();
    const store = memoryStorage({ clock });
    let isLost = true;
    let claims = 0;
    const isTaken = (operation: Operation): boolean =>
      operation.collection === "hook_events" && operation.kind === "update";
    const storage: Storage = {
      ...store,
      migrate: () => store.migrate(),
      async write(operations) {
        await store.write(operations);
        if (!isLost || !operations.some(isTaken)) return;
        isLost = false;
        throw new Error("The answer was lost.");
      },
      async claim(...question) {
        claims += 1;
        // Otherwise it would never end.
        return claims > 2_000 ? [] : store.claim(...question);
      },
    };
    const bench = await openBench({ storage, clock });
    bench.facebook.messageAs(bench.ann, bench.page, "Hello?");
    await clock.advance(10 * minuteMs);
    expect(isLost).toBe(false);
    expect(await bench.conversations()).toMatchObject([{ unread_count: 1 }]);
    claims = 0;
    await clock.advance(minuteMs);
    expect(claims).toBeLessThan(200);
  });

  it("end with the last profile of a Page, unless another account needs them", async () => {
    const bench = await openBench();
    const { clock, facebook: there, page, social, profile } = bench;
    const other = social.forAccount("acct_other");
    const credentials = { access_token: bench.access_token, client_id: facebookApp.client_id };
    const second = await clock.run(() => other.profiles.connect({ network: "facebook", credentials }));
    there.messageAs(bench.ann, page, "Both of you?");
    await clock.advance(1_000);
    const lists = [bench.conversations(), other.inbox.conversations.list().then(({ data }) => data)];
    expect((await Promise.all(lists)).map((each) => each.map(({ unread_count }) => unread_count))).toEqual([[1], [1]]);
    await clock.run(() => social.profiles.disconnect(profile.id));
    expect(there.isSubscribed(page)).toBe(true);
    there.messageAs(bench.ann, page, "And now?");
    await clock.advance(1_000);
    expect((await other.inbox.conversations.list()).data).toMatchObject([{ unread_count: 2 }]);
    await clock.run(() => other.profiles.disconnect(second.id));
    expect(there.isSubscribed(page)).toBe(false);
  });

  it("about a disconnected profile are read only for the others, and not stored for it", async () => {
    const bench = await openBench();
    const { clock, facebook: there, page, ann, social, profile, storage } = bench;
    const other = social.forAccount("acct_other");
    const credentials = { access_token: bench.access_token, client_id: facebookApp.client_id };
    const second = await clock.run(() => other.profiles.connect({ network: "facebook", credentials }));
    await clock.run(() => social.profiles.disconnect(profile.id));
    const events = async () => (await storage.find("hook_events", { where: {} })).rows.map(({ inbox_id }) => inbox_id);
    there.messageAs(ann, page, "And now?");
    await clock.advance(1_000);
    expect(await events()).toEqual([second.id.replace("prof_", "inb_")]);
    await clock.run(() => other.profiles.disconnect(second.id));
    // Facebook may still be sending.
    const message = { mid: "m_late", text: "Anybody?" };
    const messaging = [{ sender: { id: ann }, recipient: { id: page }, timestamp: clock.now(), message }];
    const body = JSON.stringify({ object: "page", entry: [{ id: page, time: 1, messaging }] });
    const request = new Request(hookUrl, { method: "POST", headers: signed(body), body });
    expect((await clock.run(() => bench.handler(request))).status).toBe(200);
    expect((await events()).length).toBeLessThanOrEqual(1);
    expect((await storage.find("hook_events", { where: { state: "new" } })).rows).toEqual([]);
  });

  it("leave the Page subscriptions of the app's other programs unchanged", async () => {
    const bench = await openBench();
    const { clock, facebook: there, page, social, profile, access_token } = bench;
    expect(there.fieldsSent(page)).toContain("messages");
    there.subscribeByHand(page, ["leadgen", "feed"]);
    await clock.advance(8 * 60 * minuteMs);
    expect(there.fieldsSent(page)).toEqual(expect.arrayContaining(["leadgen", "feed", "messages"]));
    const credentials = { access_token, client_id: facebookApp.client_id };
    await clock.run(() => social.forAccount("acct_other").profiles.connect({ network: "facebook", credentials }));
    await clock.advance(aWhileMs);
    expect(there.fieldsSent(page)).toEqual(expect.arrayContaining(["leadgen", "feed", "messages"]));
    expect(await social.profiles.get(profile.id)).toMatchObject({ status: "connected" });
  });

  it.each([
    ["connected", true],
    ["needs_attention", true],
    ["disconnected", false],
  ])(
    "continue after the last Facebook profile of a Page while its Instagram account is %s: %s",
    async (status, goesOn) => {
      const bench = await openBench();
      const { clock, facebook: there, page, social, profile, storage } = bench;
      const [inbox] = (await storage.find("inboxes", { where: {} })).rows;
      if (inbox === undefined) throw new Error("There is no inbox.");
      const instagram = "17841400000000001";
      there.linkInstagram(page, instagram);
      const theirs = { network: "instagram", external_id: instagram, due_at: null };
      const at = new Date(clock.now()).toISOString();
      await storage.write([
        { kind: "insert", collection: "inboxes", row: { ...inbox, ...theirs, id: "inb_2", profile_id: "prof_2" } },
        {
          kind: "insert",
          collection: "profiles",
          row: { ...(await storage.get("profiles", profile.id)), ...theirs, id: "prof_2", status, created_at: at },
        },
      ]);
      await clock.run(() => social.profiles.disconnect(profile.id));
      expect(there.isSubscribed(page)).toBe(goesOn);
    },
  );

  it("that are forged are rejected, and nothing of them is stored", async () => {
    const bench = await openBench({ ways: { isForged: true } });
    bench.facebook.messageAs(bench.ann, bench.page, "Not from Facebook");
    await bench.clock.advance(1_000);
    expect(bench.facebook.hookAnswers()).toEqual([403]);
    expect((await bench.storage.find("hook_events", { where: {} })).rows).toEqual([]);
  });

  it.each([
    ["an unknown app", `${testBaseUrl}/hooks/facebook/1`, {}, 404],
    ["a network without webhooks", `${testBaseUrl}/hooks/bluesky/${facebookApp.client_id}`, {}, 404],
    ["no signature", hookUrl, {}, 403],
    ["a body of another kind", hookUrl, { body: "[1]" }, 400],
    ["a body that is too large", hookUrl, { body: "x".repeat(3_000_001) }, 413],
    ["a body of too many levels", hookUrl, { body: messageOf(`${"[".repeat(30_000)}${"]".repeat(30_000)}`) }, 400],
    ["a body of too many values", hookUrl, { body: messageOf(`[${"[],".repeat(60_000)}[]]`) }, 400],
    ["another method", hookUrl, { method: "PUT" }, 405],
    [
      "a handshake with a wrong token",
      `${hookUrl}?hub.mode=subscribe&hub.challenge=1&hub.verify_token=x`,
      { method: "GET" },
      403,
    ],
  ] as const)("respond to %s with the reason", async (_, url, given: { method?: string; body?: string }, status) => {
    const { handler, clock } = await openBench();
    const { method = "POST", body = "{}" } = given;
    const headers = given.body === undefined ? {} : signed(body);
    const request = new Request(url, { method, headers, ...(method === "GET" ? {} : { body }) });
    expect((await clock.run(() => handler(request))).status).toBe(status);
  });

  it("that are not verified are read only up to the network's limit, where each account has its own app", async () => {
    const { handler, clock } = await openBench({ app: () => facebookApp });
    const body = messageOf(`${"[".repeat(30_000)}${"]".repeat(30_000)}`);
    const request = new Request(hookUrl, { method: "POST", body });
    expect((await clock.run(() => handler(request))).status).toBe(403);
  });

  it("are not subscribed to by a service without a public URL, which reads the lists instead", async () => {
    const bench = await openBench();
    await bench.clock.run(() => bench.social.stop());
    let requests = 0;
    const counted: typeof fetch = (input, init) => {
      requests += 1;
      return bench.sandbox.http(input, init);
    };
    const { social } = createTestService({
      networks: [facebook({ app: facebookApp, scopes: ["publish", "inbox"] })],
      baseUrl: "http://127.0.0.1:3000",
      clock: bench.clock,
      storage: bench.storage,
      http: counted,
    });
    await bench.clock.run(() => social.start());
    await bench.clock.advance(8 * 60 * minuteMs);
    bench.facebook.commentAs(bench.ann, bench.post, "Until when?");
    await bench.clock.advance(aWhileMs);
    expect(requests).toBeLessThan(600);
    expect((await social.inbox.conversations.list()).pagination.total).toBe(1);
    await bench.clock.run(() => social.stop());
  });

  it("reach only the inboxes of their own app", async () => {
    const bench = await openBench({ hooks: false });
    const message = { mid: "m_1", text: "Hello" };
    const messaging = [{ sender: { id: "9" }, recipient: { id: bench.page }, timestamp: bench.clock.now(), message }];
    const body = JSON.stringify({ object: "page", entry: [{ id: bench.page, time: 1, messaging }] });
    const request = new Request(hookUrl, { method: "POST", headers: signed(body), body });
    expect((await bench.clock.run(() => bench.handler(request))).status).toBe(200);
    await bench.clock.advance(aWhileMs);
    expect(await bench.conversations()).toEqual([]);
  });

  it.each(["4001", "2204567890123456", "9007199254740993", "17841400000000000001"])(
    "keep ids that are written as numbers: %s",
    async (id) => {
      const { clock, handler, page, conversations } = await openBench();
      const said = `"timestamp":${clock.now()},"message":{"mid":"m_1","text":"Hello"}`;
      const body = `{"object":"page","entry":[{"id":${page},"messaging":[{"sender":{"id":${id}},"recipient":{"id":${page}},${said}}]}]}`;
      const request = new Request(hookUrl, { method: "POST", headers: signed(body), body });
      expect((await clock.run(() => handler(request))).status).toBe(200);
      await clock.advance(1_000);
      expect((await conversations()).map(({ participant }) => participant.id)).toEqual([id]);
    },
  );

  it("are rejected from an account that names another's app with an invented secret", async () => {
    const madeUp = { ...facebookApp, client_secret: "made-up" };
    const bench = await openBench({ app: (id) => (id === "mallory" ? madeUp : facebookApp) });
    const { social, clock, facebook: there, handler, page } = bench;
    const own = there.addPage({ name: "Mallory's" });
    const credentials = { access_token: own.access_token, client_id: facebookApp.client_id };
    await clock.run(() => social.forAccount("mallory").profiles.connect({ network: "facebook", credentials }));
    for (const [text, pages, secret, status] of [
      ["Forged", [page], madeUp.client_secret, 403],
      ["ForgedBesideItsOwn", [own.external_id, page], madeUp.client_secret, 200],
      ["Real", [page], facebookApp.client_secret, 200],
    ] as const) {
      const message = { mid: `m_${text}`, text };
      const entry = pages.map((id) => ({
        id,
        time: 1,
        messaging: [{ sender: { id: `${text.length}` }, recipient: { id }, timestamp: clock.now(), message }],
      }));
      const body = JSON.stringify({ object: "page", entry });
      const request = new Request(hookUrl, { method: "POST", headers: signed(body, secret), body });
      expect((await clock.run(() => handler(request))).status).toBe(status);
    }
    await clock.advance(aWhileMs);
    expect((await bench.conversations()).map(({ last_message }) => last_message.text)).toEqual(["Real"]);
  });

  it.each([
    ["its own app", () => facebookApp, 429],
    ["the host's app", facebookApp, 200],
  ] as const)("of one hour, signed by an account with %s, fill the store up to a limit", async (_, app, status) => {
    const { clock, storage, handler, page } = await openBench({ app });
    const now = clock.now();
    const key = `hooks/default/${Math.floor(now / 3_600_000)}`;
    await storage.increment({ key, by: 99_997_000, now, expiresAt: now + 3_600_000 });
    const send = async (text: string): Promise<number> => {
      const messaging = [
        { sender: { id: "9" }, recipient: { id: page }, timestamp: now, message: { mid: text, text } },
      ];
      const body = JSON.stringify({ object: "page", entry: [{ id: page, time: 1, messaging }] });
      return (await clock.run(() => handler(new Request(hookUrl, { method: "POST", headers: signed(body), body }))))
        .status;
    };
    expect([await send("The last"), await send("One more")]).toEqual([200, status]);
    expect((await storage.find("hook_events", { where: {} })).total).toBe(status === 200 ? 2 : 1);
    await clock.advance(60 * minuteMs);
    expect(await send("One more")).toBe(200);
  });

  it("are verified with their own account's secret, however many other accounts name the app", async () => {
    const madeUp = { ...facebookApp, client_secret: "made-up" };
    const bench = await openBench({ app: (id) => (id.startsWith("mallory") ? madeUp : facebookApp) });
    const { clock, storage, facebook: there, page, ann } = bench;
    const [own] = (await storage.find("inboxes", { where: {} })).rows;
    if (own === undefined) throw new Error("There is no inbox.");
    for (let number = 0; number < 200; number++) {
      const theirs = { id: `inb_${number}`, account_id: `mallory${number}`, profile_id: `prof_${number}` };
      const row = { ...own, ...theirs, external_id: `9${number}`, due_at: null };
      await storage.write([{ kind: "insert", collection: "inboxes", row }]);
    }
    there.messageAs(ann, page, "Still here");
    await clock.advance(1_000);
    expect(await bench.conversations()).toHaveLength(1);
  });

  it("for another service of the app are rejected", async () => {
    const bench = await openBench();
    const other = createTestService({
      networks: [facebook({ app: facebookApp, scopes: ["publish", "inbox"] })],
      baseUrl: "https://staging.example.com",
      clock: bench.clock,
      http: bench.sandbox.http,
      untrustedHttp: bench.sandbox.untrustedHttp,
    });
    await bench.clock.run(() => other.social.start());
    const { access_token } = bench.facebook.addPage({ name: "The Other Fox" });
    const credentials = { access_token, client_id: facebookApp.client_id };
    await bench.clock.run(() => other.social.profiles.connect({ network: "facebook", credentials }));
    await bench.clock.advance(aWhileMs);
    const [status] = (await other.social.inbox.status()).data;
    expect(status?.hooks).toMatchObject({ subscribed_at: null, failure: expect.stringContaining("app.example.com") });
    bench.facebook.messageAs(bench.ann, bench.page, "Still here");
    await bench.clock.advance(1_000);
    expect(await bench.conversations()).toHaveLength(1);
    await bench.clock.run(() => other.social.stop());
  });
});

/** A body with one message. */
function messageOf(json: string): string {
  return `{"object":"page","entry":[{"id":"1","messaging":[{"message":${json}}]}]}`;
}

function signed(body: string, secret = facebookApp.client_secret): Record<string, string> {
  const signature = createHmac("sha256", secret).update(body).digest("hex");
  return { "content-type": "application/json", "x-hub-signature-256": `sha256=${signature}` };
}

describe("a reply on Facebook", () => {
  const opened = async (options: BenchOptions = {}): Promise<Bench & { id: string }> => {
    const bench = await openBench(options);
    bench.facebook.messageAs(bench.ann, bench.page, "Hello?");
    await bench.clock.advance(1_000);
    const [dm] = await bench.conversations();
    return { ...bench, id: dm?.id ?? "" };
  };

  it("is rejected before anything is sent when it is too long", async () => {
    const { social, clock, id, facebook: there } = await opened();
    const refused = clock.run(() => social.inbox.conversations.reply(id, { text: "x".repeat(2_001) }));
    await expect(refused).rejects.toMatchObject({ code: "publish_failed", details: [{ code: "invalid_request" }] });
    expect(there.messages()).toHaveLength(1);
  });

  it("is rejected where its text names the Page elsewhere", async () => {
    const bench = await openBench();
    bench.facebook.mentionAs(bench.ann, bench.page, "The Fox is lovely");
    await bench.clock.advance(1_000);
    const [mention] = await bench.conversations();
    const refused = bench.clock.run(() =>
      bench.social.inbox.conversations.reply(mention?.id ?? "", { text: "Thanks" }),
    );
    await expect(refused).rejects.toMatchObject({ details: [{ code: "unsupported" }] });
  });

  it("to a comment below the Page's own is looked for where Facebook puts it", async () => {
    const { social, clock, facebook: there, profile, ann, conversations } = await openBench();
    const posted = await clock.run(() =>
      social.posts.create({
        profile_ids: [profile.id],
        text: "New",
        networks: { facebook: { first_comment: "More" } },
      }),
    );
    expect(posted.status).toBe("published");
    there.commentAs(ann, there.comments()[0]?.id ?? "", "Nice");
    await clock.advance(1_000);
    const [comment] = await conversations();
    // Facebook sends no event about it: only a look can find it.
    there.changeHooks({ isSilent: true });
    there.faults.add({ kind: "drop_after", operation: "commit" });
    const answer = () =>
      social.inbox.conversations.reply(comment?.id ?? "", { text: "Thanks", idempotency_key: "answer-0001" });
    await clock.run(() => answer().catch(() => {}));
    await clock.advance(aWhileMs);
    expect(await clock.run(answer)).toMatchObject({ text: "Thanks" });
    expect(there.comments().filter(({ message }) => message === "Thanks")).toHaveLength(1);
  });

  it.each([
    ["is rejected", [], "rejected_by_network"],
    ["has an unknown outcome, where the response was lost", ["drop_after"], "timeout"],
  ] as const)("to a comment that is gone %s, and leaves the Page connected", async (_, faults, code) => {
    const bench = await openBench();
    const { facebook: there, post, ann, clock, conversations, social, profile } = bench;
    const comment = there.commentAs(ann, post, "Until when?");
    await clock.advance(1_000);
    const [asked] = await conversations();
    // No event says that it is removed.
    there.changeHooks({ isSilent: true });
    for (const kind of faults) there.faults.add({ kind, operation: "commit" });
    if (faults.length === 0) there.removeComment(comment);
    const reply = { text: "Until six.", idempotency_key: "ticket-4711" };
    const answering = clock.run(() => social.inbox.conversations.reply(asked?.id ?? "", reply));
    await expect(answering).rejects.toMatchObject({ code: "publish_failed", details: [{ code }] });
    if (faults.length > 0) there.removeComment(comment);
    await clock.advance(aWhileMs);
    expect(await social.profiles.get(profile.id)).toMatchObject({ status: "connected" });
  });

  it.each(["drop_after", "drop_before"] as const)(
    "whose response was lost (%s) exists at most once, and its outcome is known in the end",
    async (kind) => {
      const { social, clock, id, facebook: there, texts } = await opened();
      there.faults.add({ kind, operation: "commit" });
      const answer = () => social.inbox.conversations.reply(id, { text: "We do.", idempotency_key: "answer-0001" });
      await clock.run(() => answer().catch(() => {}));
      await clock.advance(aWhileMs);
      const sent = () => there.messages().filter(({ text }) => text === "We do.").length;
      expect(sent()).toBe(kind === "drop_after" ? 1 : 0);
      await clock.run(answer);
      await clock.advance(aWhileMs);
      expect(sent()).toBe(1);
      expect(await texts(id)).toEqual([
        ["outbound", "We do."],
        ["inbound", "Hello?"],
      ]);
    },
  );
});

describe("Facebook's data about a thread", () => {
  async function answered() {
    const bench = await openBench();
    const { facebook: there, page, ann, clock, social, conversations } = bench;
    there.messageAs(ann, page, "Hello?");
    await clock.advance(minuteMs);
    const [found] = await conversations();
    const id = found?.id ?? "";
    const { id: answer } = await clock.run(() => social.inbox.conversations.reply(id, { text: "Good day" }));
    await clock.advance(minuteMs);
    const shown = async (message = answer) =>
      (await social.inbox.conversations.messages(id)).data.find((each) => each.id === message);
    return { ...bench, id, answer, shown };
  }

  it("says when a reply was delivered and read, and nothing of later ones", async () => {
    const { facebook: there, page, ann, clock, social, id, shown } = await answered();
    expect(await shown()).toMatchObject({ delivered_at: null, read_at: null });
    there.readAs(ann, page);
    const now = new Date(clock.now()).toISOString();
    await clock.advance(minuteMs);
    expect(await shown()).toMatchObject({ delivered_at: now, read_at: now });
    const later = await clock.run(() => social.inbox.conversations.reply(id, { text: "One more" }));
    await clock.advance(aWhileMs);
    expect(await shown(later.id)).toMatchObject({ delivered_at: null, read_at: null });
    expect(await shown()).toMatchObject({ read_at: now });
  });

  it("follows Facebook's clock, even for a reply that took long", async () => {
    const { facebook: there, page, ann, clock, social, id, shown } = await answered();
    there.changeHooks({ lateSeconds: 60 });
    there.faults.add({ kind: "slow", operation: "POST /:id/messages", seconds: 4 });
    const late = await clock.run(() => social.inbox.conversations.reply(id, { text: "Took long" }));
    const sentAt = new Date(there.messages().at(-1)?.created_at ?? 0).toISOString();
    expect(late.sent_at > sentAt).toBe(true);
    there.readAs(ann, page);
    await clock.advance(aWhileMs);
    expect(await shown(late.id)).toMatchObject({ sent_at: sentAt, read_at: expect.any(String) });
  });

  it("keeps the first time, and ignores a late or unknown receipt", async () => {
    const { facebook: there, page, ann, clock, shown, conversations } = await answered();
    there.readAs(ann, page);
    await clock.advance(minuteMs);
    const first = (await shown())?.read_at;
    there.readAs(ann, page);
    there.readAs(there.addFan("Bob"), page);
    await clock.advance(minuteMs);
    expect((await shown())?.read_at).toBe(first);
    expect(await conversations()).toHaveLength(1);
  });

  it("shows how a user came to an existing thread", async () => {
    const { facebook: there, page, ann, clock, conversations } = await answered();
    expect((await conversations())[0]?.referral).toBe(null);
    there.referAs(ann, page, "sunday-sale");
    there.referAs(there.addFan("Bob"), page, "of-nobody");
    await clock.advance(minuteMs);
    const found = await conversations();
    expect(found.map(({ referral }) => referral)).toEqual([expect.objectContaining({ ref: "sunday-sale" })]);
    there.messageAs(ann, page, "Is this still on?", "ad-7");
    await clock.advance(minuteMs);
    expect((await conversations())[0]?.referral).toMatchObject({ ad_id: "ad-7" });
  });
});

describe("Facebook's time limit for replies", () => {
  const hourMs = 60 * minuteMs;

  async function opened(options: BenchOptions = {}) {
    const bench = await openBench(options);
    const { facebook: there, page, ann, clock, social, conversations } = bench;
    const message = there.messageAs(ann, page, "Hello?");
    await clock.advance(1_000);
    const dm = async () => (await conversations()).find(({ kind }) => kind === "dm");
    const id = (await dm())?.id ?? "";
    const reply = (given: CreateReply) => clock.run(() => social.inbox.conversations.reply(id, given));
    const [first] = (await social.inbox.conversations.messages(id)).data;
    const answers = () =>
      there.messages().flatMap(({ isOwn, text, tag }) => (isOwn ? [[text, tag ?? "RESPONSE"]] : []));
    return { ...bench, dm, id, message, first, reply, answers };
  }

  const isoIn = (clock: { now(): number }, hours: number) => new Date(clock.now() + hours * hourMs).toISOString();

  it("is shown with the conversation", async () => {
    const bench = await openBench();
    const until = isoIn(bench.clock, 24);
    bench.facebook.messageAs(bench.ann, bench.page, "Hello?");
    bench.facebook.commentAs(bench.ann, bench.post, "Until when?");
    await bench.clock.advance(1_000);
    const found = await bench.conversations();
    expect(found.map(({ kind, reply_until }) => [kind, reply_until]).sort()).toEqual([
      ["comment", null],
      ["dm", until],
    ]);
  });

  it("follows Facebook's own field, not the events: a lost webhook blocks no reply", async () => {
    const { facebook: there, ann, page, clock, reply, answers } = await opened();
    await clock.advance(30 * hourMs);
    there.changeHooks({ isSilent: true });
    there.messageAs(ann, page, "Still there?");
    await reply({ text: "We are" });
    expect(answers()).toEqual([["We are", "RESPONSE"]]);
  });

  it("follows the last act, whichever message is answered", async () => {
    const { facebook: there, ann, page, clock, reply, answers, first } = await opened({ humanAgent: true });
    await clock.advance(30 * hourMs);
    there.messageAs(ann, page, "Still there?");
    await clock.advance(1_000);
    await reply({ text: "We are", reply_to: first?.id ?? "", by: "person" });
    expect(answers()).toEqual([["We are", "RESPONSE"]]);
  });

  it.each<[string, number, (bench: Bench & { message: string }) => void]>([
    ["a message", 24, ({ facebook: there, ann, page }) => there.messageAs(ann, page, "And now?")],
    ["a message by an ad", 168, ({ facebook: there, ann, page }) => there.messageAs(ann, page, "And now?", "ad-7")],
    ["a reaction", 24, ({ facebook: there, ann, page, message }) => there.reactAs(ann, page, message, "👍")],
    ["a button", 24, ({ facebook: there, ann, page }) => there.pressAs(ann, page, { title: "Yes", payload: "YES" })],
    ["a link", 24, ({ facebook: there, ann, page }) => there.referAs(ann, page, "sunday-sale")],
    ["a comment on a post", 24, ({ facebook: there, ann, post }) => there.commentAs(ann, post, "Lovely")],
    ["a post on the Page", 24, ({ facebook: there, ann, page }) => there.mentionAs(ann, page, "Hi", "visitor_posts")],
  ])("begins again with %s, for %i hours", async (_, hours, act) => {
    const bench = await opened({ humanAgent: true });
    const { clock, dm, reply, answers } = bench;
    await clock.advance(30 * hourMs);
    const until = isoIn(clock, hours);
    act(bench);
    await clock.advance(aWhileMs);
    expect((await dm())?.reply_until).toBe(until);
    await clock.advance((hours - 1) * hourMs);
    await reply({ text: "Here we are", by: "person" });
    expect(answers()).toEqual([["Here we are", "RESPONSE"]]);
  });

  it("is the latest that any act gave, not that of the last act", async () => {
    const { facebook: there, ann, page, clock, dm } = await opened();
    const until = isoIn(clock, 168);
    there.messageAs(ann, page, "By an ad", "ad-7");
    await clock.advance(hourMs);
    there.messageAs(ann, page, "And one more");
    await clock.advance(1_000);
    expect((await dm())?.reply_until).toBe(until);
  });

  it.each<[string, boolean, CreateReply["by"], number, string[]]>([
    [
      "a human's reply after a day goes out with the human tag where the app may use it",
      true,
      "person",
      25,
      ["HUMAN_AGENT"],
    ],
    ["a human's reply within a day goes out like any other", true, "person", 23, ["RESPONSE"]],
    ["a program's reply after a day is refused by Facebook", true, "automation", 25, []],
    ["a reply after a day not marked as a human's is refused by Facebook", true, undefined, 25, []],
    ["a human's reply after a day is refused by Facebook where the app may not send it", false, "person", 25, []],
    ["a human's reply after a week is refused by Facebook", true, "person", 169, []],
  ])("decides how it goes out: %s", async (_, humanAgent, by, hours, tags) => {
    const { clock, reply, answers, social, profile } = await opened({ humanAgent });
    await clock.advance(hours * hourMs);
    const text = "Sorry, late";
    const answered = reply({ text, ...(by && { by }) });
    if (tags.length === 0) await expect(answered).rejects.toMatchObject({ details: [{ code: "rejected_by_network" }] });
    else await answered;
    expect(answers()).toEqual(tags.map((tag) => [text, tag]));
    expect(await social.profiles.get(profile.id)).toMatchObject({ status: "connected" });
  });
});

describe("an attachment on Facebook", () => {
  type Given = Parameters<Bench["facebook"]["sendAs"]>[2];
  const url = "https://scontent.xx.fbcdn.net/v/1.jpg";

  async function shown(act: (bench: Bench) => void, options: BenchOptions = {}, waitMs = 1_000) {
    const bench = await openBench(options);
    act(bench);
    await bench.clock.advance(waitMs);
    const [conversation] = await bench.conversations();
    const { data } = await bench.social.inbox.conversations.messages(conversation?.id ?? "");
    return { ...bench, conversation, messages: data };
  }

  it.each<[string, Given, object[]]>([
    ["an image", { attachments: [{ type: "image", payload: { url } }] }, [{ type: "image", url }]],
    [
      "a place",
      { attachments: [{ type: "location", title: "The Fox", payload: { coordinates: { lat: 59.9, long: 10.7 } } }] },
      [{ type: "location", url: null, title: "The Fox", coordinates: { lat: 59.9, long: 10.7 } }],
    ],
    [
      "a link",
      { attachments: [{ type: "fallback", title: "A fox", url: "https://example.com/fox" }] },
      [{ type: "fallback", url: "https://example.com/fox", title: "A fox" }],
    ],
    [
      "a product",
      { attachments: [{ type: "template", payload: { product: { elements: [{ id: "7", title: "A scarf" }] } } }] },
      [{ type: "template", url: null, product: { elements: [{ id: "7", title: "A scarf" }] } }],
    ],
    [
      "a story to which it replies",
      { text: "Lovely", reply_to: { story: { url, id: "17" } } },
      [{ type: "story", url, id: "17" }],
    ],
    [
      "a selected option",
      { text: "Red", quick_reply: { payload: "COLOUR_RED" } },
      [{ type: "quick_reply", url: null, payload: "COLOUR_RED" }],
    ],
    ["content that Facebook hides from programs", { is_unsupported: true }, [{ type: "unsupported", url: null }]],
    ["an unknown kind", {}, [{ type: "unsupported", url: null }]],
  ])("is shown: %s", async (_, given, attachments) => {
    const { messages } = await shown(({ facebook: there, ann, page }) => there.sendAs(ann, page, given));
    expect(messages).toMatchObject([{ text: given.text ?? null, attachments }]);
  });

  it.each<[string, Given, object[]]>([
    [
      "a file",
      { attachments: [{ type: "file", payload: { url, name: "a.pdf" } }] },
      [{ type: "application", url, name: "a.pdf" }],
    ],
    [
      "a link",
      { attachments: [{ type: "fallback", title: "A fox", url: "https://example.com/fox" }] },
      [{ type: "link", url: "https://example.com/fox", name: "A fox" }],
    ],
    ["an unknown kind", {}, [{ type: "unsupported", url: null }]],
  ])("is shown by the lists: %s", async (_, given, attachments) => {
    const act = ({ facebook: there, ann, page }: Bench) => there.sendAs(ann, page, given);
    const { messages } = await shown(act, { hooks: false }, aWhileMs);
    expect(messages).toMatchObject([{ attachments }]);
  });

  it.each([
    ["webhooks", {}, 1_000],
    ["lists", { hooks: false }, aWhileMs],
  ] as const)("is shown by %s with comments, and posts that name the Page", async (_, options, waitMs) => {
    const address = "https://l.facebook.com/l.php?u=https%3A%2F%2Fexample.com%2Ffox&h=AT0";
    const link = {
      type: "share",
      title: "A fox",
      description: "It is red",
      url: address,
      media: { image: { src: url } },
    };
    const seen = {
      type: "share",
      url: "https://example.com/fox",
      title: "A fox",
      description: "It is red",
      image_url: url,
    };
    const photo = { type: "photo", url: "https://www.facebook.com/photo/1", media: { image: { src: url } } };
    for (const act of [
      ({ facebook: there, ann, post }: Bench) => there.commentAs(ann, post, "See", link),
      ({ facebook: there, ann, page }: Bench) => there.mentionAs(ann, page, "See", "tagged", [link]),
    ])
      expect((await shown(act, options, waitMs)).messages).toMatchObject([{ attachments: [seen] }]);
    const { messages } = await shown(
      ({ facebook: there, ann, post }) => there.commentAs(ann, post, "", photo),
      options,
      waitMs,
    );
    expect(messages).toMatchObject([{ attachments: [{ type: "photo", url }] }]);
  });

  it("of a button that is pressed twice is shown, though Facebook gives no id", async () => {
    const button = { title: "Yes", payload: "YES" };
    const {
      facebook: there,
      ann,
      page,
      clock,
      social,
      conversation,
    } = await shown(({ facebook: at, ann: by, page: on }) => at.pressAs(by, on, button));
    there.changeHooks({ times: 2 });
    there.pressAs(ann, page, button);
    await clock.advance(1_000);
    const { data } = await social.inbox.conversations.messages(conversation?.id ?? "");
    const pressed = { text: "Yes", attachments: [{ type: "postback", url: null, payload: "YES" }] };
    expect(data).toMatchObject([pressed, pressed]);
    expect(data.map(({ external_id }) => external_id)).toEqual([undefined, undefined]);
  });

  it("includes the message to which it replies", async () => {
    const {
      facebook: there,
      ann,
      page,
      clock,
      social,
      messages,
      conversation,
    } = await shown(({ facebook: at, ann: by, page: on }) => at.messageAs(by, on, "Red?"));
    there.sendAs(ann, page, { text: "I meant that", reply_to: { mid: messages[0]?.external_id ?? "" } });
    await clock.advance(1_000);
    const { data } = await social.inbox.conversations.messages(conversation?.id ?? "");
    expect(data.map(({ reply_to }) => reply_to)).toEqual([messages[0]?.id, null]);
  });

  it("includes the sender's name and a URL, however it came", async () => {
    const {
      facebook: there,
      ann,
      page,
      post,
      clock,
      conversations,
      social,
    } = await shown((bench) => bench.facebook.messageAs(bench.ann, bench.page, "One"));
    there.messageAs(ann, page, "Two");
    there.commentAs(ann, post, "Three");
    there.mentionAs(ann, page, "Four");
    await clock.advance(1_000);
    const found = await conversations();
    expect(
      found.map(({ kind, url: address }) => [kind, address?.startsWith("https://www.facebook.com/")]).sort(),
    ).toEqual([
      ["comment", true],
      ["dm", true],
      ["mention", true],
    ]);
    const dm = found.find(({ kind }) => kind === "dm");
    const { data } = await social.inbox.conversations.messages(dm?.id ?? "");
    expect(data.map(({ author }) => author.name)).toEqual(["Ann Lee", "Ann Lee"]);
  });
});
