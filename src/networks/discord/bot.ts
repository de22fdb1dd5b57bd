import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { SignedPart } from "../contract/adapter.ts";
import type { Identity } from "../contract/profile.ts";
import type { LoginContext, NetworkResponse } from "../contract/request.ts";
import { endpoint, readAnswer } from "./api.ts";
import { type ChannelType, channelTypeName, channelTypeOf } from "./channel.ts";
import type { KnownBot } from "./known.ts";
import { type Access, overwritesSchema, type Permission, readAccess } from "./permissions.ts";
import { snowflake } from "./snowflake.ts";

const userSchema = z.object({ id: snowflake, username: z.string(), avatar: z.string().nullish() });

const channelSchema = z.object({
  id: snowflake,
  type: z.number(),
  guild_id: snowflake.nullish(),
  name: z.string().nullish(),
  flags: z.number().nullish(),
  permission_overwrites: overwritesSchema.nullish(),
});

type Channel = z.infer<typeof channelSchema>;

/** REQUIRE_TAG. https://docs.discord.com/developers/resources/channel (2026-08) */
const requireTagFlag = 1 << 4;

export function withBotToken<Request extends SignedPart>(request: Request, token: string): Request {
  return { ...request, headers: { ...request.headers, ...botHeaders(token) } };
}

function botHeaders(token: string): { authorization: string } {
  return { authorization: `Bot ${token}` };
}

/**
 * A bot in one channel.
 *
 * @throws PublishingError `invalid_request` or, once connected, `profile_unavailable`, when it cannot post there
 */
export async function readBotIdentity(
  context: Pick<LoginContext, "request">,
  bot: { token: string; channelId: string },
  refusedAs: "invalid_request" | "profile_unavailable",
): Promise<Identity> {
  const get = (steps: readonly string[], accept: readonly number[] = []): Promise<NetworkResponse> =>
    context.request(withBotToken({ method: "GET", url: endpoint(steps), accept }, bot.token));
  const user = readAnswer(userSchema, await get(["users", "@me"]));
  const response = await get(["channels", bot.channelId], refusedAs === "invalid_request" ? [403, 404] : []);
  if (response.status !== 200) throw unseenChannel(bot.channelId);
  const channel = readAnswer(channelSchema, response);
  const { guild_id: guildId } = channel;
  const type = channelTypeOf(channel.type);
  if (type === null || guildId == null) throw wrongChannel(channel, refusedAs);
  const place = { guildId, userId: user.id, overwrites: channel.permission_overwrites ?? [] };
  const access = await readAccess(context, place, botHeaders(bot.token));
  assertMayPost(access, channel, refusedAs);
  return identityOf({ user, channel, guildId, type, access });
}

function identityOf(facts: {
  user: z.infer<typeof userSchema>;
  channel: Channel;
  guildId: string;
  type: ChannelType;
  access: Access;
}): Identity {
  const { user, channel, guildId, type, access } = facts;
  const known: KnownBot = {
    kind: "bot",
    guild_id: guildId,
    channel_id: channel.id,
    channel_type: type,
    bot_user_id: user.id,
    needs_tag: ((channel.flags ?? 0) & requireTagFlag) !== 0,
  };
  const { guild } = access;
  return {
    external_id: `${guildId}:${channel.id}`,
    name: `${guild.name} #${channel.name ?? channel.id}`,
    handle: user.username,
    avatar_url: guild.icon === null ? null : `https://cdn.discordapp.com/icons/${guildId}/${guild.icon}.png`,
    url: `https://discord.com/channels/${guildId}/${channel.id}`,
    scopes: access.permissions,
    limits: {},
    host: null,
    account_facts: known,
  };
}

function unseenChannel(channelId: string): PublishingError {
  const message = `channel_id: The bot cannot see the channel ${channelId}. Add the bot to the server, let it view the channel, and check the id.`;
  return new PublishingError("invalid_request", message);
}

function wrongChannel(channel: Channel, code: "invalid_request" | "profile_unavailable"): PublishingError {
  const message = `channel_id: this is a ${channelTypeName(channel.type)} channel; it must be a text, announcement, forum or media channel of a server.`;
  return new PublishingError(code, message);
}

const needed: Readonly<Partial<Record<Permission, string>>> = {
  VIEW_CHANNEL: "View Channel",
  SEND_MESSAGES: "Send Messages",
};

/** Discord tells a missing permission only when a post is refused for it. */
function assertMayPost(access: Access, channel: Channel, code: "invalid_request" | "profile_unavailable"): void {
  const missing = Object.entries(needed).filter(([name]) => !access.permissions.includes(name as Permission));
  if (missing.length === 0) return;
  const names = missing.map(([, name]) => name).join(" and ");
  throw new PublishingError(code, `channel_id: the bot lacks ${names} in #${channel.name ?? channel.id}.`);
}

/** May the bot read the channel's past now? Without it Discord shows an empty channel instead of refusing. */
export async function mayReadHistory(context: Pick<LoginContext, "request">, known: KnownBot): Promise<boolean> {
  const response = await context.request({ method: "GET", url: endpoint(["channels", known.channel_id]) });
  const channel = readAnswer(channelSchema, response);
  const access = await readAccess(context, {
    guildId: known.guild_id,
    userId: known.bot_user_id,
    overwrites: channel.permission_overwrites ?? [],
  });
  return access.permissions.includes("READ_MESSAGE_HISTORY");
}
