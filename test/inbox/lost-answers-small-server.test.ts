import { beforeEach, describe, expect, it } from "vitest";
import type { MessageRow } from "../../src/inbox/rows.ts";
import { mastodon } from "../../src/networks/mastodon/index.ts";
import type { NewInstance } from "../../src/sandbox/mastodon/instances.ts";
import { fromRow } from "../../src/storage/typed.ts";
import { createTestService } from "../support/service.ts";

const host = "small.example";
const longestWaitMs = 20 * 60_000;

/** An account on a small server, which follows Ann and not Bob; both have written to it. */
async function mailbox(ways: Omit<Partial<NewInstance>, "host">) {
  const service = createTestService({ networks: [mastodon({ scopes: ["publish", "inbox"] })] });
  const { sandbox, social, clock } = service;
  const { mastodon: server } = sandbox;
  server.addInstance({ host, software: "look_alike", keys: "ignored", ...ways });
  const { external_id: alice, ...token } = server.addAccount({ username: "alice", instance: host });
  const [ann, bob] = ["ann", "bob"].map((username) => server.addAccount({ username, instance: host }).external_id);
  server.follow(alice, ann as string);
  await clock.run(() => social.start());
  await clock.run(() => social.profiles.connect({ network: "mastodon", credentials: token }));
  await clock.advance(longestWaitMs);
  for (const [by, text] of [
    [ann, "@alice hello from Ann"],
    [bob, "@alice hello from Bob"],
  ] as const)
    server.postAs(by as string, { text });
  await clock.advance(longestWaitMs);
  return { ...service, server };
}

type Mailbox = Awaited<ReturnType<typeof mailbox>>;

/** @returns the stored outcome in the end, and why */
async function answer({ social, clock, storage }: Mailbox, to: "ann" | "bob", text: string) {
  const { data } = await social.inbox.conversations.list();
  const { id = "" } = data.find(({ participant }) => participant.handle?.startsWith(to)) ?? {};
  await clock.run(() => social.inbox.conversations.reply(id, { text })).catch(() => undefined);
  await clock.advance(longestWaitMs);
  const { rows } = await storage.find("messages", { where: { conversation_id: id, direction: "outbound" } });
  const { state, private: hidden } = fromRow<MessageRow>(rows[0] ?? expect.unreachable());
  return { state, code: hidden.reply?.error?.code };
}

describe("a reply to a user whom the account does not follow, on a server whose home timeline omits such replies", () => {
  let at: Mailbox;
  const times = (text: string) => at.server.posts().filter((post) => post.text.includes(text)).length;

  beforeEach(async () => {
    at = await mailbox({ homeHidesAnswers: true, listHidesReplies: true });
  });

  it("is found once when its response is lost, although home has shown a reply to a followed user", async () => {
    expect(await answer(at, "ann", "To Ann.")).toMatchObject({ state: "live" });
    at.server.faults.add({ kind: "drop_after", operation: "commit" });
    expect(await answer(at, "bob", "To Bob.")).toMatchObject({ state: "live" });
    expect(times("To Bob.")).toBe(1);
  });

  it.each(["ann", "bob"] as const)(
    "is known not to have been sent when the request is lost and the thread has shown a reply to %s",
    async (to) => {
      await answer(at, to, "The first.");
      at.server.faults.add({ kind: "drop_before", operation: "commit" });
      expect(await answer(at, "bob", "The second.")).toMatchObject({ code: "network_error" });
      expect(times("The second.")).toBe(0);
    },
  );

  it("may have been sent when the request is lost and no list has shown a reply", async () => {
    at.server.faults.add({ kind: "drop_before", operation: "commit" });
    expect(await answer(at, "bob", "To Bob.")).toMatchObject({ code: "timeout" });
    expect(times("To Bob.")).toBe(0);
  });
});
