import { beforeEach, describe, expect, it } from "vitest";
import { mastodon } from "../../src/networks/mastodon/index.ts";
import type { Profile } from "../../src/profiles/schema.ts";
import type { PostByHand } from "../../src/sandbox/mastodon/statuses.ts";
import { connectMastodon } from "../support/connect.ts";
import { createTestService, type TestService } from "../support/service.ts";

let service: TestService;
let profile: Profile;
let ann: string;

beforeEach(async () => {
  service = createTestService({ networks: [mastodon({ scopes: ["publish", "inbox"] })] });
  await service.clock.run(() => service.social.start());
  profile = await connectMastodon(service);
  ann = service.sandbox.mastodon.addAccount({ username: "ann", display_name: "Ann" }).external_id;
  await service.clock.advance(5 * 60_000);
});

/** Ann writes, and the inbox has had time to be read. */
async function annWrites(post: PostByHand, by = ann): Promise<string> {
  const id = service.sandbox.mastodon.postAs(by, post);
  await service.clock.advance(10 * 60_000);
  return id;
}

async function publish(text: string): Promise<string> {
  const post = await service.clock.run(() => service.social.posts.create({ profile_ids: [profile.id], text }));
  return post.targets[0]?.post_ids[0] ?? "";
}

const { list, messages } = {
  list: () => service.social.inbox.conversations.list(),
  messages: (id: string) => service.social.inbox.conversations.messages(id),
};

describe("an inbox on Mastodon", () => {
  it("shows a mention", async () => {
    await annWrites({ text: "Hello @alice, do you ship to Norway?" });
    const { data, pagination } = await list();
    expect(pagination.total).toBe(1);
    const [conversation] = data;
    expect(conversation).toMatchObject({
      kind: "mention",
      status: "open",
      unread_count: 1,
      network: "mastodon",
      profile_id: profile.id,
      participant: { name: "Ann", handle: "ann" },
      last_message: { text: "Hello @alice, do you ship to Norway?" },
    });
    const shown = await messages(conversation?.id ?? "");
    expect(shown.data).toMatchObject([
      { direction: "inbound", text: "Hello @alice, do you ship to Norway?", author: { name: "Ann" }, reactions: null },
    ]);
  });

  it("puts comments under a post by their first one, and answers from another app with them", async () => {
    const post = await publish("Open on Sunday");
    const first = await annWrites({ text: "@alice until when?", reply_to: post });
    const answer = await annWrites({ text: "@ann until four", reply_to: first }, profile.external_id);
    await annWrites({ text: "@alice thanks", reply_to: answer });
    await annWrites({ text: "@alice which Sunday?", reply_to: post });
    const { data } = await list();
    expect(data.map(({ kind, unread_count, last_message }) => [kind, unread_count, last_message.text])).toEqual([
      ["comment", 1, "@alice which Sunday?"],
      ["comment", 2, "@alice thanks"],
    ]);
    const shown = await messages(data[1]?.id ?? "");
    expect(shown.data.map(({ direction, text }) => [direction, text])).toEqual([
      ["inbound", "@alice thanks"],
      ["outbound", "@ann until four"],
      ["inbound", "@alice until when?"],
    ]);
  });

  it("keeps what is private by the people that it is for", async () => {
    const bob = service.sandbox.mastodon.addAccount({ username: "bob" }).external_id;
    await annWrites({ text: "@alice a secret", visibility: "direct" });
    await annWrites({ text: "@alice another", visibility: "direct" });
    await annWrites({ text: "@alice @bob for both", visibility: "direct" });
    await annWrites({ text: "@alice @ann I agree", visibility: "direct" }, bob);
    const { data } = await list();
    expect(data.map(({ kind, unread_count, participant: { name } }) => [kind, unread_count, name])).toEqual([
      ["dm", 2, expect.stringMatching(/^(ann, bob|bob, ann)$/)],
      ["dm", 2, "Ann"],
    ]);
  });

  it("counts nothing as unread that is older than the connection", async () => {
    const old = createTestService({ networks: [mastodon({ scopes: ["publish", "inbox"] })] });
    const { external_id } = old.sandbox.mastodon.addAccount({ username: "ann" });
    const alice = old.sandbox.mastodon.addAccount({ username: "alice" });
    old.sandbox.mastodon.postAs(external_id, { text: "@alice are you there?" });
    await old.clock.advance(60_000);
    await old.clock.run(() => old.social.start());
    const { instance, access_token } = alice;
    await old.clock.run(() =>
      old.social.profiles.connect({ network: "mastodon", credentials: { instance, access_token } }),
    );
    await old.clock.advance(60_000);
    const { data } = await old.social.inbox.conversations.list();
    expect(data.map(({ unread_count, last_message: { text } }) => [unread_count, text])).toEqual([
      [0, "@alice are you there?"],
    ]);
  });
});
