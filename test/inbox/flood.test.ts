import { expect, it } from "vitest";
import { createListAllowances } from "../../src/inbox/allowance.ts";
import { excerptOf } from "../../src/inbox/excerpt.ts";
import { inboxIdOf, type MessageRow } from "../../src/inbox/rows.ts";
import { mastodon } from "../../src/networks/mastodon/index.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { fromRow } from "../../src/storage/typed.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { allRows } from "../support/all-rows.ts";
import { createTestService } from "../support/service.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const flood = { mentions: 80, characters: 9_000 };
/** The characters that an account may bring in an hour. */
const evenlyInMinute = 100_000_000 / 60;

/** Profiles of one account on one server. */
async function openFlood(names: readonly string[]) {
  const { social, clock, sandbox, storage } = createTestService({
    networks: [mastodon({ scopes: ["publish", "inbox"] })],
  });
  const accounts = names.map((username) => sandbox.mastodon.addAccount({ username }));
  await clock.run(() => social.start());
  const profiles: string[] = [];
  for (const { instance, access_token } of accounts) {
    const credentials = { instance, access_token };
    profiles.push((await clock.run(() => social.profiles.connect({ network: "mastodon", credentials }))).id);
  }
  await clock.advance(12 * minuteMs);
  await clock.advance(6 * minuteMs - (clock.now() % (6 * minuteMs)));
  /** The account has used its quota for some minutes. */
  const useUp = (minutes: number): Promise<number> => {
    const span = Math.floor(clock.now() / (6 * minuteMs));
    const by = 2_000_000 + (minutes * 8_000_000) / 6;
    return storage.increment({
      key: `lists/default/${span}`,
      by,
      now: clock.now(),
      expiresAt: (span + 1) * 6 * minuteMs,
    });
  };
  const stored = async (profile: string | undefined): Promise<MessageRow[]> => {
    const where = { profile_id: profile ?? "" };
    const { rows } = await storage.find("messages", { where, order: { column: "sent_at", direction: "asc" } });
    return rows.map((row) => fromRow<MessageRow>(row));
  };
  return { social, clock, sandbox, storage, accounts, profiles, useUp, stored };
}

it("a server that floods gets an even share of the hour, and each of its inboxes gets its turn", async () => {
  const { clock, sandbox, storage, accounts, profiles, useUp, stored } = await openFlood(["ann", "bob", "cid", "dan"]);
  await useUp(0);
  for (const { external_id } of accounts.slice(1)) sandbox.mastodon.flood(external_id, flood);
  const counts: number[] = [];
  for (let minute = 0; minute < 8; minute++) {
    await clock.advance(minuteMs);
    counts.push((await storage.find("messages", { where: {}, limit: 1 })).total);
  }
  const characters = (counts.at(-1) ?? 0) * flood.characters;
  expect(characters).toBeLessThan(9 * evenlyInMinute);
  expect(characters).toBeGreaterThan(2 * evenlyInMinute);
  const each = await Promise.all(profiles.slice(1).map(async (id) => (await stored(id)).length));
  expect(Math.max(...each) - Math.min(...each)).toBeLessThanOrEqual(80);
  const writer = sandbox.mastodon.addAccount({ username: "eve" }).external_id;
  sandbox.mastodon.postAs(writer, { text: "@ann Do you ship to Norway?" });
  await clock.advance(10 * minuteMs);
  expect((await stored(profiles[0])).map(({ text }) => text)).toEqual(["@ann Do you ship to Norway?"]);
});

it("all messages of a flooded list arrive once the flood has ended, once each, counted and in order", async () => {
  const { social, clock, sandbox, accounts, profiles, useUp, stored } = await openFlood(["ann", "bob"]);
  await useUp(0);
  for (const { external_id } of accounts) sandbox.mastodon.flood(external_id, flood);
  await clock.advance(5 * minuteMs);
  for (const { external_id } of accounts) sandbox.mastodon.flood(external_id, null);
  await clock.advance(20 * minuteMs);
  const written = sandbox.mastodon.posts().map(({ text }) => text);
  for (const [index, name] of ["ann", "bob"].entries()) {
    const texts = (await stored(profiles[index])).map(({ text }) => text ?? "");
    const own = written.filter((text) => text.startsWith(`@${name} `));
    expect(own.length).toBeGreaterThanOrEqual(80);
    expect(texts.toSorted()).toEqual(own.map((text) => text.trim()).toSorted());
  }
  const { data } = await clock.run(() => social.inbox.conversations.list({ limit: 100 }));
  expect(new Set(data.map(({ unread_count }) => unread_count))).toEqual(new Set([1]));
  const times = data.map(({ last_message: { at } }) => at);
  expect(times).toEqual(times.toSorted().reverse());
  const { data: inboxes } = await social.inbox.status();
  expect(inboxes.map(({ gaps }) => gaps)).toEqual([[], []]);
});

it("a list that has dropped unread messages leaves a gap", async () => {
  const { social, clock, sandbox, accounts, profiles, useUp, stored } = await openFlood(["ann"]);
  const writer = sandbox.mastodon.addAccount({ username: "eve" }).external_id;
  sandbox.mastodon.postAs(writer, { text: "@ann The first." });
  await clock.advance(6 * minuteMs);
  await useUp(5.9);
  sandbox.mastodon.flood(accounts[0]?.external_id ?? "", { mentions: 400, characters: 9_000 });
  await clock.advance(4 * minuteMs);
  const { length } = await stored(profiles[0]);
  expect([length > 20, length < 380]).toEqual([true, true]);
  sandbox.mastodon.flood(accounts[0]?.external_id ?? "", null);
  for (const { id } of sandbox.mastodon.posts()) sandbox.mastodon.removePost(id);
  await clock.advance(hourMs);
  const { data } = await social.inbox.status();
  expect(data[0]?.gaps).toHaveLength(1);
});

it("an inbox that waits for its turn says when the turn comes", async () => {
  const { social, clock, sandbox, storage, accounts, profiles, useUp } = await openFlood(["ann", "bob"]);
  await useUp(0);
  for (const { external_id } of accounts) sandbox.mastodon.flood(external_id, flood);
  await clock.advance(5 * minuteMs);
  const { data } = await social.inbox.status();
  for (const { profile_id, sources } of data) {
    const due = Number((await storage.get("inboxes", inboxIdOf(profile_id)))?.due_at);
    const [first] = sources.map(({ next_at }) => Date.parse(next_at)).sort((one, other) => one - other);
    expect(first).toBe(due);
    expect(due).toBeGreaterThan(clock.now());
  }
  expect(data).toHaveLength(profiles.length);
});

it("a text is stored once, and its conversation shows the beginning of it", async () => {
  const { social, clock, sandbox, storage, accounts } = await openFlood(["ann"]);
  sandbox.mastodon.flood(accounts[0]?.external_id ?? "", { mentions: 1, characters: 9_000 });
  await clock.advance(5 * minuteMs);
  sandbox.mastodon.flood(accounts[0]?.external_id ?? "", null);
  const { data } = await clock.run(() => social.inbox.conversations.list());
  const [shown] = data;
  const { data: messages } = await clock.run(() => social.inbox.conversations.messages(shown?.id ?? ""));
  const text = messages[0]?.text ?? "";
  expect(text.length).toBeGreaterThan(8_900);
  expect(shown?.last_message.text).toBe(text.slice(0, 500));
  const rows = Object.values(await allRows(storage)).flat();
  const holding = rows.filter((row) => JSON.stringify(row).includes(text.slice(500)));
  expect(holding.map(({ id }) => id)).toEqual([messages[0]?.id]);
});

it.each([
  ["is short enough", "Do you ship?", "Do you ship?"],
  ["is as long as it may be", "x".repeat(500), "x".repeat(500)],
  ["is longer by one character", "x".repeat(501), "x".repeat(500)],
  ["has a family emoji across the limit", `${"x".repeat(495)}👨‍👩‍👧‍👦 and more`, "x".repeat(495)],
  ["has an accent across the limit", `${"x".repeat(499)}e\u0301 and more`, "x".repeat(499)],
  ["is one endless character", `e${"\u0301".repeat(2_000)}`, `e${"\u0301".repeat(499)}`],
  ["is emoji", "🦊".repeat(400), "🦊".repeat(250)],
])("the preview of a text that %s shows as many whole characters as fit", (_, text, shown) => {
  expect(excerptOf(text)).toBe(shown);
});

it("an account's lists bring 2 million characters at once and 100 million in an hour, whatever others bring", async () => {
  const allowanceOf = createListAllowances(memoryStorage({ clock: manualClock() }));
  const [ann, bob] = [allowanceOf("ann"), allowanceOf("bob")];
  const bring = (characters: number, now: number) =>
    ann.count({ facts: [], rows: characters / 1_000, isMore: true, now });
  for (const now of [5 * hourMs, 5 * hourMs + 6 * minuteMs, 30 * hourMs]) {
    await bring(2_000_000, now);
    expect(ann.isUsedUp(now)).toBe(false);
    await bring(4_000_000, now);
    expect([ann.isUsedUp(now + 3 * minuteMs - 1), ann.isUsedUp(now + 3 * minuteMs)]).toEqual([true, false]);
    await bring(40_000_000, now + minuteMs);
    expect([ann.isUsedUp(now + 6 * minuteMs - 1), ann.isUsedUp(now + 6 * minuteMs)]).toEqual([true, false]);
  }
  expect([bob.isUsedUp(30 * hourMs), bob.nextTurn(30 * hourMs)]).toEqual([false, 0]);
});

it("inboxes that read at the same moment, in one process or several, are counted once each", async () => {
  const storage = memoryStorage({ clock: manualClock() });
  const processes = [createListAllowances(storage), createListAllowances(storage)];
  const now = 5 * hourMs;
  const counted = processes.map((allowanceOf) => allowanceOf("ann").count({ facts: [], rows: 900, isMore: true, now }));
  await Promise.all(counted);
  expect(processes.map((allowanceOf) => allowanceOf("ann").isUsedUp(now))).toEqual([false, false]);
});

it("the inboxes of an account take turns, one page after the other", async () => {
  const allowance = createListAllowances(memoryStorage({ clock: manualClock() }))("ann");
  const now = 5 * hourMs;
  await allowance.count({ facts: [], rows: 2_000, isMore: true, now });
  await allowance.count({ facts: [], rows: 1_000, isMore: true, now });
  expect([1, 2, 3].map(() => allowance.nextTurn(now) - now)).toEqual([45_000, 90_000, 135_000]);
  await allowance.count({ facts: [], rows: 1_000, isMore: true, now: now + 45_000 });
  expect(allowance.nextTurn(now + 45_000) - now).toBe(180_000);
});
