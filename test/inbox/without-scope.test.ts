import { describe, expect, it } from "vitest";
import { mastodon } from "../../src/networks/mastodon/index.ts";
import { connectBluesky } from "../support/connect.ts";
import { recordingLogger } from "../support/logger.ts";
import { createTestService } from "../support/service.ts";

const reason =
  'This profile has no inbox: the service does not read one on Bluesky. [For the developer: If the adapter has the scope "inbox", request it, bluesky({ scopes: ["publish", "inbox"] }), and reconnect the profile.]';

it("an inbox whose scope was not requested says so instead of staying empty", async () => {
  const service = createTestService();
  const { id: profile_id } = await connectBluesky(service);
  const expected = { code: "unsupported", message: reason };
  await expect(service.social.inbox.changes({ profile_id })).rejects.toMatchObject(expected);
  await expect(service.social.inbox.follow({ profile_id }).next()).rejects.toMatchObject(expected);
});

it("following a whole account skips profiles without an inbox", async () => {
  const service = createTestService();
  await connectBluesky(service);
  const stop = new AbortController();
  const following = service.social.inbox.follow({ after: {} }, { signal: stop.signal }).next();
  await service.clock.advance(5_000);
  stop.abort();
  expect((await service.clock.run(() => following)).done).toBe(true);
});

describe("a service whose networks read no inbox", () => {
  const warnings = ({ lines }: { lines: readonly string[] }) => lines.filter((line) => line.includes("reads an inbox"));

  it("warns once where a listener waits for messages or conversations are listed", async () => {
    const logger = recordingLogger();
    const { social, clock } = createTestService({ logger });
    social.on("message.received", () => {});
    social.on("conversation.changed", () => {});
    await clock.run(() => social.inbox.conversations.list());
    expect(warnings(logger)).toEqual([
      expect.stringContaining(
        "a listener waits for message.received, but no network of this service reads an inbox: if",
      ),
    ]);
  });

  it("warns where its conversations are listed", async () => {
    const logger = recordingLogger();
    const { social, clock } = createTestService({ logger });
    await clock.run(() => social.inbox.conversations.list());
    expect(warnings(logger)).toEqual([expect.stringContaining("conversations were listed, but no network")]);
  });

  it("does not warn where the inbox is not used", async () => {
    const logger = recordingLogger();
    const service = createTestService({ logger });
    service.social.on("post.published", () => {});
    await connectBluesky(service);
    await service.clock.run(() => service.social.start());
    expect(warnings(logger)).toEqual([]);
  });
});

it("a service with an inbox on one network does not warn", async () => {
  const logger = recordingLogger();
  const networks = [mastodon({ scopes: ["publish", "inbox"] })];
  const { social, clock } = createTestService({ logger, networks });
  social.on("message.received", () => {});
  await clock.run(() => social.inbox.conversations.list());
  expect(logger.lines.filter((line) => line.includes("reads an inbox"))).toEqual([]);
});
