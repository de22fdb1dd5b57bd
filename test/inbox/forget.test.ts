import { describe, expect, it } from "vitest";
import { inboxIdOf } from "../../src/inbox/rows.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { allRows } from "../support/all-rows.ts";
import { dyingAt } from "../support/dying-writes.ts";
import { listedNetworks } from "../support/inbox-networks.ts";
import { inboxBench } from "./bench.ts";
import { minuteMs, openBench } from "./facebook-bench.ts";

const aWhileMs = 20 * minuteMs;

/** Every row of the store, as one text. */
async function everythingIn(storage: Storage): Promise<string> {
  return JSON.stringify(await allRows(storage));
}

async function pageBench() {
  const clock = manualClock();
  const storage = memoryStorage({ clock });
  const bench = await openBench({ storage, clock });
  const { facebook: there, page, post, ann } = bench;
  const bob = there.addFan("Bob Ray");
  return { ...bench, storage, bob, there, page, post, ann };
}

describe("forgetting a person of a Page", () => {
  it("leaves nothing of theirs in the store, and keeps the messages of others", async () => {
    const { there, social, clock, storage, profile, page, post, ann, bob, conversations, texts } = await pageBench();
    there.messageAs(ann, page, "My address is Elm Street 5");
    there.messageAs(bob, page, "Bob's order");
    const comment = there.commentAs(ann, post, "Until when, Elm Street?");
    there.commentAs(bob, comment, "Until six");
    there.commentAs(ann, there.commentAs(bob, post, "Nice"), "Elm Street agrees");
    await clock.advance(1_000);
    for (const { id, kind, participant } of await conversations())
      if (kind === "dm" && participant.name === "Ann Lee")
        await clock.run(() =>
          social.inbox.conversations.reply(id, { text: "We ship to Elm Street 5", idempotency_key: "12345678" }),
        );
    await clock.advance(aWhileMs);
    expect(await everythingIn(storage)).toMatch(/Elm Street.*Ann Lee|Ann Lee.*Elm Street/s);

    const waiting = { inbox_id: inboxIdOf(profile.id), created_at: new Date(clock.now()).toISOString() };
    for (const state of ["new", "aside"]) {
      const body = { sender: { id: ann }, message: { text: "Elm Street" } };
      const row = { ...waiting, id: `hook_${state}`, event_id: state, state, private: { body, failures: 5 } };
      await storage.write([{ kind: "insert", collection: "hook_events", row }]);
    }
    const forgotten = await social.inbox.forget({ network: "facebook", person_id: ann });
    expect(forgotten).toEqual({ messages: 4, conversations: 2 });
    expect((await storage.find("hook_events", { where: { state: { in: ["new", "aside"] } } })).rows).toEqual([]);
    await clock.advance(48 * 3_600_000);
    const kept = await everythingIn(storage);
    for (const said of ["Elm Street", "Ann Lee", JSON.stringify(ann)]) expect(kept).not.toContain(said);
    const shown = await Promise.all((await conversations()).map(async ({ id }) => texts(id)));
    expect(
      shown
        .flat()
        .filter(([, text]) => text !== null)
        .map(([, text]) => text)
        .sort(),
    ).toEqual(["Bob's order", "Nice", "Until six"]);
    expect(await social.inbox.forget({ network: "facebook", person_id: ann })).toEqual({
      messages: 0,
      conversations: 0,
    });
  });

  it("shows their later messages, in a new conversation", async () => {
    const { there, social, clock, page, ann, conversations, texts } = await pageBench();
    there.messageAs(ann, page, "Before");
    await clock.advance(aWhileMs);
    await social.inbox.forget({ network: "facebook", person_id: ann });
    await clock.advance(aWhileMs);
    there.messageAs(ann, page, "After");
    await clock.advance(aWhileMs);
    const [newest, former] = await conversations();
    expect(newest).toMatchObject({ unread_count: 1, participant: { id: ann, name: "Ann Lee" } });
    expect(await texts(newest?.id)).toEqual([["inbound", "After"]]);
    expect(former).toMatchObject({ unread_count: 0, participant: { id: "", name: null }, last_message: { text: "" } });
    expect(await texts(former?.id)).toEqual([["inbound", null]]);
  });

  it("reaches followers of the inbox, and other accounts keep their data", async () => {
    const { there, social, clock, profile, page, ann } = await pageBench();
    there.messageAs(ann, page, "Hello");
    await clock.advance(aWhileMs);
    const { next } = await social.inbox.changes({ profile_id: profile.id });
    await social.forAccount("another").inbox.forget({ network: "facebook", person_id: ann });
    await social.inbox.forget({ network: "instagram", person_id: ann });
    expect(await social.inbox.changes({ profile_id: profile.id, after: next })).toMatchObject({ messages: [] });
    await social.inbox.forget({ network: "facebook", person_id: ann });
    const changed = await social.inbox.changes({ profile_id: profile.id, after: next });
    expect(changed.messages).toMatchObject([{ text: null, author: { id: null, name: null } }]);
    expect(changed.conversations).toMatchObject([{ participant: { id: "" }, external_id: "" }]);
  });

  it("names the invalid field", async () => {
    const { social } = await pageBench();
    await expect(social.inbox.forget({ network: "facebook", person_id: "" })).rejects.toThrow(/person_id/);
  });
});

it("forgetting a person is repeated after a death at any moment, and then leaves nothing", async () => {
  let deaths = 0;
  for (let isOver = false; !isOver; deaths += 1) {
    const { there, social, clock, storage, page, post, ann } = await pageBench();
    there.messageAs(ann, page, "My address is Elm Street 5");
    there.commentAs(ann, post, "Elm Street");
    await clock.advance(aWhileMs);
    // A failed reply is kept under its key, and names its recipient.
    const refusal = { status: 400, json: { error: { code: 100, message: "No" } } };
    there.faults.add({ kind: "refuse", operation: "POST /:id/comments", answer: refusal });
    const comment = (await social.inbox.conversations.list({ kind: "comment" })).data[0]?.id ?? "";
    const reply = { text: "Welcome", idempotency_key: "welcome-ann" };
    await clock.run(() => social.inbox.conversations.reply(comment, reply).catch(() => undefined));
    const forget = () => social.inbox.forget({ network: "facebook", person_id: ann });
    isOver = await dyingAt(storage, deaths, forget);
    await forget();
    const kept = await everythingIn(storage);
    for (const said of ["Elm Street", "Ann Lee", JSON.stringify(ann)]) expect(kept).not.toContain(said);
  }
  expect(deaths).toBeGreaterThan(4);
});

describe.each(listedNetworks)("forgetting a person of $network", (network) => {
  it("clears what they wrote, and does not read it again", async () => {
    const clock = manualClock();
    const storage = memoryStorage({ clock });
    const { writes, publish, social, read, ann } = await inboxBench(network, { clock, storage });
    const reply_to = await publish("Open on Sunday");
    await writes({ text: `${network.name} My address is Elm Street 5`, reply_to });
    await writes({ text: `${network.name} Elm Street wants to know` });
    const { data } = await social.inbox.conversations.list();
    const { id, handle } = data[0]?.participant ?? { id: "", handle: null };
    expect(id).toBe(ann.id);
    expect(await everythingIn(storage)).toContain(JSON.stringify(id));
    const forgotten = await social.inbox.forget({ network: network.network, person_id: id });
    expect(forgotten).toEqual({ messages: 2, conversations: 2 });
    for (let round = 0; round < 5; round += 1) await read();
    const kept = await everythingIn(storage);
    for (const said of ["Elm Street", '"Ann"', String(handle), "/users/ann", ann.id]) expect(kept).not.toContain(said);
  });
});
