import { describe, expect, it } from "vitest";
import type { Post } from "../../../src/publishing/schema.ts";
import { connectBluesky } from "../../support/connect.ts";
import { createTestService } from "../../support/service.ts";

const dayMs = 24 * 3_600_000;
const alphabet = "234567abcdefghijklmnopqrstuvwxyz";

/** True: the record key carries this time, milliseconds, or one up to a second later. */
function carries(uri: string, at: number): boolean {
  let value = 0n;
  for (const letter of uri.slice(uri.lastIndexOf("/") + 1)) value = (value << 5n) | BigInt(alphabet.indexOf(letter));
  const afterMs = Number((value >> 10n) / 1000n) - at;
  return afterMs >= 0 && afterMs < 1_000;
}

async function scheduled(aheadMs: number) {
  const service = createTestService({ maxRetryMs: 60_000 });
  const { social, clock } = service;
  const profile = await connectBluesky(service);
  const at = clock.now() + aheadMs;
  const create = () =>
    social.posts.create({ profile_ids: [profile.id], text: "Later", scheduled_at: new Date(at).toISOString() });
  const { id } = await clock.run(create);
  const due = async (): Promise<Post> => {
    await clock.run(() => social.runDue());
    return social.posts.get(id);
  };
  return { ...service, id, at, due };
}

describe("the record key of a Bluesky post", () => {
  it("carries the time of the first attempt, not of the schedule", async () => {
    const { clock, due, at, sandbox } = await scheduled(60 * dayMs);
    await clock.advance(60 * dayMs);
    expect(await due()).toMatchObject({ status: "published" });
    const [post] = sandbox.bluesky.posts();
    expect(carries(post?.id ?? "", at)).toBe(true);
    expect(Date.parse(post?.created_at ?? "")).toBe(at);
  });

  it("stays the same if the post is retried days later", async () => {
    const { clock, due, at, sandbox, social, id } = await scheduled(dayMs);
    sandbox.bluesky.faults.add({ kind: "not_sent", code: "ECONNREFUSED", operation: "applyWrites", times: 99 });
    await clock.advance(dayMs);
    for (let round = 0; round < 12; round++) {
      await due();
      await clock.advance(20_000);
    }
    expect((await social.posts.get(id)).status).toBe("failed");
    sandbox.bluesky.faults.clear();
    await clock.advance(3 * dayMs);
    const again = await clock.run(() => social.posts.retry(id));
    expect(again.status).toBe("published");
    expect(carries(again.targets[0]?.post_ids[0] ?? "", at)).toBe(true);
  });
});
