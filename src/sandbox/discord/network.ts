import type { SandboxAnswer, SandboxRequest } from "../exchange.ts";
import type { SandboxNetwork, SandboxPorts, SandboxPost } from "../network.ts";
import { known, withId } from "../parts/known.ts";
import type { LoginApp } from "../parts/login-pages.ts";
import { createSimulation } from "../parts/simulation.ts";
import { createGuilds } from "./guilds.ts";
import { authorizePath, loginRoutes } from "./logins.ts";
import { addMessage, messageRoutes } from "./messages.ts";
import { postsOf } from "./posts.ts";
import { refusal } from "./refusal.ts";
import {
  addWebhook,
  type ChannelKind,
  createState,
  type Guild,
  type SandboxPermission,
  type State,
  type User,
  urlOf,
} from "./state.ts";
import { threadRoutes } from "./threads.ts";
import { webhookRoutes } from "./webhooks.ts";

/** Discord, simulated. Every bot is a member of every server until it is removed. */
export interface DiscordSandbox extends SandboxNetwork {
  /** Creates a bot; connect it with the returned token. */
  addBot(options?: { username?: string }): string;
  /**
   * Registers an application with its bot, and returns the bot's token. Redirect URLs are compared character by
   * character.
   */
  addApp(app: LoginApp): string;
  /** Removes the right to manage the server from users who sign in. */
  demote(guild: string): void;
  /** Creates a server; returns its id. */
  addGuild(options?: { name?: string }): string;
  /**
   * Creates a channel; returns its id. @default a text channel of the first server, which is created if there is none
   */
  addChannel(options?: { type?: ChannelKind; name?: string; guild?: string; needs_tag?: boolean }): string;
  /** Creates a webhook; returns its URL. */
  addWebhook(options: { channel: string; name?: string }): string;
  /** The ids of all webhooks. */
  webhooks(): string[];
  /** A user writes into a channel; returns the message's id. */
  say(options: { channel: string; text: string }): string;
  /** Another program posts with the same bot; returns the message's id. `bot`: its token. @default the first bot */
  postAs(options: { channel: string; text: string; bot?: string }): string;
  /** All posts of bots and webhooks, in the order of publication. */
  posts(): SandboxPost[];
  /** Deletes a message. */
  deleteMessage(id: string): void;
  /** Archives the posts of a forum, as happens after some time. */
  archiveThreads(channel: string): void;
  /** Removes these permissions in the channel from all bots. */
  deny(options: { channel: string; permissions: readonly SandboxPermission[] }): void;
  /** Removes the bots from the server. */
  removeBots(guild: string): void;
  /** Resets the bot's token. */
  revokeBot(token: string): void;
  /** Deletes a webhook: its URL no longer exists. */
  deleteWebhook(url: string): void;
  /** Rejects every request for this long. */
  rateLimit(seconds: number): void;
  /** Delays messages and threads in reads. */
  lagReads(seconds: number): void;
}

export function discordSandbox(ports: SandboxPorts): DiscordSandbox {
  const state = createState(ports);
  const guilds = createGuilds(state);
  const simulation = createSimulation({
    network: "discord",
    hosts: ["discord.com"],
    commits: ["createMessage", "createThread", "executeWebhook"],
    basics: state,
    routes: [
      ...loginRoutes(state, ports),
      ...guilds.routes,
      ...messageRoutes(state, guilds),
      ...threadRoutes(state, guilds),
      ...webhookRoutes(state),
    ],
    missing: () => refusal(404, 0, "404: Not Found").answer,
  });

  function addGuild({ name = "Sandbox" }: { name?: string } = {}): Guild {
    const guild: Guild = { id: state.snowflake(), name, closed: false, isManaged: true };
    state.guilds.push(guild);
    return guild;
  }

  function addBot(username: string): string {
    const token = [24, 6, 38].map((length) => state.token(length)).join(".");
    state.bots.push({ token, user: { id: state.snowflake(), username, isBot: true }, revoked: false });
    return token;
  }

  function write(author: User, channelId: string, content: string): string {
    const channel = channelBy(channelId);
    return addMessage(state, { channel, channelId, author, files: [], payload: { content } }).id;
  }

  const channelBy = (id: string) => withId(state.channels, id, "channel");

  return {
    ...simulation,
    async answer(request) {
      const given = refused(state, request) ?? (await simulation.answer(request));
      return { ...given, headers: { ...rateLimitHeaders(state), ...given.headers } };
    },
    posts: () => postsOf(state),
    addBot: ({ username = "postbot" } = {}) => addBot(username),
    addApp(app) {
      state.apps.push(app);
      return addBot("appbot");
    },
    demote(guild) {
      withId(state.guilds, guild, "guild").isManaged = false;
    },
    addGuild: (options) => addGuild(options).id,
    addChannel({ type = "text", name = "general", guild: guildId, needs_tag = false } = {}) {
      const guild = guildId === undefined ? (state.guilds[0] ?? addGuild()) : withId(state.guilds, guildId, "guild");
      const channel = { id: state.snowflake(), guild, kind: type, name, needsTag: needs_tag };
      state.channels.push({ ...channel, denied: new Set() });
      return channel.id;
    },
    addWebhook({ channel, name = "Captain Hook" }) {
      return urlOf(addWebhook(state, channelBy(channel), name));
    },
    webhooks: () => state.webhooks.map(({ id }) => id),
    say: ({ channel, text }) => write({ id: state.snowflake(), username: "somebody", isBot: false }, channel, text),
    postAs({ channel, text, bot: token = state.bots[0]?.token }) {
      const bot = state.bots.find((each) => each.token === token);
      return write(known(bot, "such bot").user, channel, text);
    },
    deleteMessage(id) {
      withId(state.messages, id, "message").deleted = true;
    },
    archiveThreads(channel) {
      for (const thread of state.threads) if (thread.parent.id === channel) thread.archived_at = state.now();
    },
    deny({ channel, permissions }) {
      for (const permission of permissions) channelBy(channel).denied.add(permission);
    },
    removeBots(guild) {
      withId(state.guilds, guild, "guild").closed = true;
    },
    revokeBot(token) {
      for (const bot of state.bots) if (bot.token === token) bot.revoked = true;
    },
    deleteWebhook(url) {
      state.webhooks = state.webhooks.filter(({ id, token }) => !url.endsWith(`/${id}/${token}`));
    },
  };
}

/** The rejection before the request is read; null: none. */
function refused(state: State, { url, headers }: SandboxRequest): SandboxAnswer | null {
  if (url.pathname === authorizePath) return null;
  // Cloudflare checks requests before the API. https://docs.discord.com/developers/reference, "User Agent" (2026-08)
  if (!/^DiscordBot \(https?:\/\/\S+, \S+\)/.test(headers.get("user-agent") ?? ""))
    return refusal(403, 40333, "internal network error").answer;
  return state.quota.isUsedUp() ? rateLimited(state) : null;
}

/** Sent with every response. https://docs.discord.com/developers/topics/rate-limits (2026-08) */
function rateLimitHeaders(state: State): Record<string, string> {
  return {
    "x-ratelimit-limit": "5",
    "x-ratelimit-remaining": "4",
    "x-ratelimit-reset": (state.now() / 1000 + 5).toFixed(3),
    "x-ratelimit-reset-after": "5.000",
    "x-ratelimit-bucket": "80c17d2f203122d936070c88c8d10f33",
  };
}

function rateLimited(state: State): SandboxAnswer {
  const seconds = (state.quota.endsAt() - state.now()) / 1000;
  return {
    status: 429,
    headers: {
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": (state.quota.endsAt() / 1000).toFixed(3),
      "x-ratelimit-reset-after": seconds.toFixed(3),
      "x-ratelimit-scope": "user",
      "retry-after": String(Math.ceil(seconds)),
    },
    json: { message: "You are being rate limited.", code: 0, retry_after: seconds, global: false },
  };
}
