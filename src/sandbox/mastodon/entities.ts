import * as z from "zod";
import { findLinks, type LinkSpan } from "../../text/links.ts";
import type { Json, JsonObject } from "../../wire/json.ts";
import { accountEntity, type SandboxAccount } from "./accounts.ts";
import { renderMarkdown } from "./markdown.ts";
import type { StoredMedia } from "./media.ts";
import { type RenderOptions, renderContent, renderLinks, withNames } from "./render.ts";
import type { Visibility } from "./ways.ts";

export const pollSchema = z.object({
  options: z.array(z.string()),
  expires_in: z.number(),
  multiple: z.boolean().default(false),
  hide_totals: z.boolean().default(false),
});

/** A poll, as it was sent. */
export type Poll = z.infer<typeof pollSchema>;

export interface StoredStatus {
  id: string;
  account: SandboxAccount;
  /** The text as the author sent it. */
  sent: string;
  /** The text as the instance stores it. */
  text: string;
  /** The links in `text`. */
  links: readonly LinkSpan[];
  spoiler_text: string;
  sensitive: boolean;
  visibility: Visibility;
  language: string | null;
  media: StoredMedia[];
  poll: Poll | null;
  reply_to: StoredStatus | null;
  quoted: StoredStatus | null;
  /** The last part of its URL: its first id. */
  address: string;
  /** Milliseconds. */
  created_at: number;
  /** Milliseconds; null: it was never edited. */
  edited_at: number | null;
  /** True: approved by the author of the post that it replies to. */
  isApproved: boolean;
}

export interface EntityOptions {
  accounts: readonly SandboxAccount[];
  /** The account that reads it. */
  reader: SandboxAccount;
  media: JsonObject[];
  /** The quoted post. */
  quoted: JsonObject | null;
  replies: number;
  statusesCount: number;
  now: number;
}

/** A Status. https://docs.joinmastodon.org/entities/Status/ (2026-07) */
export function statusEntity(status: StoredStatus, options: EntityOptions): JsonObject {
  const { account, links } = status;
  const { host } = account.instance;
  const site = `https://${host}`;
  const { rendersMarkdown, showsText, maxCharactersShown, omitsEditTimes, namesCharacters } = account.instance.ways;
  const rendering: RenderOptions = {
    host,
    shortensLinks: account.instance.ways.shortensLinks,
    resolve(name) {
      const found = findMentioned(name, account, options.accounts);
      return found && { username: found.username, url: addressOf(found) };
    },
  };
  const shown = status.text.length > maxCharactersShown ? `${status.text.slice(0, maxCharactersShown)}…` : status.text;
  const content = rendersMarkdown
    ? renderMarkdown(shown, (plain) => renderLinks(plain, rendering))
    : renderContent(shown, rendering);
  return {
    id: status.id,
    uri: `${site}/users/${account.username}/statuses/${status.address}`,
    url: `${site}/@${account.username}/${status.address}`,
    created_at: dateOf(status.created_at, account),
    edited_at: status.edited_at === null || omitsEditTimes ? null : dateOf(status.edited_at, account),
    account: accountEntity(account, options.statusesCount),
    content: quoteLine(status.quoted) + (namesCharacters ? withNames(content) : content),
    ...(showsText ? { text: status.text } : {}),
    visibility: status.visibility,
    sensitive: status.sensitive,
    spoiler_text: status.spoiler_text,
    language: status.language,
    in_reply_to_id: status.reply_to?.id ?? null,
    in_reply_to_account_id: status.reply_to?.account.id ?? null,
    media_attachments: options.media,
    mentions: mentionedIn(status, options.accounts)
      .filter((mentioned) => mentioned !== options.reader || !account.instance.ways.omitsMentionIds)
      .map((mentioned) => mentionEntity(mentioned, account)),
    tags: links
      .filter(({ kind }) => kind === "hashtag")
      .map(({ value }) => {
        const name = value.toLowerCase();
        return { name, url: `${site}/tags/${encodeURIComponent(name)}` };
      }),
    emojis: [],
    reblogs_count: 0,
    favourites_count: 0,
    replies_count: options.replies,
    favourited: false,
    reblogged: false,
    muted: false,
    bookmarked: false,
    reblog: null,
    card: null,
    poll: pollEntity(status, options.now),
    quote: options.quoted === null ? null : { state: "accepted", quoted_status: options.quoted },
    application: { name: "sandbox", website: null },
  };
}

/** A time by the clock of the account's instance. */
export function dateOf(at: number, { instance }: SandboxAccount): string {
  return new Date(at - instance.ways.secondsBehind * 1000).toISOString();
}

/** The text that an instance stores, and its links, which are needed at each read and never change. */
export function keptText(text: string): Pick<StoredStatus, "text" | "links"> {
  return { text, links: findLinks(text) };
}

/** The accounts that a post mentions, each once. */
export function mentionedIn({ links, account }: StoredStatus, accounts: readonly SandboxAccount[]): SandboxAccount[] {
  const named = links.flatMap(({ kind, value }) =>
    kind === "mention" ? (findMentioned(value, account, accounts) ?? []) : [],
  );
  return [...new Set(named)];
}

function addressOf({ instance, username }: SandboxAccount): string {
  return `https://${instance.host}/@${username}`;
}

function findMentioned(
  name: string,
  author: SandboxAccount,
  accounts: readonly SandboxAccount[],
): SandboxAccount | undefined {
  const [username = "", host = author.instance.host] = name.toLowerCase().split("@");
  if (!name.includes("@") && author.instance.ways.ignoresBareNames) return undefined;
  return accounts.find((account) => account.username.toLowerCase() === username && account.instance.host === host);
}

function mentionEntity(mentioned: SandboxAccount, author: SandboxAccount): JsonObject {
  const { id, username, instance } = mentioned;
  const acct = instance === author.instance ? username : `${username}@${instance.host}`;
  return { id: author.instance.ways.omitsMentionIds ? "0" : id, username, acct, url: addressOf(mentioned) };
}

function quoteLine(quoted: StoredStatus | null): string {
  if (quoted === null) return "";
  const url = `${addressOf(quoted.account)}/${quoted.id}`;
  return `<p class="quote-inline">RE: <a href="${url}" target="_blank" rel="nofollow noopener">${url}</a></p>`;
}

function pollEntity({ id, poll, created_at }: StoredStatus, now: number): Json {
  if (poll === null) return null;
  const expiresAt = created_at + poll.expires_in * 1000;
  return {
    id: `${id}0`,
    expires_at: new Date(expiresAt).toISOString(),
    expired: expiresAt <= now,
    multiple: poll.multiple,
    votes_count: 0,
    voters_count: 0,
    options: poll.options.map((title) => ({ title, votes_count: poll.hide_totals && expiresAt > now ? null : 0 })),
    emojis: [],
    voted: true,
    own_votes: [],
  };
}
