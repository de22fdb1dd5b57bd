import type { SandboxPost } from "../network.ts";
import type { State } from "./state.ts";

/** The posts of bots and webhooks that were not deleted, in the order of publication. */
export function postsOf(state: State): SandboxPost[] {
  return state.messages
    .filter(({ author, deleted }) => author.isBot && !deleted)
    .map((message) => {
      const { id, channel, channelId, webhookId, files } = message;
      return {
        id,
        account: webhookId === null ? `${channel.guild.id}:${channel.id}` : `webhook:${webhookId}`,
        text: message.content,
        media: files.length,
        alt: files.map(({ description }) => description ?? ""),
        reply_to: message.reply_to,
        url: `https://discord.com/channels/${channel.guild.id}/${channelId}/${id}`,
        created_at: new Date(message.created_at).toISOString(),
      };
    });
}
