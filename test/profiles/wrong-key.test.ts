import { describe, expect, it } from "vitest";
import type { SocialServiceOptions } from "../../src/options.ts";
import { createSocialService } from "../../src/service.ts";
import { connectAll, connectBluesky } from "../support/connect.ts";
import { failureOf } from "../support/failure.ts";
import { recordingLogger, silentLogger } from "../support/logger.ts";
import { createTestService, testKey, testNetworks } from "../support/service.ts";

const otherKey = Buffer.alloc(32, 7).toString("base64");
const wrongKey =
  /^Stored credentials were encrypted with a key that this service does not have\. .* Append the old key/;
const maxRetryMs = 10 * 60_000;

/** A service on the first one's store and networks, like the next deployment. */
function redeploy(before: ReturnType<typeof createTestService>, options: Partial<SocialServiceOptions>) {
  const { storage, clock, sandbox } = before;
  const { http, untrustedHttp } = sandbox;
  const ports = { storage, clock, http, untrustedHttp, networks: testNetworks(), logger: silentLogger };
  return createSocialService({ ...ports, maxRetryMs, publishWaitMs: 20_000, ...options, tenants: false });
}

describe("a service that is started with another key", () => {
  it("does not start, and says what to do", async () => {
    const before = createTestService();
    await connectBluesky({ ...before });
    const error = await failureOf(redeploy(before, { encryptionKey: otherKey }).start());
    expect(error.message).toMatch(wrongKey);
    expect(error.message).toContain("encryptionKey: [newKey, oldKey]");
    expect(error.message).not.toContain(otherKey);
  });

  it("throws at runDue, too", async () => {
    const before = createTestService();
    await connectBluesky({ ...before });
    const after = redeploy(before, { encryptionKey: otherKey });
    expect((await failureOf(before.clock.run(() => after.runDue()))).message).toMatch(wrongKey);
  });

  it.each<[string, string | string[]]>([
    ["the same key", testKey],
    ["the old key behind a new one", [otherKey, testKey]],
  ])("starts with %s", async (_, encryptionKey) => {
    const before = createTestService();
    await connectBluesky({ ...before });
    const after = redeploy(before, { encryptionKey });
    await after.start();
    await after.stop();
  });

  it("starts with any key where nothing encrypted is stored", async () => {
    const before = createTestService();
    const { id } = await connectBluesky({ ...before });
    await before.clock.run(() => before.social.profiles.disconnect(id));
    const after = redeploy(before, { encryptionKey: otherKey });
    await after.start();
    await after.stop();
  });

  it("starts where some profiles can be decrypted, and logs that others cannot", async () => {
    const before = createTestService();
    await connectBluesky({ ...before });
    const logger = recordingLogger();
    const after = redeploy(before, { encryptionKey: otherKey, logger });
    await connectBluesky({ ...before, social: after }, "bob.sandbox.example");
    await after.start();
    await after.stop();
    expect(logger.lines).toEqual([expect.stringContaining("some profiles need a missing encryption key")]);
  });

  it("starts while the store cannot be read, and checks later", async () => {
    const before = createTestService();
    await connectBluesky({ ...before });
    const { storage } = before;
    let isAway = true;
    const flaky: typeof storage = {
      ...storage,
      find: async (...question) => {
        if (isAway) throw new Error("the store is away");
        return storage.find(...question);
      },
    };
    const after = redeploy(before, { encryptionKey: otherKey, storage: flaky });
    await after.start();
    await after.stop();
    isAway = false;
    expect((await failureOf(after.start())).message).toMatch(wrongKey);
  });
});

describe("a profile that no key decrypts", () => {
  it("says so in every read, and works again with the right key", async () => {
    const before = createTestService();
    const { id } = await connectBluesky({ ...before });
    const after = redeploy(before, { encryptionKey: otherKey });
    const events: string[] = [];
    after.on("profile.needs_attention", () => events.push("needs_attention"));
    const locked = { id, status: "needs_attention", status_reason: expect.stringMatching(wrongKey) };
    expect(await after.profiles.get(id)).toMatchObject(locked);
    expect((await after.profiles.list()).data).toMatchObject([locked]);
    expect(await before.clock.run(() => after.profiles.check(id))).toMatchObject(locked);
    const right = redeploy(before, { encryptionKey: [otherKey, testKey] });
    expect(await right.profiles.get(id)).toMatchObject({ status: "connected", status_reason: null });
    expect(events).toEqual([]);
  });

  it("can be disconnected, and its credentials are destroyed", async () => {
    const before = createTestService();
    const { id } = await connectBluesky({ ...before });
    const after = redeploy(before, { encryptionKey: otherKey });
    expect(await before.clock.run(() => after.profiles.disconnect(id))).toMatchObject({ status: "disconnected" });
    expect((await before.storage.get("profiles", id))?.private).toMatchObject({ secret: null });
  });
});

describe("a post to profiles that no key decrypts", () => {
  /** Created under the wrong key, and processed for `minutes`. */
  async function createLocked(minutes: number) {
    const before = createTestService();
    const profiles = await connectAll({ ...before });
    const after = redeploy(before, { encryptionKey: otherKey });
    const body = { profile_ids: profiles.map(({ id }) => id), text: "Hello" };
    const post = await before.clock.run(() => after.posts.create(body));
    for (let minute = 0; minute < minutes; minute++) {
      await before.clock.advance(60_000);
      await before.clock.run(() => after.runDue().catch(() => undefined));
    }
    return { before, after, post: await after.posts.get(post.id) };
  }

  it("waits with the reason on each target", async () => {
    const { post } = await createLocked(0);
    expect(post.status).toBe("publishing");
    for (const { status, error } of post.targets) {
      expect(status).toBe("publishing");
      expect(error).toEqual({ code: "internal_error", message: expect.stringMatching(wrongKey) });
    }
  });

  it("goes out once the right key is there", async () => {
    const { before, post } = await createLocked(2);
    const right = redeploy(before, { encryptionKey: [otherKey, testKey] });
    await before.clock.advance(60_000);
    await before.clock.run(() => right.runDue());
    expect((await right.posts.get(post.id)).status).toBe("published");
  });

  it("fails after maxRetryMs, and the profiles stay unchanged", async () => {
    const { before, post } = await createLocked(12);
    expect(post.status).toBe("failed");
    for (const { error } of post.targets) {
      expect(error).toMatchObject({ code: "internal_error", message: expect.stringContaining("Append the old key") });
      expect(error?.message).toMatch(/^Given up after 1[01] minutes\. /);
    }
    const right = redeploy(before, { encryptionKey: testKey });
    expect((await right.profiles.list()).data.map(({ status }) => status)).toEqual(Array(3).fill("connected"));
    const again = await before.clock.run(() => right.posts.retry(post.id));
    expect(again.status).toBe("published");
  });
});

describe("a webhook whose secret no key decrypts", () => {
  it("fails with the reason, is retried, and arrives with the right key", async () => {
    const before = createTestService();
    const endpoint = await before.social.webhooks.create({ url: before.sandbox.receivers.url("a") });
    const after = redeploy(before, { encryptionKey: otherKey });
    await before.clock.run(async () => {
      await connectBluesky({ ...before, social: after });
      await after.runDue();
    });
    const deliveries = () => before.social.webhooks.deliveries.list(endpoint.id);
    expect((await deliveries()).data).toMatchObject([
      {
        status: "pending",
        attempts: 1,
        error: expect.stringMatching(/^Not sent, because it cannot be signed\. Stored cred/),
      },
    ]);
    const tested = await before.clock.run(() => after.webhooks.test(endpoint.id));
    expect(tested.error).toContain("Append the old key");
    await before.clock.advance(10 * 60_000);
    await before.clock.run(() => before.social.runDue().catch(() => undefined));
    expect((await deliveries()).data.find(({ event }) => event === "profile.connected")?.status).toBe("delivered");
  });
});
