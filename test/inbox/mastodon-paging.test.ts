import { describe, expect, it } from "vitest";
import { mastodon } from "../../src/networks/mastodon/index.ts";
import type { NewInstance } from "../../src/sandbox/mastodon/instances.ts";
import { createTestService } from "../support/service.ts";

const host = "small.example";
const longestWaitMs = 20 * 60_000;

/** An account on a server with unusual list pages, Ann, who writes to it, and Bo, whom it has muted. */
async function mailbox(ways: Omit<Partial<NewInstance>, "host">) {
  const service = createTestService({ networks: [mastodon({ scopes: ["publish", "inbox"] })] });
  const { sandbox, social, clock } = service;
  const { mastodon: server } = sandbox;
  server.addInstance({ host, ...ways });
  const { external_id: alice, ...credentials } = server.addAccount({ username: "alice", instance: host });
  const [ann = "", bo = ""] = ["ann", "bo"].map(
    (username) => server.addAccount({ username, instance: host }).external_id,
  );
  server.mute(alice, bo, true);
  await clock.run(() => social.start());
  return {
    server,
    social,
    clock,
    alice,
    ann,
    bo,
    connect: () => clock.run(() => social.profiles.connect({ network: "mastodon", credentials })),
    read: () => clock.advance(longestWaitMs),
    async write(by: string, count: number) {
      for (let index = 0; index < count; index++) {
        server.postAs(by, { text: `@alice number ${index}` });
        await clock.advance(1_000);
      }
    },
    async outcome() {
      const { pagination } = await social.inbox.conversations.list();
      const [status] = (await social.inbox.status()).data;
      return { read: pagination.total, gaps: status?.gaps.length };
    },
  };
}

describe("mentions on a server", () => {
  it.each<[string, Partial<NewInstance>]>([
    ["that is Mastodon", {}],
    ["that accepts only the cursors which it has named", { software: "look_alike", ignoresMaxId: true }],
    ["that names no cursors", { software: "look_alike", omitsLinks: true }],
    ["that leaves muted users out of its pages", { software: "look_alike", filtersPages: true }],
  ])("%s are all read: a burst of several pages, with muted users' among them", async (_, ways) => {
    const { connect, write, read, outcome, ann, bo } = await mailbox(ways);
    await connect();
    await read();
    await write(ann, 30);
    await write(bo, 45);
    await write(ann, 30);
    await read();
    expect(await outcome()).toEqual({ read: 60, gaps: 0 });
  });

  it("that cannot be read further leave a gap", async () => {
    const ways = { software: "look_alike", ignoresMaxId: true, omitsLinks: true } as const;
    const { connect, write, read, outcome, ann } = await mailbox(ways);
    await connect();
    await read();
    await write(ann, 45);
    await read();
    expect(await outcome()).toEqual({ read: 20, gaps: 1 });
  });

  it("that cannot be read further leave no gap where one page holds all", async () => {
    const ways = { software: "look_alike", ignoresMaxId: true, omitsLinks: true } as const;
    const { connect, write, read, outcome, ann } = await mailbox(ways);
    await connect();
    await read();
    await write(ann, 19);
    await read();
    expect(await outcome()).toEqual({ read: 19, gaps: 0 });
  });

  it("are all read where they came between the connection and the first read, and some pages of older ones", async () => {
    const { server, connect, write, read, outcome, ann } = await mailbox({});
    await write(ann, 60);
    // Long ago: a list may show newer posts only later, so some are read again.
    await read();
    server.faults.add({
      kind: "refuse",
      operation: "GET /api/v1/notifications",
      answer: { status: 503 },
      times: 1_000,
    });
    await connect();
    await write(ann, 170);
    server.faults.clear();
    await read();
    const { read: all, gaps } = await outcome();
    expect(gaps).toBe(0);
    expect(all).toBeGreaterThanOrEqual(170);
    expect(all).toBeLessThan(230);
  });
});

describe("the owner's posts from elsewhere", () => {
  it("are all read where the server returns everything, whatever the request asks for", async () => {
    const ways = { software: "look_alike", listsWhole: true, omitsLinks: true } as const;
    const { server, social, clock, connect, read, alice } = await mailbox(ways);
    await connect();
    await read();
    for (let index = 0; index < 45; index++) {
      server.postAs(alice, { text: `@ann ${index}`, visibility: "direct" });
      await clock.advance(1_000);
    }
    await read();
    const { data } = await social.inbox.conversations.list();
    const { pagination } = await social.inbox.conversations.messages(data[0]?.id ?? "");
    expect([data.length, pagination.total]).toEqual([1, 45]);
  });
});
