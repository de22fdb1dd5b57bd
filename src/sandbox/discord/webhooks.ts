import * as z from "zod";
import { ok } from "../exchange.ts";
import { type Route, route } from "../parts/routes.ts";
import { messageJson } from "./message-json.ts";
import { addMessage } from "./messages.ts";
import { checked, filesOf, messageSchema, readPayload } from "./payload.ts";
import { refusal } from "./refusal.ts";
import { type Message, type State, type User, urlOf, type Webhook } from "./state.ts";
import { openThread, tagsSchema } from "./threads.ts";

/**
 * Without nonce and reply, which webhooks ignore. https://docs.discord.com/developers/resources/webhook, "Execute
 * Webhook" (2026-08)
 */
const executeSchema = messageSchema.extend({
  username: z
    .string()
    .min(1)
    .max(80)
    .refine((name) => !/discord|clyde/i.test(name), 'Username cannot contain "discord"')
    .nullish(),
  avatar_url: z
    .string()
    .max(2048)
    .regex(/^https?:\/\/\S+$/, "Not a well formed URL.")
    .nullish(),
  thread_name: z.string().max(100).nullish(),
  applied_tags: tagsSchema.nullish(),
});

const address = "/api/v10/webhooks/:id/:token";

export function webhookRoutes(state: State): Route[] {
  function find(id: string, token: string): Webhook {
    const webhook = state.webhooks.find((each) => each.id === id);
    if (webhook === undefined) throw refusal(404, 10015, "Unknown Webhook");
    if (webhook.token !== token) throw refusal(401, 50027, "Invalid Webhook Token");
    return webhook;
  }

  function post(webhook: Webhook, payload: z.infer<typeof executeSchema>, files: Map<string, File>): Message {
    const { channel, id: webhookId } = webhook;
    const stored = filesOf(payload, files);
    const author: User = { id: webhookId, username: payload.username ?? webhook.name, isBot: true };
    const common = { channel, author, webhookId, payload, files: stored };
    const holdsThreads = channel.kind === "forum" || channel.kind === "media";
    const { thread_name, applied_tags } = payload;
    if (!holdsThreads && thread_name) throw refusal(400, 220003, "Webhooks can only create threads in forum channels");
    if (!holdsThreads) return addMessage(state, { ...common, channelId: channel.id });
    if (!thread_name)
      throw refusal(400, 220001, "Webhooks posted to forum channels must have a thread_name or thread_id");
    if (channel.needsTag && !applied_tags?.length)
      throw refusal(400, 40067, "A tag is required to create a forum post in this channel");
    return openThread(state, { ...common, name: thread_name, tags: applied_tags ?? [] }).message;
  }

  return [
    route("getWebhook", `GET ${address}`, (_, id, token) => {
      const webhook = find(id, token);
      const { name, channel } = webhook;
      const common = { application_id: null, avatar: null, id, name, token, type: 1 };
      return ok({ ...common, channel_id: channel.id, guild_id: channel.guild.id, url: urlOf(webhook) });
    }),

    route("deleteWebhook", `DELETE ${address}`, (_, id, token) => {
      const webhook = find(id, token);
      state.webhooks = state.webhooks.filter((each) => each !== webhook);
      return { status: 204 };
    }),

    route("executeWebhook", `POST ${address}`, async (request, id, token) => {
      const webhook = find(id, token);
      const { json, files } = await readPayload(request);
      const message = post(webhook, checked(executeSchema, json), files);
      if (request.url.searchParams.get("wait") !== "true") return { status: 204 };
      return ok(messageJson(state, message));
    }),
  ];
}
