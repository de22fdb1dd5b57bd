import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import type { FaultKind } from "../../../src/sandbox/faults.ts";
import { createTestService, type TestService } from "../../support/service.ts";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

async function connected(): Promise<TestService & { profileId: string }> {
  const service = createTestService();
  const { instance, access_token } = service.sandbox.mastodon.addAccount({ username: "alice" });
  const credentials = { instance, access_token };
  const profile = await service.clock.run(() => service.social.profiles.connect({ network: "mastodon", credentials }));
  return { ...service, profileId: profile.id };
}

/** Creates the post and runs the worker for ten minutes, as a cron job would. */
async function settle({ social, clock }: TestService, create: Parameters<typeof social.posts.create>[0]) {
  const { id } = await clock.run(() => social.posts.create(create));
  for (let looks = 0; looks < 30; looks++) {
    await clock.advance(20_000);
    await clock.run(() => social.runDue());
  }
  return (await social.posts.get(id)).targets[0];
}

const serverError = { status: 500, json: { error: "We're sorry, but something went wrong on our end." } };

describe("a post appears once on a server that ignores the key,", () => {
  it.each<[string, FaultKind]>([
    ["the response is lost", { kind: "drop_after" }],
    ["the request is lost", { kind: "drop_before" }],
    ["the server accepts it late", { kind: "accept_late", seconds: 20 }],
    ["the response breaks off", { kind: "cut_body" }],
    ["the server fails after it posted", { kind: "refuse_though_done", answer: serverError }],
    ["the server fails before it posted", { kind: "refuse", answer: serverError }],
    ["the host is not found at first", { kind: "not_sent", code: "ENOTFOUND" }],
  ])("even if %s", async (_, fault) => {
    const service = await connected();
    const { sandbox, profileId } = service;
    sandbox.mastodon.ignoreIdempotencyKeys();
    sandbox.mastodon.faults.add({ ...fault, operation: "commit" });
    const url = sandbox.media.put("picture.png", png, { contentType: "image/png" });
    const media = [{ url, alt: "a dot" }];
    const target = await settle(service, { profile_ids: [profileId], text: "Hello @bob@else.example", media });
    expect(target).toMatchObject({ status: "published", error: null });
    expect(sandbox.mastodon.posts().map(({ id, url }) => ({ id, url }))).toEqual([
      { id: target?.post_ids[0], url: target?.url },
    ]);
  });

  it("even if a thread loses the response in the middle", async () => {
    const service = await connected();
    const { sandbox, profileId } = service;
    sandbox.mastodon.ignoreIdempotencyKeys();
    sandbox.mastodon.faults.add({ kind: "drop_after", operation: "commit", after: 1 });
    const target = await settle(service, { profile_ids: [profileId], thread: ["again", "again", "again"] });
    expect(target).toMatchObject({ status: "published" });
    const posts = sandbox.mastodon.posts();
    expect(posts.map(({ id }) => id)).toEqual(target?.post_ids);
    expect(posts.map(({ reply_to }) => reply_to)).toEqual([null, posts[0]?.id, posts[1]?.id]);
  });
});

it("the worker looks for three days while the account cannot be read, then reports that the post may be live", async () => {
  const service = await connected();
  const { sandbox, profileId, clock, social } = service;
  sandbox.mastodon.faults.add({ kind: "drop_after", operation: "commit" });
  const answer = { status: 403, json: { error: "This action is not allowed" } };
  sandbox.mastodon.faults.add({ kind: "refuse", operation: "GET /api/v1/accounts/:id/statuses", answer, times: 999 });
  const target = await settle(service, { profile_ids: [profileId], text: "Hello" });
  expect(target).toMatchObject({ status: "publishing", error: { message: expect.stringContaining("cannot be read") } });
  for (let hours = 0; hours < 73; hours++) {
    await clock.advance(3_600_000);
    await clock.run(() => social.runDue());
  }
  const [given] = (await social.posts.list({})).data;
  expect(given?.targets[0]).toMatchObject({ status: "failed", error: { code: "timeout" } });
  expect(sandbox.mastodon.posts()).toHaveLength(1);
});

it("a post waits for the end of a rate limit", async () => {
  const service = await connected();
  service.sandbox.mastodon.rateLimit(300);
  const target = await settle(service, { profile_ids: [service.profileId], text: "Hello" });
  expect(target).toMatchObject({ status: "published" });
  expect(service.sandbox.mastodon.posts()).toHaveLength(1);
});
