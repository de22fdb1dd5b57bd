import { describe, expect, it } from "vitest";
import { createHandler } from "../../src/http/index.ts";
import type { ProfileChanges } from "../../src/inbox/schema.ts";
import { facebook } from "../../src/networks/facebook/index.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import type { FindQuery, Storage } from "../../src/storage/storage.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { createTestService } from "../support/service.ts";
import { facebookApp } from "./facebook-bench.ts";

const secondMs = 1_000;

/** Two Pages of one account, and the store's queries about inboxes. */
async function openPages() {
  const clock = manualClock();
  const store = memoryStorage({ clock });
  const asked: FindQuery[] = [];
  const storage: Storage = {
    ...store,
    migrate: () => store.migrate(),
    find(collection, query) {
      if (collection === "inboxes") asked.push(query);
      return store.find(collection, query);
    },
  };
  const networks = [facebook({ app: facebookApp, scopes: ["publish", "inbox"] })];
  const service = createTestService({ networks, storage, clock });
  const { social, sandbox } = service;
  sandbox.facebook.sendHooksTo(createHandler(social));
  await clock.run(() => social.start());
  const ann = sandbox.facebook.addFan("Ann");
  const connect = async (name: string) => {
    const { access_token, external_id } = sandbox.facebook.addPage({ name });
    const credentials = { access_token, client_id: facebookApp.client_id };
    const { id } = await clock.run(() => social.profiles.connect({ network: "facebook", credentials }));
    await clock.advance(5 * secondMs);
    return { id, write: (text: string) => sandbox.facebook.messageAs(ann, external_id, text) };
  };
  const [fox, owl] = [await connect("The Fox"), await connect("The Owl")];
  const begin = (after: Record<string, number> = {}) => {
    const told: ProfileChanges[] = [];
    const ending = new AbortController();
    const done = (async () => {
      for await (const each of social.inbox.follow({ after }, { signal: ending.signal })) told.push(each);
    })();
    const texts = () => told.flatMap(({ profile_id, messages }) => messages.map(({ text }) => [profile_id, text]));
    const places = () => Object.fromEntries(told.map(({ profile_id, next }) => [profile_id, next]));
    const end = async () => {
      ending.abort();
      await clock.advance(2 * secondMs);
      await done;
    };
    return { texts, places, end };
  };
  return { ...service, store, clock, fox, owl, connect, begin, asked };
}

describe("a follower of a whole account", () => {
  it("gets the changes of each inbox within seconds, by profile", async () => {
    const { fox, owl, begin, clock } = await openPages();
    const follower = begin();
    fox.write("one");
    await clock.advance(3 * secondMs);
    owl.write("two");
    await clock.advance(3 * secondMs);
    expect(follower.texts()).toEqual([
      [fox.id, "one"],
      [owl.id, "two"],
    ]);
    await follower.end();
  });

  it("continues after a restart at its place, and sees profiles that are connected later", async () => {
    const { fox, begin, clock, connect } = await openPages();
    const first = begin();
    fox.write("one");
    await clock.advance(3 * secondMs);
    await first.end();
    fox.write("two");
    const elk = await connect("The Elk");
    const second = begin(first.places());
    elk.write("three");
    await clock.advance(5 * secondMs);
    expect(second.texts()).toEqual([
      [fox.id, "two"],
      [elk.id, "three"],
    ]);
    await second.end();
  });

  it("sends the store one query a second, about inboxes that changed lately", async () => {
    const { begin, clock, asked } = await openPages();
    const follower = begin();
    await clock.advance(2 * secondMs);
    asked.length = 0;
    await clock.advance(60 * secondMs);
    expect(asked.length).toBeLessThanOrEqual(61);
    for (const { where } of asked) expect(where).toMatchObject({ changed_at: { gte: expect.any(Number) } });
    await follower.end();
  });

  it("sees within minutes the changes written by a clock far behind", async () => {
    const { fox, begin, clock, store } = await openPages();
    fox.write("one");
    await clock.advance(3 * secondMs);
    const follower = begin();
    await clock.advance(3 * secondMs);
    fox.write("two");
    const forget = async () => {
      const { rows } = await store.find("inboxes", { where: {} });
      const change = { changed_at: 0 };
      await store.write(rows.map(({ id }) => ({ kind: "update", collection: "inboxes", id, change, where: {} })));
    };
    await clock.run(async () => {
      for (let moment = 0; moment < 100; moment++) {
        await clock.sleep(20);
        await forget();
      }
    });
    await clock.advance(5 * 60 * secondMs);
    expect(follower.texts()).toEqual([
      [fox.id, "one"],
      [fox.id, "two"],
    ]);
    await follower.end();
  });

  it("gets an error for an invalid cursor", async () => {
    const { social } = await openPages();
    const follow = social.inbox.follow({ after: { prof_1: -1 } });
    await expect(follow.next()).rejects.toMatchObject({ code: "invalid_request" });
  });
});
