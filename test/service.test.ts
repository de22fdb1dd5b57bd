import { describe, expect, it } from "vitest";
import { bluesky } from "../src/networks/bluesky/index.ts";
import { createSocialService } from "../src/service.ts";
import { memoryStorage } from "../src/storage/memory.ts";
import { sqliteStorage } from "../src/storage/sqlite/index.ts";
import { SocialError } from "../src/wire/errors.ts";
import { scenes } from "./networks/scenes.ts";
import { connectBluesky } from "./support/connect.ts";
import { failureOf } from "./support/failure.ts";
import { recordingLogger, silentLogger } from "./support/logger.ts";
import { createTestService, testKey } from "./support/service.ts";

describe("the key", () => {
  it("is required where the storage outlives the process; the error prints the command that makes one", () => {
    const storage = sqliteStorage(":memory:");
    expect(() => createSocialService({ storage })).toThrow(/encryptionKey is missing.*node -e .*randomBytes\(32\)/s);
  });

  it("is temporary with memory storage, with a warning", () => {
    const logger = recordingLogger();
    createSocialService({ storage: memoryStorage(), logger });
    expect(logger.lines).toEqual([expect.stringContaining("temporary key")]);
  });

  it("that is temporary is the same for a second service on the store, as after a reload", async () => {
    const { sandbox, clock, storage } = createTestService();
    const ports = { storage, clock, http: sandbox.http, untrustedHttp: sandbox.untrustedHttp, networks: [bluesky()] };
    const before = createSocialService({ ...ports, logger: silentLogger });
    const profile = await connectBluesky({ social: before, sandbox, clock });
    const after = createSocialService({ ...ports, logger: silentLogger });
    await after.start();
    const post = await clock.run(() => after.posts.create({ profile_ids: [profile.id], text: "Still here" }));
    expect(post.status).toBe("published");
    await after.stop();
  });

  it.each([
    ["too short", Buffer.alloc(16).toString("base64")],
    ["no base64", "not a key at all"],
  ])("that is %s is rejected with the required form", (_, encryptionKey) => {
    expect(() => createSocialService({ storage: memoryStorage(), encryptionKey })).toThrow(/32 bytes in base64/);
  });

  it("can be replaced: profiles sealed with the old one keep working", async () => {
    const { sandbox, clock, storage } = createTestService();
    const newKey = Buffer.alloc(32, 1).toString("base64");
    const ports = { storage, clock, http: sandbox.http, untrustedHttp: sandbox.untrustedHttp, networks: [bluesky()] };
    const before = createSocialService({ ...ports, encryptionKey: testKey });
    const profile = await connectBluesky({ social: before, sandbox, clock });
    const after = createSocialService({ ...ports, encryptionKey: [newKey, testKey] });
    const post = await clock.run(() => after.posts.create({ profile_ids: [profile.id], text: "Still here" }));
    expect(post.status).toBe("published");
  });
});

describe("tenants", () => {
  it("hide the modules that need an account, and require an account id", () => {
    const social = createSocialService({ storage: memoryStorage(), encryptionKey: testKey, tenants: true });
    expect(Object.keys(social).sort()).toEqual([
      "accounts",
      "forAccount",
      "keys",
      "networks",
      "on",
      "runDue",
      "start",
      "stop",
    ]);
    expect(Object.keys(social.forAccount("acct_42")).sort()).toEqual([
      "connections",
      "inbox",
      "media",
      "posts",
      "profiles",
      "webhooks",
    ]);
    expect(() => social.forAccount("")).toThrow("the account must be a non-empty string");
  });
});

describe("the networks", () => {
  it("are rejected when one is given twice", () => {
    expect(() =>
      createSocialService({ storage: memoryStorage(), encryptionKey: testKey, networks: [bluesky(), bluesky()] }),
    ).toThrow("bluesky is listed twice");
  });

  it("are described by the data that validates and publishes, options and credentials as JSON Schema", () => {
    const list = createTestService().social.networks.list();
    expect(list.map(({ network, publish, threads }) => ({ network, publish, threads }))).toEqual(
      scenes.map(({ network, threads }) => ({ network, publish: true, threads: threads !== null })),
    );
    const [first] = list;
    expect(first).toMatchObject({
      name: "Bluesky",
      text: { max: 300, unit: "graphemes", max_bytes: 3000 },
      media: { max_items: 10, mixing: "one_type" },
      post_types: ["post"],
      title: null,
      duplicates: ["keyed"],
      sunset_at: null,
    });
    expect(first?.options).toMatchObject({ type: "object", additionalProperties: false });
    expect(JSON.parse(JSON.stringify(list))).toEqual(list);
  });
});

describe("URLs from users", () => {
  it.each([
    "https://127.0.0.1/picture.png",
    "https://localhost/picture.png",
    "http://example.com/picture.png",
    "https://[::1]/picture.png",
  ])("are rejected by default where they are not public and https: %s", async (url) => {
    const { social, clock, sandbox } = createTestService({ untrustedHttp: undefined, allowedHosts: [] });
    sandbox.discord.addChannel();
    const credentials = { bot_token: sandbox.discord.addBot(), channel_id: sandbox.discord.addChannel() };
    const profile = await clock.run(() => social.profiles.connect({ network: "discord", credentials }));
    const error = await failureOf(
      clock.run(() => social.posts.create({ profile_ids: [profile.id], text: "Look", media: [url] })),
    );
    expect(error.details).toMatchObject([{ field: "media[0]", code: "media_error" }]);
    expect(JSON.stringify(error.details)).not.toMatch(/127\.0\.0\.1(?![/:])|::1(?!\])/);
  });
});

it("SocialError.is recognizes the package's errors, across copies of the package", () => {
  const foreign = Object.assign(new Error("x"), { [Symbol.for("postrider.SocialError")]: true });
  expect(SocialError.is(foreign)).toBe(true);
  expect(SocialError.is(new Error("x"))).toBe(false);
  expect(SocialError.is(null)).toBe(false);
});
