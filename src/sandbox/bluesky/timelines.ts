import * as z from "zod";
import type { JsonObject } from "../../wire/json.ts";
import { ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { Lag } from "../parts/listing.ts";
import type { Accounts, SandboxAccount, StoredRecord } from "./accounts.ts";
import { invalidRequest, refusal } from "./refusal.ts";
import { postView, recordAt, replyOf } from "./views.ts";

/** The lists of the view service, which lags behind the accounts' servers. */
export interface Timelines {
  thread(viewer: SandboxAccount, request: SandboxRequest): SandboxAnswer;
  authorFeed(viewer: SandboxAccount, request: SandboxRequest): SandboxAnswer;
  notifications(viewer: SandboxAccount, request: SandboxRequest): SandboxAnswer;
}

/** A reply is notified up to this many levels below a post of the viewer: seen on a view service 0.0.221 (2026-11). */
const levelsTold = 4;
const maxLimit = 100;

export function createTimelines(accounts: Accounts, lag: Lag): Timelines {
  const shown = (uri: string): StoredRecord | undefined => {
    const stored = recordAt(accounts, uri);
    return stored !== undefined && lag.shows(stored.written_at) ? stored : undefined;
  };
  const view = (viewer: SandboxAccount, uri: string): JsonObject | undefined =>
    postView(accounts, { uri, viewer, shown });

  const shownOf = (account: SandboxAccount): StoredRecord[] =>
    [...account.records.values()].filter(({ written_at }) => lag.shows(written_at));

  const postsOf = (account: SandboxAccount): StoredRecord[] =>
    shownOf(account).filter(({ value }) => value.$type === "app.bsky.feed.post");

  function threadView(viewer: SandboxAccount, uri: string, height: number): JsonObject {
    const post = view(viewer, uri);
    if (post === undefined) return { $type: "app.bsky.feed.defs#notFoundPost", uri, notFound: true };
    const parent = replyOf(shown(uri)?.value)?.parent;
    const thread: JsonObject = { $type: "app.bsky.feed.defs#threadViewPost", post, replies: [] };
    if (parent !== undefined && height > 0) thread.parent = threadView(viewer, parent, height - 1);
    return thread;
  }

  /** The reason for notifying the viewer of a post or like: the first that applies. */
  function reasonFor({ did }: SandboxAccount, { value }: StoredRecord): string | undefined {
    const own = `at://${did}/`;
    if (value.$type === likeCollection) return likedBy(value)?.startsWith(own) === true ? "like" : undefined;
    if (value.$type !== "app.bsky.feed.post") return undefined;
    if (namesIn(value).includes(did)) return "mention";
    if (quotedBy(value)?.startsWith(own) === true) return "quote";
    let above = replyOf(value)?.parent;
    for (let level = 0; above !== undefined && level < levelsTold; level++) {
      if (above.startsWith(own)) return "reply";
      above = replyOf(shown(above)?.value)?.parent;
    }
    return undefined;
  }

  return {
    thread(viewer, request) {
      const { uri = "", parentHeight = "80" } = Object.fromEntries(request.url.searchParams);
      if (shown(uri) === undefined) throw refusal(400, "NotFound", `Post not found: ${uri}`);
      return ok({ thread: threadView(viewer, uri, Number(parentHeight)) });
    },
    authorFeed(viewer, request) {
      const author = accounts.find(request.url.searchParams.get("actor") ?? "");
      if (author === undefined) throw invalidRequest("Profile not found");
      const { cursor, limit } = pageAsked(request);
      const { items, next } = pageBelow(postsOf(author), { cursor, limit, place: placeInFeed });
      const feed = items.map(({ uri }) => ({ post: view(viewer, uri) ?? null }));
      return ok({ feed, ...(next !== null && { cursor: next }) });
    },
    notifications(viewer, request) {
      const others = accounts.all().filter((account) => account !== viewer);
      const told = others.flatMap(shownOf).flatMap((record) => {
        const reason = reasonFor(viewer, record);
        return reason === undefined ? [] : [{ ...record, reason }];
      });
      const { items, next } = notificationsPage(told, request);
      const notifications = items.map(({ reason, ...record }) => {
        const { uri, cid, value } = record;
        const author = accounts.find(authorOf(uri));
        const like = { uri, cid, author: { did: author?.did ?? "", handle: author?.handle ?? "" }, record: value };
        // Notifications omit a post's embed. Seen on a view service 0.0.221 (2026-11).
        const { viewer: _, embed: __, ...post } = view(viewer, uri) ?? {};
        return { ...(reason === "like" ? like : post), reason, isRead: false, indexedAt: timeOf(record) };
      });
      return ok({ notifications, ...(next !== null && { cursor: next }) });
    },
  };
}

const facetsSchema = z.array(z.looseObject({ features: z.array(z.looseObject({ did: z.string().optional() })) }));

function namesIn({ facets }: JsonObject): string[] {
  const { data = [] } = facetsSchema.safeParse(facets);
  return data.flatMap(({ features }) => features.flatMap(({ did }) => did ?? []));
}

const quoteSchema = z.looseObject({ record: z.looseObject({ uri: z.string() }) });

function quotedBy({ embed }: JsonObject): string | undefined {
  return quoteSchema.safeParse(embed).data?.record.uri;
}

const likeCollection = "app.bsky.feed.like";
const likeSchema = z.looseObject({ subject: z.looseObject({ uri: z.string() }) });

function likedBy(value: JsonObject): string | undefined {
  return likeSchema.safeParse(value).data?.subject.uri;
}

const authorOf = (uri: string): string => uri.split("/")[2] ?? "";

function pageAsked({ url: { searchParams } }: SandboxRequest): { cursor: string | null; limit: number } {
  const limit = Number(searchParams.get("limit") ?? "50");
  if (!(limit >= 1 && limit <= maxLimit)) throw invalidRequest("limit must be 1 to 100");
  return { cursor: searchParams.get("cursor"), limit };
}

/** The sort key of lists: the time according to the author's device, unless that is later than the time of arrival. */
function sortedAt({ written_at, value: { createdAt } }: StoredRecord): number {
  const created = Date.parse(String(createdAt));
  return Number.isNaN(created) ? written_at : Math.min(created, written_at);
}

const timeOf = (record: StoredRecord): string => new Date(sortedAt(record)).toISOString();
const placeInFeed = (record: StoredRecord): string => `${sortedAt(record)}__${record.cid}`;

/**
 * Newest first. Both kinds of cursors:
 * https://github.com/bluesky-social/atproto/blob/main/packages/bsky/src/data-plane/server/db/pagination.ts (2026-11)
 */
function pageBelow<Item extends StoredRecord>(
  all: readonly Item[],
  { cursor, limit, place }: { cursor: string | null; limit: number; place(item: StoredRecord): string },
): { items: Item[]; next: string | null } {
  const items = all
    .filter((item) => cursor === null || place(item) < cursor)
    .sort((one, other) => (place(one) < place(other) ? 1 : -1))
    .slice(0, limit);
  const last = items.at(-1);
  return { items, next: last === undefined ? null : place(last) };
}

const maxTurns = 10;

/**
 * The cursor contains only a time, and several notifications may share it: those that do not fit on a page are never
 * listed. If reasons are requested, pages are read until they have half of the requested number, so the response may
 * contain up to one and a half times the requested number.
 *
 * https://github.com/bluesky-social/atproto/blob/main/packages/bsky/src/api/app/bsky/notification/listNotifications.ts
 * (2026-11)
 */
function notificationsPage<Told extends StoredRecord & { reason: string }>(
  told: readonly Told[],
  request: SandboxRequest,
): { items: Told[]; next: string | null } {
  const { cursor, limit } = pageAsked(request);
  const reasons = request.url.searchParams.getAll("reasons");
  let page = pageBelow(told, { cursor, limit, place: timeOf });
  if (reasons.length === 0) return page;
  const wanted: Told[] = [];
  for (let turns = 1; ; turns++) {
    wanted.push(...page.items.filter(({ reason }) => reasons.includes(reason)));
    if (wanted.length >= Math.ceil(limit / 2) || page.next === null || turns === maxTurns)
      return { items: wanted, next: page.next };
    page = pageBelow(told, { cursor: page.next, limit, place: timeOf });
  }
}
