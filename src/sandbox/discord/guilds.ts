import type { Json, JsonObject } from "../../wire/json.ts";
import { ok, type SandboxRequest } from "../exchange.ts";
import { route } from "../parts/routes.ts";
import { refusal } from "./refusal.ts";
import {
  type Bot,
  type Channel,
  channelTypes,
  type Guild,
  permissionBits,
  type SandboxPermission,
  type State,
  type User,
} from "./state.ts";

export type Guilds = ReturnType<typeof createGuilds>;

export function createGuilds(state: State) {
  /** @throws Refusal 401 */
  function authenticate(request: SandboxRequest): Bot {
    const token = request.headers.get("authorization")?.replace(/^Bot /, "");
    const bot = state.bots.find((each) => each.token === token && !each.revoked);
    if (bot === undefined) throw refusal(401, 0, "401: Unauthorized");
    return bot;
  }

  function openGuild(id: string): Guild {
    const guild = state.guilds.find((each) => each.id === id && !each.closed);
    if (guild === undefined) throw refusal(404, 10004, "Unknown Guild");
    return guild;
  }

  /** A channel that the bots can see. @throws Refusal */
  function visibleChannel(id: string): Channel {
    const channel = state.channels.find((each) => each.id === id);
    if (channel === undefined) throw refusal(404, 10003, "Unknown Channel");
    if (channel.guild.closed || channel.denied.has("VIEW_CHANNEL")) throw refusal(403, 50001, "Missing Access");
    return channel;
  }

  return {
    authenticate,
    visibleChannel,
    routes: [
      route("getMe", "GET /api/v10/users/@me", (request) => {
        const { user } = authenticate(request);
        const shown = { ...userJson(user), primary_guild: undefined };
        return ok({ ...shown, mfa_enabled: true, locale: "en-US", verified: true, email: null });
      }),
      route("getChannel", "GET /api/v10/channels/:id", (request, id) => {
        authenticate(request);
        return ok(channelJson(visibleChannel(id)));
      }),
      route("getGuild", "GET /api/v10/guilds/:id", (request, id) => {
        authenticate(request);
        return ok(guildJson(openGuild(id)));
      }),
      route("getChannels", "GET /api/v10/guilds/:id/channels", (request, guildId) => {
        authenticate(request);
        const guild = openGuild(guildId);
        return ok(state.channels.filter((each) => each.guild === guild).map(channelJson));
      }),
      route("getMember", "GET /api/v10/guilds/:id/members/:id", (request, guildId, userId) => {
        authenticate(request);
        openGuild(guildId);
        const bot = state.bots.find(({ user }) => user.id === userId);
        if (bot === undefined) throw refusal(404, 10007, "Unknown Member");
        return ok(memberJson(bot.user));
      }),
    ],
  };
}

/** @throws Refusal 50013 */
export function assertPermission(channel: Channel, permission: SandboxPermission): void {
  if (channel.denied.has(permission)) throw refusal(403, 50013, "Missing Permissions");
}

export function userJson({ id, username, isBot }: User): JsonObject {
  return {
    id,
    username,
    avatar: null,
    discriminator: isBot ? "0001" : "0",
    public_flags: 0,
    flags: 0,
    global_name: null,
    primary_guild: null,
    bot: isBot,
  };
}

function memberJson(user: User): JsonObject {
  return {
    avatar: null,
    banner: null,
    communication_disabled_until: null,
    flags: 0,
    joined_at: "2026-01-01T00:00:00.000000+00:00",
    nick: null,
    pending: false,
    premium_since: null,
    roles: [],
    user: userJson(user),
    mute: false,
    deaf: false,
  };
}

/** REQUIRE_TAG. https://docs.discord.com/developers/resources/channel (2026-08) */
const requireTagFlag = 16;

function channelJson({ id, guild, kind, name, denied, needsTag }: Channel): JsonObject {
  const deny = [...denied].reduce((sum, permission) => sum | permissionBits[permission], 0n);
  return {
    id,
    type: channelTypes[kind],
    flags: needsTag ? requireTagFlag : 0,
    guild_id: guild.id,
    name,
    position: 0,
    permission_overwrites: deny === 0n ? [] : [{ id: guild.id, type: 0, allow: "0", deny: String(deny) }],
  };
}

function guildJson({ id, name }: Guild): JsonObject {
  const everyone = Object.values(permissionBits).reduce((sum, bit) => sum | bit, 0n);
  const absent: Record<string, Json> = Object.fromEntries(
    [
      "icon description home_header splash discovery_splash banner application_id afk_channel_id system_channel_id",
      "widget_channel_id max_presences vanity_url_code rules_channel_id safety_alerts_channel_id",
      "public_updates_channel_id incidents_data",
    ].flatMap((names) => names.split(" ").map((each) => [each, null])),
  );
  return {
    ...absent,
    id,
    name,
    features: [],
    owner_id: "1",
    region: "deprecated",
    afk_timeout: 300,
    system_channel_flags: 0,
    widget_enabled: false,
    verification_level: 0,
    roles: [roleJson(id, String(everyone))],
    default_message_notifications: 0,
    mfa_level: 0,
    explicit_content_filter: 0,
    max_members: 500_000,
    max_stage_video_channel_users: 50,
    max_video_channel_users: 25,
    premium_tier: 0,
    premium_subscription_count: 0,
    preferred_locale: "en-US",
    premium_progress_bar_enabled: false,
    nsfw: false,
    nsfw_level: 0,
    emojis: [],
    stickers: [],
  };
}

/** The role of all members has the server's id. */
function roleJson(id: string, permissions: string): JsonObject {
  return {
    id,
    name: "@everyone",
    permissions,
    position: 0,
    color: 0,
    colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
    hoist: false,
    managed: false,
    mentionable: false,
    icon: null,
    unicode_emoji: null,
    flags: 0,
  };
}
