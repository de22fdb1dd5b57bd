import { discord } from "../../../src/networks/discord/index.ts";
import { networkScene } from "../../../src/testing/network-bench.ts";
import { type AccountKind, ownersSimilarPost, type RefusalScene, type Scene, type WireScene } from "../scene.ts";
import { discordApp } from "./app.ts";
import { botCredentials, discordBench, part, pictures } from "./bench.ts";
import { options } from "./options.ts";
import { outcomes } from "./outcomes.ts";

const wire: WireScene = {
  words: "a message with an enforced nonce and no pings, from a client that identifies itself",
  url: "https://discord.com/api/v10/channels/290926798999357250/messages",
  profile: {
    external_id: "41771983423143937:290926798999357250",
    account_facts: {
      kind: "bot",
      guild_id: "41771983423143937",
      channel_id: "290926798999357250",
      channel_type: "text",
      bot_user_id: "53908099506183680",
      needs_tag: false,
    },
  },
  secret: { bot_token: "the-bot-token" },
  key: "a-nonce-of-22-letters",
  sent: {
    headers: { authorization: "Bot the-bot-token", "user-agent": /^DiscordBot \(https:\/\// },
    body: {
      content: "Hello from the wire",
      allowed_mentions: { parse: [] },
      nonce: "a-nonce-of-22-letters",
      enforce_nonce: true,
    },
  },
  accepted: { fixture: "create-message.200", id: "1334385199974967042" },
  refused: [
    { fixture: "create-message.400", effect: "none", code: "invalid_request" },
    { fixture: "create-message.429", effect: "later", remedy: "rate_limit", waitMs: 200 },
  ],
};

type Kind = NonNullable<Parameters<typeof botCredentials>[1]>;

const webhookCase = {
  name: "a webhook's message",
  cannotBeRead: true,
  create: () => {
    const bench = discordBench();
    const webhook_url = bench.network.addWebhook({ channel: bench.network.addChannel() });
    return networkScene(bench, { credentials: { webhook_url }, part: part() });
  },
} as const;

function botCase(
  name: string,
  kind: Kind,
  partOn: (bench: ReturnType<typeof discordBench>) => ReturnType<typeof part>,
) {
  return {
    name,
    create: () => {
      const bench = discordBench();
      const { credentials } = botCredentials(bench, kind);
      return networkScene(bench, { credentials, part: partOn(bench) });
    },
  };
}

const refusals: RefusalScene = {
  /** https://docs.discord.com/developers/reference, "Error Messages" (2026-08) */
  answer({ status, code = "0", words }) {
    const [number, field] = code.split(" ");
    const errors = { [field ?? "content"]: { _errors: [{ code: "BASE_TYPE_BAD", message: words }] } };
    return { status, json: { code: Number(number), message: words, ...(field === undefined ? {} : { errors }) } };
  },
  limited: ({ now, endsAt }) => ({
    status: 429,
    json: { message: "Slow down", retry_after: (endsAt - now) / 1000, global: false },
  }),
};

const bot = { name: "discord bot", commit: "createMessage", read: "getMessages", canBeAsked: true };

function connectBot(type: "text" | "announcement" | "forum"): AccountKind["connect"] {
  return (sandbox) => {
    const bot_token = sandbox.discord.addBot();
    return { network: "discord", credentials: { bot_token, channel_id: sandbox.discord.addChannel({ type }) } };
  };
}

/** A bot in a channel of another type. */
function botIn(type: "announcement" | "forum"): AccountKind {
  return { ...bot, name: `discord ${type}`, connect: connectBot(type) };
}

export const scene: Scene = {
  network: "discord",
  options,
  adapter: () => discord({ app: discordApp }),
  threads: null,
  operations: { look: ["getMessages", "getActiveThreads"], confirm: "crosspost" },
  // A bot repeats a request for as long as Discord remembers its nonce: the first, and 21 more.
  requestsBeforeLook: 22,
  accounts: [
    { ...bot, connect: connectBot("text") },
    {
      name: "discord webhook",
      commit: "executeWebhook",
      read: null,
      canBeAsked: false,
      connect(sandbox) {
        const webhook_url = sandbox.discord.addWebhook({ channel: sandbox.discord.addChannel() });
        return { network: "discord", credentials: { webhook_url } };
      },
    },
  ],
  outcomes,
  furtherAccounts: [botIn("announcement"), botIn("forum")],
  contract: {
    cases: [
      botCase("a bot's message", "text", () => part()),
      botCase("a bot's message with three files", "text", (bench) => part({ text: "", media: pictures(bench, 3) })),
      botCase("a crossposted announcement", "announcement", () => part({ options: { crosspost: true } })),
      botCase("a forum post", "forum", () => part({ title: "Title" })),
      webhookCase,
    ],
  },
  wire,
  refusals,
  realAccount({ DISCORD_WEBHOOK_URL: webhook_url }) {
    return webhook_url ? { network: "discord", credentials: { webhook_url } } : null;
  },
  simulation: {
    postByHand(sandbox, { connection: { credentials }, text }) {
      const { channel_id: channel, bot_token } = credentials;
      return typeof channel === "string" ? sandbox.discord.postAs({ channel, text, bot: String(bot_token) }) : null;
    },
    excuse: ownersSimilarPost,
  },
};
