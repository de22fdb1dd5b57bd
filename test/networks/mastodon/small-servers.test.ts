import { describe, expect, it } from "vitest";
import type { CreatePost } from "../../../src/posts/schema.ts";
import type { NewInstance } from "../../../src/sandbox/mastodon/instances.ts";
import type { PostByHand } from "../../../src/sandbox/mastodon/statuses.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import { png } from "../../media/samples.ts";
import { createTestService, type TestService } from "../../support/service.ts";

type Ways = Omit<Partial<NewInstance>, "host">;

interface Desk extends TestService {
  profileId: string;
  externalId: string;
  token: string;
  post(body: Partial<CreatePost>): ReturnType<typeof settled>;
}

/** A profile on a small server that implements Mastodon's API differently. `before`: the posts that are there when it is connected. */
async function desk(
  ways: Ways,
  before: (by: { write(post: PostByHand): string; service: TestService }) => unknown = () => undefined,
): Promise<Desk> {
  const service = createTestService();
  const { sandbox, clock, social } = service;
  sandbox.mastodon.addInstance({ host: "small.example", software: "look_alike", keys: "ignored", ...ways });
  const { access_token, external_id } = sandbox.mastodon.addAccount({ username: "alice", instance: "small.example" });
  await before({ write: (post) => sandbox.mastodon.postAs(external_id, post), service });
  const credentials = { instance: "small.example", access_token };
  const { id } = await clock.run(() => social.profiles.connect({ network: "mastodon", credentials }));
  const at = { ...service, profileId: id, externalId: external_id, token: access_token };
  return { ...at, post: (body) => settled(at, body) };
}

async function settled({ social, clock, profileId }: Omit<Desk, "post">, body: Partial<CreatePost>) {
  const { id } = await clock.run(() => social.posts.create({ profile_ids: [profileId], ...body }));
  for (let looks = 0; looks < 60; looks++) {
    await clock.advance(20_000);
    await clock.run(() => social.runDue());
  }
  const [target] = (await social.posts.get(id)).targets;
  return target;
}

const markdown = "# News\n\n1. *Milk* and `eggs`\n2. Bread\n\n> said [the baker](https://example.com/b)";

describe("after a lost response, with the post on a small server, a look", () => {
  it.each<[string, Ways, Partial<CreatePost>]>([
    ["rendered text whose source can be read", { rendersMarkdown: true }, { text: markdown }],
    ["rendered text without a source", { rendersMarkdown: true, lacksSource: true }, { text: markdown }],
    ["a list that begins with a year", { rendersMarkdown: true, lacksSource: true }, { text: "2026. What a year" }],
    ["a URL that becomes an attachment", { imageAddresses: "moved" }, { text: "Look https://example.com/a.png" }],
    ["a post in pages that ignore their cursor", { ignoresMaxId: true }, { text: "Hello" }],
    [
      "a private post that only the home timeline shows",
      { listHides: ["private", "direct"] },
      { text: "Psst", networks: { mastodon: { visibility: "private" } } },
    ],
  ])("finds %s", async (_, ways, body) => {
    const { sandbox, post } = await desk(ways);
    sandbox.mastodon.faults.add({ kind: "drop_after", operation: "commit" });
    const target = await post(body);
    expect(target).toMatchObject({ status: "published", error: null });
    expect(sandbox.mastodon.posts().map(({ id }) => id)).toEqual(target?.post_ids);
  });

  it("warns that the post may be live if no list shows such posts", async () => {
    const { sandbox, post } = await desk({ listHides: ["direct"], lacksHome: true });
    sandbox.mastodon.faults.add({ kind: "drop_after", operation: "commit" });
    const target = await post({ text: "Psst", networks: { mastodon: { visibility: "direct" } } });
    expect(target).toMatchObject({ status: "failed", error: { code: "timeout" } });
    expect(sandbox.mastodon.posts()).toHaveLength(1);
  });
});

describe("after a lost response, without the post on a small server, the worker", () => {
  it("does not send again until a list has shown such a post", async () => {
    const { sandbox, post } = await desk({});
    sandbox.mastodon.faults.add({ kind: "drop_before", operation: "commit" });
    expect(await post({ text: "One" })).toMatchObject({ status: "failed", error: { code: "timeout" } });
    expect(await post({ text: "Two" })).toMatchObject({ status: "published" });
    sandbox.mastodon.faults.add({ kind: "drop_before", operation: "commit" });
    expect(await post({ text: "Three" })).toMatchObject({ status: "published" });
    expect(sandbox.mastodon.posts().map(({ text }) => text)).toEqual(["Two", "Three"]);
  });

  it.each(["Good morning", "Good morning to all of you, and to those who are asleep"])(
    'does not send again while the account shows an unexplained post: "%s"',
    async (text) => {
      const { sandbox, post, externalId } = await desk({});
      await post({ text: "The first, so that the list has shown one" });
      sandbox.mastodon.faults.add({ kind: "drop_before", operation: "commit" });
      sandbox.mastodon.postAs(externalId, { text: "Good morning to all of you" });
      expect(await post({ text })).toMatchObject({ status: "failed", error: { code: "timeout" } });
      expect(sandbox.mastodon.posts()).toHaveLength(2);
    },
  );

  it("does not send again while a post without words has the file that a URL may have become", async () => {
    const { sandbox, post, externalId } = await desk({});
    await post({ text: "The first, so that the list has shown one" });
    sandbox.mastodon.faults.add({ kind: "drop_before", operation: "commit" });
    sandbox.mastodon.postAs(externalId, { text: "", media: [{ name: "a.png", bytes: png(4, 4) }] });
    const video = { text: "https://example.com/film.mp4" };
    expect(await post(video)).toMatchObject({ status: "failed", error: { code: "timeout" } });
    sandbox.mastodon.faults.add({ kind: "drop_before", operation: "commit" });
    sandbox.mastodon.postAs(externalId, { text: "", media: [{ name: "b.png", bytes: png(5, 5) }] });
    expect(await post({ text: "Good evening" })).toMatchObject({ status: "published" });
  });

  it.each<[string, Ways, Partial<CreatePost>, PostByHand]>([
    ["with other words", { lacksSource: true }, { text: "Good evening" }, { text: "Hm!" }],
    ["with a readable source text", {}, { text: "Good evening" }, { text: "Good morning" }],
    [
      "for other readers",
      { lacksSource: true },
      { text: "Good evening", networks: { mastodon: { visibility: "private" } } },
      { text: "Good morning" },
    ],
    [
      "with an image",
      { lacksSource: true },
      { text: "Good evening" },
      { text: "Good morning", media: [{ name: "a.png", bytes: png(4, 4) }] },
    ],
  ])("sends again beside a short manual post %s", async (_, ways, body, byHand) => {
    const { sandbox, post, externalId } = await desk(ways);
    await post({ ...body, text: "The first, so that the list has shown one" });
    sandbox.mastodon.faults.add({ kind: "drop_before", operation: "commit" });
    sandbox.mastodon.postAs(externalId, byHand);
    expect(await post(body)).toMatchObject({ status: "published" });
    expect(sandbox.mastodon.posts().filter(({ text }) => text === body.text)).toHaveLength(1);
  });

  it("sends a reply again beside a manual post that is not a reply", async () => {
    const { sandbox, post, externalId } = await desk({ lacksSource: true });
    await post({ thread: ["To begin with", "So that the lists have shown one"] });
    sandbox.mastodon.faults.add({ kind: "drop_before", operation: "commit", after: 1 });
    sandbox.mastodon.postAs(externalId, { text: "Good morning", visibility: "unlisted" });
    expect(await post({ thread: ["Today", "Good evening"] })).toMatchObject({ status: "published" });
    expect(sandbox.mastodon.posts().filter(({ text }) => text === "Good evening")).toHaveLength(1);
  });

  it("sends again beside a manual post about something else", async () => {
    const { sandbox, post, externalId } = await desk({});
    await post({ text: "The first, so that the list has shown one" });
    sandbox.mastodon.faults.add({ kind: "drop_before", operation: "commit" });
    sandbox.mastodon.postAs(externalId, { text: "Nobody expects such lovely weather here in late November" });
    expect(await post({ text: "We open the new shop on Main Street this Saturday" })).toMatchObject({
      status: "published",
    });
    expect(sandbox.mastodon.posts()).toHaveLength(3);
  });
});

describe("knowledge of which posts a server's lists show", () => {
  const lost = { kind: "drop_before", operation: "commit" } as const;

  it("comes from the account's older posts when it is connected", async () => {
    const { sandbox, post } = await desk({}, async ({ write, service }) => {
      write({ text: "An old one" });
      // More posts than a look reads.
      for (let count = 0; count < 30; count++) write({ text: `For me ${count}`, visibility: "direct" });
      await service.clock.advance(3_600_000);
    });
    sandbox.mastodon.changeInstance({ maxPerPage: 5 }, "small.example");
    sandbox.mastodon.faults.add(lost);
    expect(await post({ text: "Hello" })).toMatchObject({ status: "published" });
    expect(sandbox.mastodon.posts().filter(({ text }) => text === "Hello")).toHaveLength(1);
  });

  it("comes from the look too, from posts of any date", async () => {
    const { sandbox, post, externalId, clock } = await desk({ maxPerPage: 20 });
    sandbox.mastodon.postAs(externalId, { text: "An old one" });
    for (let count = 0; count < 50; count++)
      sandbox.mastodon.postAs(externalId, { text: `For me ${count}`, visibility: "direct" });
    await clock.advance(3_600_000);
    sandbox.mastodon.faults.add(lost);
    expect(await post({ text: "Hello" })).toMatchObject({ status: "published" });
    expect(sandbox.mastodon.posts().filter(({ text }) => text === "Hello")).toHaveLength(1);
  });

  it("is optional: an account connects if the lists cannot be read", async () => {
    const { sandbox, post } = await desk({}, ({ service }) => {
      const answer = { status: 500, json: {} };
      const { faults } = service.sandbox.mastodon;
      faults.add({ kind: "refuse", operation: "GET /api/v1/timelines/home", answer, times: 2 });
    });
    expect(await post({ text: "Hello" })).toMatchObject({ status: "published" });
    expect(sandbox.mastodon.posts()).toHaveLength(1);
  });

  it("comes for replies from those below the previous post, if no other list shows any", async () => {
    const { sandbox, post } = await desk({ listHidesReplies: true, lacksHome: true });
    sandbox.mastodon.faults.add({ ...lost, after: 1 });
    expect(await post({ thread: ["One", "Two"] })).toMatchObject({ status: "failed", error: { code: "timeout" } });
    expect(await post({ thread: ["Three", "Four"] })).toMatchObject({ status: "published" });
    sandbox.mastodon.faults.add({ ...lost, after: 1 });
    expect(await post({ thread: ["Five", "Six"] })).toMatchObject({ status: "published" });
    sandbox.mastodon.faults.add({ kind: "drop_after", operation: "commit", after: 1 });
    expect(await post({ thread: ["Seven", "Eight"] })).toMatchObject({ status: "published" });
    const texts = sandbox.mastodon.posts().map(({ text }) => text);
    expect(texts).toEqual(["One", "Three", "Four", "Five", "Six", "Seven", "Eight"]);
  });

  it("is built in for a server whose home timeline shows everything", async () => {
    const version = "4.0.0 (not true; really snac/2.75)";
    const { sandbox, post } = await desk({ version });
    sandbox.mastodon.faults.add(lost);
    expect(await post({ text: "Hello" })).toMatchObject({ status: "published" });
    expect(sandbox.mastodon.posts()).toHaveLength(1);
  });
});

describe("a forced retry on a small server", () => {
  it("first looks for the lost post, and adopts it", async () => {
    const { sandbox, social, clock, post } = await desk({ listHides: ["private"], lacksHome: true });
    sandbox.mastodon.faults.add({ kind: "drop_after", operation: "commit" });
    const target = await post({ text: "Psst", networks: { mastodon: { visibility: "private" } } });
    expect(target?.error?.code).toBe("timeout");
    sandbox.mastodon.changeInstance({ listHides: [] }, "small.example");
    const [{ id } = { id: "" }] = (await social.posts.list({})).data;
    const retried = await clock.run(() => social.posts.retry(id, { force: true }));
    expect(retried.status).toBe("published");
    expect(sandbox.mastodon.posts()).toHaveLength(1);
  });
});

describe("a token that dies before the look", () => {
  it.each<Ways["wrongToken"]>(["words", "empty_401"])(
    "breaks the profile, and the look continues after the reconnect (%s)",
    async (wrongToken) => {
      const at = await desk(wrongToken === undefined ? {} : { wrongToken });
      const { sandbox, social, clock, profileId, token } = at;
      sandbox.mastodon.faults.add({ kind: "drop_after", operation: "commit" });
      const created = await clock.run(() => social.posts.create({ profile_ids: [profileId], text: "Hello" }));
      sandbox.mastodon.revoke(token);
      for (let minutes = 0; minutes < 10; minutes++) {
        await clock.advance(60_000);
        await clock.run(() => social.runDue());
      }
      expect(await social.profiles.get(profileId)).toMatchObject({ status: "needs_attention" });
      expect((await social.posts.get(created.id)).status).toBe("publishing");
      sandbox.mastodon.restore(token);
      const credentials = { instance: "small.example", access_token: token };
      await clock.run(() => social.profiles.connect({ network: "mastodon", credentials }));
      for (let minutes = 0; minutes < 20; minutes++) {
        await clock.advance(60_000);
        await clock.run(() => social.runDue());
      }
      expect((await social.posts.get(created.id)).status).toBe("published");
      expect(sandbox.mastodon.posts()).toHaveLength(1);
    },
  );
});

describe("files on a small server", () => {
  it("are stored apart even if the server identifies them by name", async () => {
    const { sandbox, post } = await desk({ mediaIdFromName: true });
    for (const side of [8, 9])
      await post({ text: `${side}`, media: [{ url: sandbox.media.put(`${side}.png`, png(side, side)) }] });
    expect(sandbox.mastodon.posts().flatMap(({ files }) => files.map(({ is_original }) => is_original))).toEqual([
      true,
      true,
    ]);
  });

  it("are no longer sent after the server has failed five times in the same way", async () => {
    const { sandbox, post } = await desk({});
    const answer = { status: 500, json: {} };
    sandbox.mastodon.faults.add({ kind: "refuse", operation: "POST /api/v2/media", answer, times: 1000 });
    const target = await post({ text: "Look", media: [{ url: sandbox.media.put("a.png", png(8, 8)) }] });
    expect(target).toMatchObject({ status: "failed", error: { code: "media_error" } });
    expect(target?.error?.message).toContain("failed 5 times with the same error");
  });
});

describe("an option that a server silently drops", () => {
  it.each<[string, Ways, JsonObject, string]>([
    ["visibility", { visibilityBecomes: { direct: "public" } }, { visibility: "direct" }, "as public, not as direct"],
    ["a poll", { drops: ["poll"] }, { poll: { options: ["yes", "no"], expires_in: 600 } }, "poll"],
    ["the language", { drops: ["language"] }, { language: "de" }, "language de"],
    ["the warning", { drops: ["spoiler_text"] }, { spoiler_text: "careful" }, "content warning"],
  ])("causes a warning on the target: %s", async (_, ways, options, words) => {
    const { social, clock, post } = await desk(ways);
    const target = await post({ text: "Hello", networks: { mastodon: options } });
    expect(target).toMatchObject({ status: "published", warnings: [expect.stringContaining(words)] });
    await clock.advance(60_000);
    expect((await social.posts.list({})).data[0]?.targets[0]?.warnings).toHaveLength(1);
  });

  it("causes no warning if the server accepted everything", async () => {
    const { post } = await desk({});
    const options = { visibility: "unlisted", language: "de", spoiler_text: "careful", sensitive: true };
    expect((await post({ text: "Hello", networks: { mastodon: options } }))?.warnings).toBeUndefined();
  });
});
