import type { Sandbox } from "../../../src/sandbox/sandbox.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import { type OptionExamples, withPhoto } from "../option-examples.ts";

const forum = ({ discord }: Sandbox): JsonObject => botIn(discord, "forum");
const webhook = ({ discord }: Sandbox): JsonObject => ({
  webhook_url: discord.addWebhook({ channel: discord.addChannel() }),
});

function botIn(discord: Sandbox["discord"], type: "announcement" | "forum"): JsonObject {
  return { bot_token: discord.addBot(), channel_id: discord.addChannel({ type }) };
}

export const options: OptionExamples = {
  allowed_mentions: { value: { parse: ["users"] } },
  suppress_embeds: { value: true },
  silent: { value: true },
  embeds: { value: [{ title: "Bread", url: "https://example.com/bread" }] },
  poll: { value: { question: "Which?", answers: ["Rye", "Wheat"] } },
  spoiler: { value: true, post: withPhoto },
  reply_to: { value: ({ earlier }) => earlier.id },
  crosspost: { value: true, on: ({ discord }) => botIn(discord, "announcement") },
  username: { value: "Baker", on: webhook },
  avatar_url: { value: "https://example.com/baker.png", on: webhook },
  thread_name: { value: "Bread", on: forum },
  applied_tags: { value: ["12345678901234567"], on: forum, besides: { thread_name: "Bread" } },
};
