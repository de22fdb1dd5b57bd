import type { z } from "zod";
import type { NetworkAdapter } from "../contract/adapter.ts";
import { connector, type credentialsSchema } from "./connect.ts";
import { errors } from "./errors.ts";
import { limits } from "./limits.ts";
import { options } from "./options.ts";
import { publisher } from "./publish.ts";

/** What `networks.discord` takes besides content of its own. */
export type DiscordOptions = z.input<typeof options>;
/** What connecting an account takes. */
export type DiscordCredentials = z.input<typeof credentialsSchema>;
/** What `discord` returns. */
export type DiscordAdapter = NetworkAdapter<"discord", typeof options, typeof credentialsSchema>;

/**
 * Discord: a bot in one channel of a server, or a channel's webhook.
 *
 * A bot is made at discord.com/developers/applications, added to the server
 * with View Channel, Send Messages, Embed Links, Attach Files and Read Message
 * History, and connected with its token and a channel's id. A webhook is
 * connected with its address alone; Discord cannot be asked what a webhook has
 * posted, so there a lost answer ends as "may be live".
 *
 * @see https://docs.discord.com/developers/resources/message
 * @see https://docs.discord.com/developers/resources/webhook
 * @example
 * createSocialService({ storage, networks: [discord()] });
 */
export function discord(): DiscordAdapter {
  return { spec: limits, options, errors, connect: connector, publish: publisher };
}
