import type { SandboxAnswer, SandboxRequest } from "../exchange.ts";
import { createFaults } from "../faults.ts";
import type { SandboxNetwork, SandboxPorts, SandboxPost } from "../network.ts";
import type { LoginApp } from "../parts/login-pages.ts";
import { answerTo } from "../parts/refusal.ts";
import { createGuilds } from "./guilds.ts";
import { createLogins, type Logins } from "./logins.ts";
import { addMessage, createMessages } from "./messages.ts";
import { postsOf } from "./posts.ts";
import { refusal } from "./refusal.ts";
import { type ChannelKind, createState, type Guild, type SandboxPermission, type State } from "./state.ts";
import { createThreads } from "./threads.ts";
import { createWebhooks } from "./webhooks.ts";

/** Discord, simulated. Every bot is a member of every server until it is taken out. */
export interface DiscordSandbox extends SandboxNetwork {
  /** Makes a bot; its token connects it. */
  addBot(options?: { username?: string }): string;
  /** Registers an application, with its bot, whose token it returns. Its redirects are compared to the letter. */
  addApp(app: LoginApp): string;
  /** Whoever logs in may no longer manage the server. */
  demote(guild: string): void;
  /** Makes a server; returns its id. */
  addGuild(options?: { name?: string }): string;
  /** Makes a channel; returns its id. @default a text channel of the first server, which is made where there is none */
  addChannel(options?: { type?: ChannelKind; name?: string; guild?: string; needs_tag?: boolean }): string;
  /** Makes a webhook; returns its address. */
  addWebhook(options: { channel: string; name?: string }): string;
  /** The ids of all webhooks. */
  webhooks(): string[];
  /** A person writes into a channel; returns the message's id. */
  say(options: { channel: string; text: string }): string;
  /** Another program posts with the same bot; returns the message's id. `bot`: its token. @default the first bot */
  postAs(options: { channel: string; text: string; bot?: string }): string;
  /** Everything that bots and webhooks have posted, in the order of publication. */
  posts(): SandboxPost[];
  /** Somebody deletes a message. */
  deleteMessage(id: string): void;
  /** Posts in a forum are archived, as time does it. */
  archiveThreads(channel: string): void;
  /** Bots may no longer do this in the channel. */
  deny(options: { channel: string; permissions: readonly SandboxPermission[] }): void;
  /** The bots are taken out of the server. */
  removeBots(guild: string): void;
  /** The bot's token is reset. */
  revokeBot(token: string): void;
  /** Somebody deletes a webhook: its address is no longer known. */
  deleteWebhook(url: string): void;
  /** Every request is refused for this long. */
  rateLimit(seconds: number): void;
  /** Messages and threads show up in reads only this much later. */
  lagReads(seconds: number): void;
}

type Handler = (request: SandboxRequest, ...ids: string[]) => SandboxAnswer | Promise<SandboxAnswer>;

interface Route {
  method: string;
  path: RegExp;
  /** As failure scripts name it. */
  operation: string;
  handle: Handler;
}

export function discordSandbox(ports: SandboxPorts): DiscordSandbox {
  const state = createState(ports);
  const logins = createLogins(state, ports);
  const routes = routesOf(state, logins);
  const find = ({ method, url }: SandboxRequest): Route | undefined =>
    routes.find((route) => route.method === method && route.path.test(url.pathname));

  async function answer(request: SandboxRequest): Promise<SandboxAnswer> {
    if (request.url.pathname === authorizePath) return logins.authorize(request);
    assertIdentified(request);
    if (state.quota.isUsedUp()) return rateLimited(state);
    const route = find(request);
    if (route === undefined) throw refusal(404, 0, "404: Not Found");
    const [, ...ids] = route.path.exec(request.url.pathname) ?? [];
    return route.handle(request, ...ids);
  }

  return {
    network: "discord",
    serves: (host) => host === "discord.com",
    operation: (request) => find(request)?.operation ?? "unknown",
    commits: ["createMessage", "createThread", "executeWebhook"],
    faults: createFaults(),
    async answer(request) {
      const given = await answer(request).catch(answerTo);
      return { ...given, headers: { ...rateLimitHeaders(state), ...given.headers } };
    },
    posts: () => postsOf(state),
    rateLimit: state.quota.useUp,
    lagReads: state.lag.take,
    ...settings(state),
  };
}

/** Browsers go there. */
const authorizePath = "/oauth2/authorize";

function routesOf(state: State, logins: Logins): Route[] {
  const guilds = createGuilds(state);
  const messages = createMessages(state, guilds);
  const threads = createThreads(state, guilds);
  const webhooks = createWebhooks(state);
  const route = (operation: string, method: string, path: string, handle: Handler): Route => {
    const pattern = path.replaceAll(":id", "(\\d+)").replaceAll(":token", "([\\w-]+)");
    return { operation, method, path: new RegExp(`^/api/v10${pattern}$`), handle };
  };
  return [
    { operation: "token", method: "POST", path: /^\/api\/oauth2\/token$/, handle: logins.token },
    route("getOwnGuilds", "GET", "/users/@me/guilds", logins.ownGuilds),
    route("getMe", "GET", "/users/@me", guilds.getMe),
    route("getChannel", "GET", "/channels/:id", (request, id = "") => guilds.getChannel(request, id)),
    route("getGuild", "GET", "/guilds/:id", (request, id = "") => guilds.getGuild(request, id)),
    route("getChannels", "GET", "/guilds/:id/channels", (request, id = "") => guilds.getChannels(request, id)),
    route("getMember", "GET", "/guilds/:id/members/:id", (request, guild = "", user = "") =>
      guilds.getMember(request, guild, user),
    ),
    route("createMessage", "POST", "/channels/:id/messages", (request, id = "") => messages.create(request, id)),
    route("getMessages", "GET", "/channels/:id/messages", (request, id = "") => messages.list(request, id)),
    route("getMessage", "GET", "/channels/:id/messages/:id", (request, channel = "", id = "") =>
      messages.get(request, channel, id),
    ),
    route("crosspost", "POST", "/channels/:id/messages/:id/crosspost", (request, channel = "", id = "") =>
      messages.crosspost(request, channel, id),
    ),
    route("createThread", "POST", "/channels/:id/threads", (request, id = "") => threads.create(request, id)),
    route("getActiveThreads", "GET", "/guilds/:id/threads/active", (request, id = "") => threads.active(request, id)),
    route("getArchivedThreads", "GET", "/channels/:id/threads/archived/public", (request, id = "") =>
      threads.archived(request, id),
    ),
    route("getWebhook", "GET", "/webhooks/:id/:token", (_, id = "", token = "") => webhooks.get(id, token)),
    route("deleteWebhook", "DELETE", "/webhooks/:id/:token", (_, id = "", token = "") => webhooks.remove(id, token)),
    route("executeWebhook", "POST", "/webhooks/:id/:token", (request, id = "", token = "") =>
      webhooks.execute(request, id, token),
    ),
  ];
}

type Settings = Omit<DiscordSandbox, keyof SandboxNetwork>;

function settings(state: State): Settings {
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

  const channelBy = (id: string) => known(state.channels, id);

  return {
    addBot: ({ username = "postbot" } = {}) => addBot(username),
    addApp(app) {
      state.apps.push(app);
      return addBot("appbot");
    },
    demote(guild) {
      known(state.guilds, guild).isManaged = false;
    },
    addGuild: (options) => addGuild(options).id,
    addChannel({ type = "text", name = "general", guild: guildId, needs_tag = false } = {}) {
      const guild = guildId === undefined ? (state.guilds[0] ?? addGuild()) : known(state.guilds, guildId);
      const channel = { id: state.snowflake(), guild, kind: type, name, needsTag: needs_tag };
      state.channels.push({ ...channel, denied: new Set() });
      return channel.id;
    },
    addWebhook({ channel, name = "Captain Hook" }) {
      const webhook = { id: state.snowflake(), token: state.token(68), name, channel: channelBy(channel) };
      state.webhooks.push(webhook);
      return `https://discord.com/api/webhooks/${webhook.id}/${webhook.token}`;
    },
    webhooks: () => state.webhooks.map(({ id }) => id),
    say({ channel, text }) {
      const author = { id: state.snowflake(), username: "somebody", isBot: false };
      const payload = { content: text };
      return addMessage(state, { channel: channelBy(channel), channelId: channel, author, files: [], payload }).id;
    },
    postAs({ channel, text, bot: token = state.bots[0]?.token }) {
      const bot = state.bots.find((each) => each.token === token);
      if (bot === undefined) throw new Error("The sandbox has no such bot.");
      const payload = { content: text };
      return addMessage(state, {
        channel: channelBy(channel),
        channelId: channel,
        author: bot.user,
        files: [],
        payload,
      }).id;
    },
    deleteMessage(id) {
      known(state.messages, id).deleted = true;
    },
    archiveThreads(channel) {
      for (const thread of state.threads) if (thread.parent.id === channel) thread.archived_at = state.now();
    },
    deny({ channel, permissions }) {
      for (const permission of permissions) channelBy(channel).denied.add(permission);
    },
    removeBots(guild) {
      known(state.guilds, guild).closed = true;
    },
    revokeBot(token) {
      for (const bot of state.bots) if (bot.token === token) bot.revoked = true;
    },
    deleteWebhook(url) {
      state.webhooks = state.webhooks.filter(({ id, token }) => !url.endsWith(`/${id}/${token}`));
    },
  };
}

function known<Value extends { id: string }>(values: readonly Value[], id: string): Value {
  const value = values.find((each) => each.id === id);
  if (value === undefined) throw new Error(`The sandbox has nothing with the id ${id}.`);
  return value;
}

/** Cloudflare stands before the API. https://docs.discord.com/developers/reference, "User Agent" (2026-08) */
function assertIdentified({ headers }: SandboxRequest): void {
  if (!/^DiscordBot \(https?:\/\/\S+, \S+\)/.test(headers.get("user-agent") ?? ""))
    throw refusal(403, 40333, "internal network error");
}

/** On every answer. https://docs.discord.com/developers/topics/rate-limits (2026-08) */
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
