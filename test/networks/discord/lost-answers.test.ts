import { Buffer } from "node:buffer";
import { expect, it } from "vitest";
import type { FaultKind } from "../../../src/sandbox/faults.ts";
import type { Sandbox } from "../../../src/sandbox/sandbox.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import { createTestService } from "../../support/service.ts";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

function bot(type: "text" | "forum"): (sandbox: Sandbox) => JsonObject {
  return ({ discord }) => ({ bot_token: discord.addBot(), channel_id: discord.addChannel({ type }) });
}

function webhook({ discord }: Sandbox): JsonObject {
  return { webhook_url: discord.addWebhook({ channel: discord.addChannel() }) };
}

const lost: FaultKind = { kind: "drop_after" };
const neverThere: FaultKind = { kind: "drop_before" };
const late: FaultKind = { kind: "accept_late", seconds: 12 };

it.each([
  ["a bot, response lost", bot("text"), lost, "published", 1],
  ["a bot, request lost", bot("text"), neverThere, "published", 1],
  ["a bot, accepted late", bot("text"), late, "published", 1],
  ["a forum, response lost", bot("forum"), lost, "published", 1],
  ["a forum, request lost", bot("forum"), neverThere, "published", 1],
  ["a forum, accepted late", bot("forum"), late, "published", 1],
  ["a webhook, response lost", webhook, lost, "failed", 1],
  ["a webhook, request lost", webhook, neverThere, "failed", 0],
] as const)("a post with an image never appears twice: %s", async (_, credentials, fault, status, times) => {
  const { social, clock, sandbox } = createTestService();
  const url = sandbox.media.put("picture.png", png, { contentType: "image/png" });
  const connect = { network: "discord", credentials: credentials(sandbox) } as const;
  const profile = await clock.run(() => social.profiles.connect(connect));
  sandbox.discord.faults.add({ ...fault, operation: "commit" });
  const create = { profile_ids: [profile.id], text: "Hello", media: [{ url, alt: "a dot" }] };
  const { id } = await clock.run(() => social.posts.create(create));
  for (let looks = 0; looks < 30; looks++) {
    await clock.advance(20_000);
    await clock.run(() => social.runDue());
  }
  const [target] = (await social.posts.get(id)).targets;
  expect(target?.status).toBe(status);
  if (status === "failed") expect(target?.error).toMatchObject({ code: "timeout" });
  expect(sandbox.discord.posts()).toHaveLength(times);
});
