import { expect, it } from "vitest";
import { mastodon } from "../../src/networks/mastodon/index.ts";
import { createTestService } from "../support/service.ts";
import { inboxBench } from "./bench.ts";
import { inboxNetworks } from "./networks.ts";

it("keeps what is private by the people that it is for", async () => {
  const [network] = inboxNetworks.filter((each) => each.network === "mastodon");
  if (network === undefined) throw new Error("Mastodon is gone from the table.");
  const { sandbox, social, ann, read } = await inboxBench(network);
  const bob = sandbox.mastodon.addAccount({ username: "bob" }).external_id;
  const direct = async (by: string, text: string) => {
    sandbox.mastodon.postAs(by, { text, visibility: "direct" });
    await read();
  };
  await direct(ann, "@alice a secret");
  await direct(ann, "@alice another");
  await direct(ann, "@alice @bob for both");
  await direct(bob, "@alice @ann I agree");
  const { data } = await social.inbox.conversations.list();
  expect(data.map(({ kind, unread_count, participant: { name } }) => [kind, unread_count, name])).toEqual([
    ["dm", 2, expect.stringMatching(/^(ann, bob|bob, ann)$/)],
    ["dm", 2, "Ann"],
  ]);
});

it("counts nothing as unread that is older than the connection", async () => {
  const { social, clock, sandbox } = createTestService({ networks: [mastodon({ scopes: ["publish", "inbox"] })] });
  const { external_id } = sandbox.mastodon.addAccount({ username: "ann" });
  const { instance, access_token } = sandbox.mastodon.addAccount({ username: "alice" });
  sandbox.mastodon.postAs(external_id, { text: "@alice are you there?" });
  await clock.advance(60_000);
  await clock.run(() => social.start());
  await clock.run(() => social.profiles.connect({ network: "mastodon", credentials: { instance, access_token } }));
  await clock.advance(60_000);
  const { data } = await social.inbox.conversations.list();
  expect(data.map(({ unread_count, last_message: { text } }) => [unread_count, text])).toEqual([
    [0, "@alice are you there?"],
  ]);
});
