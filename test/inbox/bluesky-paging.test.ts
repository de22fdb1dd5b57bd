import { beforeEach, describe, expect, it } from "vitest";
import { bluesky } from "../../src/networks/bluesky/index.ts";
import { createTestService, type TestService } from "../support/service.ts";

const longestWaitMs = 20 * 60_000;

describe("mentions on Bluesky, whose pages begin below a time", () => {
  let service: TestService;
  let ann: string;
  let own: string;

  beforeEach(async () => {
    service = createTestService({ networks: [bluesky({ scopes: ["publish", "inbox"] })] });
    const { sandbox, social, clock } = service;
    await clock.run(() => social.start());
    const me = sandbox.bluesky.addAccount({ handle: "fox.sandbox.example" });
    ann = sandbox.bluesky.addAccount({ handle: "ann.sandbox.example" }).did;
    own = sandbox.bluesky.postAs(me.did, { text: "Open on Sunday" });
    const credentials = { identifier: me.handle, app_password: me.password };
    await clock.run(() => social.profiles.connect({ network: "bluesky", credentials }));
    await clock.advance(longestWaitMs);
  });

  function mention(count: number): void {
    const { bluesky: there } = service.sandbox;
    for (let index = 0; index < count; index++) there.postAs(ann, { text: `@fox.sandbox.example number ${index}` });
  }

  function like(count: number): void {
    for (let index = 0; index < count; index++) service.sandbox.bluesky.likeAs(ann, own);
  }

  async function outcome() {
    await service.clock.advance(longestWaitMs);
    const { pagination } = await service.social.inbox.conversations.list();
    const [status] = (await service.social.inbox.status()).data;
    return { read: pagination.total, gaps: status?.gaps.length };
  }

  it.each([24, 25, 26, 49, 99])("are all read: %i of the same moment between others", async (count) => {
    mention(1);
    await service.clock.advance(1_000);
    mention(count);
    await service.clock.advance(1_000);
    mention(7);
    expect(await outcome()).toEqual({ read: count + 8, gaps: 0 });
  });

  it("leave one gap where more share a moment than the longest page holds", async () => {
    mention(130);
    const at = service.clock.now();
    expect(await outcome()).toEqual({ read: 100, gaps: 1 });
    mention(3);
    expect(await outcome()).toEqual({ read: 103, gaps: 1 });
    const [status] = (await service.social.inbox.status()).data;
    expect(status?.gaps).toEqual([{ from: new Date(at).toISOString(), until: new Date(at + 1).toISOString() }]);
  });

  it("are all read where a page brings more than requested, because others were left out", async () => {
    mention(25);
    await service.clock.advance(1_000);
    like(13);
    await service.clock.advance(1_000);
    mention(12);
    expect(await outcome()).toEqual({ read: 37, gaps: 0 });
  });

  it("are all read below more likes than any page covers", async () => {
    mention(5);
    await service.clock.advance(1_000);
    for (let left = 300; left > 0; left -= 20) {
      like(20);
      await service.clock.advance(100);
    }
    expect(await outcome()).toEqual({ read: 5, gaps: 0 });
  });

  it("are read within hours where their author's clock is behind, below many likes", async () => {
    const { sandbox, clock } = service;
    await clock.advance(20 * 3_600_000);
    for (let left = 300; left > 0; left--) {
      like(1);
      await clock.advance(60_000);
    }
    await outcome();
    sandbox.bluesky.postAs(ann, { text: "@fox.sandbox.example hello", behindMs: 19 * 3_600_000 });
    expect(await outcome()).toEqual({ read: 0, gaps: 0 });
    await clock.advance(6 * 3_600_000);
    expect(await outcome()).toEqual({ read: 1, gaps: 0 });
  });
});
