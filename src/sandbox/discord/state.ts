import type { Json, JsonObject } from "../../wire/json.ts";
import type { SandboxPorts } from "../network.ts";
import type { LoginApp } from "../parts/login-pages.ts";
import { base64url, randomText } from "../parts/random-text.ts";
import { createBasics } from "../parts/simulation.ts";

/** The kind of a channel. */
export type ChannelKind = "text" | "announcement" | "forum" | "media" | "voice" | "category";

/** https://docs.discord.com/developers/resources/channel, "Channel Types" (2026-08) */
export const channelTypes: Readonly<Record<ChannelKind, number>> = {
  text: 0,
  announcement: 5,
  forum: 15,
  media: 16,
  voice: 2,
  category: 4,
};

/** https://docs.discord.com/developers/topics/permissions (2026-08) */
export const permissionBits = {
  VIEW_CHANNEL: 1n << 10n,
  SEND_MESSAGES: 1n << 11n,
  EMBED_LINKS: 1n << 14n,
  ATTACH_FILES: 1n << 15n,
  READ_MESSAGE_HISTORY: 1n << 16n,
} as const;

/** A permission of a bot in a channel, named as in Discord's documents. */
export type SandboxPermission = keyof typeof permissionBits;

export interface User {
  id: string;
  username: string;
  isBot: boolean;
}

export interface Bot {
  token: string;
  user: User;
  revoked: boolean;
}

export interface Guild {
  id: string;
  name: string;
  /** True: the bots were removed from it. */
  closed: boolean;
  /** True: users who sign in may manage it. */
  isManaged: boolean;
}

export interface Channel {
  id: string;
  guild: Guild;
  kind: ChannelKind;
  name: string;
  /** The permissions that bots lack in it. */
  denied: Set<SandboxPermission>;
  needsTag: boolean;
}

/** A post in a forum or media channel. */
export interface Thread {
  id: string;
  parent: Channel;
  owner: User;
  name: string;
  tags: string[];
  created_at: number;
  archived_at: number | null;
}

export interface Webhook {
  id: string;
  token: string;
  name: string;
  channel: Channel;
}

export interface StoredFile {
  id: string;
  filename: string;
  size: number;
  contentType: string;
  description: string | null;
}

export interface Message {
  id: string;
  /** The id of a channel or of a thread. */
  channelId: string;
  /** The channel, or the thread's parent. */
  channel: Channel;
  author: User;
  webhookId: string | null;
  content: string;
  files: StoredFile[];
  embeds: JsonObject[];
  poll: Json;
  flags: number;
  reply_to: string | null;
  nonce: string | null;
  created_at: number;
  deleted: boolean;
  crossposted: boolean;
}

const epochMs = 1_420_070_400_000n;

export type State = ReturnType<typeof createState>;

export function createState(ports: SandboxPorts) {
  let counter = 0n;
  return {
    ...createBasics(ports),
    apps: [] as LoginApp[],
    bots: [] as Bot[],
    guilds: [] as Guild[],
    channels: [] as Channel[],
    threads: [] as Thread[],
    webhooks: [] as Webhook[],
    messages: [] as Message[],
    snowflake(): string {
      counter += 1n;
      return String(((BigInt(Math.floor(ports.clock.now())) - epochMs) << 22n) | (counter & 0x3fffffn));
    },
    /** `length` characters, as in tokens. */
    token: (length: number): string => randomText(ports, length, base64url),
  };
}

export function addWebhook(state: State, channel: Channel, name: string): Webhook {
  const webhook = { id: state.snowflake(), token: state.token(68), name, channel };
  state.webhooks.push(webhook);
  return webhook;
}

export function urlOf({ id, token }: Webhook): string {
  return `https://discord.com/api/webhooks/${id}/${token}`;
}
