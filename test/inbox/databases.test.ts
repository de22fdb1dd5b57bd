import { afterAll, describe, expect, it } from "vitest";
import { createHandler } from "../../src/http/index.ts";
import { facebook } from "../../src/networks/facebook/index.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { type ManualClock, manualClock } from "../../src/testing/clock.ts";
import { allRows } from "../support/all-rows.ts";
import { startDatabases } from "../support/databases.ts";
import { createTestService } from "../support/service.ts";
import { facebookApp, minuteMs, openBench } from "./facebook-bench.ts";

const databases = await startDatabases();
afterAll(() => databases.remove());

/** A Page's inbox in two processes; each of Facebook's requests reaches both of them at the same time. */
async function openTwice(storage: Storage, clock: ManualClock) {
  const bench = await openBench({ storage, clock });
  const { social: other } = createTestService({
    networks: [facebook({ app: facebookApp, scopes: ["publish", "inbox"] })],
    clock,
    storage,
    http: bench.sandbox.http,
    untrustedHttp: bench.sandbox.untrustedHttp,
  });
  await clock.run(() => other.start());
  const handlers = [bench.handler, createHandler(other)];
  bench.facebook.sendHooksTo(async (request) => {
    const answers = await Promise.all(handlers.map((handle) => handle(request.clone())));
    const worst = answers.sort((one, another) => another.status - one.status)[0];
    return worst ?? new Response(null, { status: 500 });
  });
  return { ...bench, other };
}

const answer = "We do, Bob.";

type Opened = Awaited<ReturnType<typeof openTwice>>;

/** Two users write and edit, and one of them gets a reply. */
async function converse({ facebook: there, clock, social, other, page, post, ann }: Opened): Promise<void> {
  const bob = there.addFan("Bob Ray");
  for (let count = 0; count < 12; count++) {
    there.messageAs(count % 2 === 0 ? ann : bob, page, `Message ${count}`);
    await clock.advance(1_000);
  }
  const comment = there.commentAs(bob, post, "Until when?");
  await clock.advance(1_000);
  there.editComment(comment, "Until when on Sunday?");
  const rude = there.commentAs(ann, post, "Rude words");
  await clock.advance(minuteMs);
  there.removeComment(rude);
  await clock.advance(20 * minuteMs);
  const { data } = await clock.run(() => social.inbox.conversations.list());
  const bobs = data.find(({ kind, participant }) => kind === "dm" && participant.name === "Bob Ray");
  await clock.run(() => other.inbox.conversations.reply(bobs?.id ?? "", { text: answer }));
  await clock.advance(20 * minuteMs);
}

/** All conversations, paged by one process, and their messages by the other, without ids. */
async function shownBy({ clock, social, other }: Opened) {
  const pages = await Promise.all(
    [0, 2].map((offset) => clock.run(() => social.inbox.conversations.list({ limit: 2, offset }))),
  );
  const conversations = [];
  for (const { id, kind, unread_count, participant } of pages.flatMap(({ data }) => data)) {
    const { data } = await clock.run(() => other.inbox.conversations.messages(id, { limit: 100 }));
    const messages = data.map(({ direction, text, edited_at, deleted_at }) => {
      return { direction, text, isEdited: edited_at !== null, isDeleted: deleted_at !== null };
    });
    conversations.push({ kind, unread_count, name: participant.name, messages });
  }
  return { totals: pages.map(({ pagination }) => pagination.total), conversations };
}

/** The Page's inbox after all events. */
async function play(storage: Storage, clock: ManualClock) {
  const bench = await openTwice(storage, clock);
  const { facebook: there, social, other, ann } = bench;
  await converse(bench);
  const before = await shownBy(bench);
  const sent = there.messages().filter(({ text }) => text === answer).length;
  await clock.run(() => other.inbox.forget({ network: "facebook", person_id: ann }));
  await clock.advance(60 * minuteMs);
  const after = await shownBy(bench);
  const isForgotten = !JSON.stringify(await allRows(storage)).includes("Ann Lee");
  await clock.run(async () => void (await Promise.all([social.stop(), other.stop()])));
  return { before, after, sent, isForgotten, answers: there.hookAnswers() };
}

describe.each(databases.all)("an inbox in two processes on %s", (_, open) => {
  it.skipIf(open === null)(
    "shows the same as in memory: each message once, in order, and no forgotten user",
    async () => {
      const storage = open?.();
      if (storage === undefined) throw new Error("There is no database.");
      const clock = manualClock();
      // The test's clock, not the server's.
      const played = await play(clock.watch({ ...storage, now: async () => clock.now() }), clock);
      expect(played.sent).toBe(1);
      expect(played.isForgotten).toBe(true);
      expect(new Set(played.answers)).toEqual(new Set([200]));
      const counted = played.before.conversations.map(({ name, kind, unread_count, messages }) => [
        `${name}, ${kind}`,
        unread_count,
        messages.length,
      ]);
      expect(counted).toEqual([
        ["Bob Ray, dm", 6, 7],
        // It was deleted unread.
        ["Ann Lee, comment", 0, 1],
        ["Bob Ray, comment", 1, 1],
        ["Ann Lee, dm", 6, 6],
      ]);
      const inMemory = manualClock();
      expect(played).toEqual(await play(memoryStorage({ clock: inMemory }), inMemory));
    },
  );
});
