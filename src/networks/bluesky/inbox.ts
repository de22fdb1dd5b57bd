import * as z from "zod";
import type { Json } from "../../wire/json.ts";
import {
  type Inbox,
  type InboxContext,
  type MessageFact,
  type NewMessage,
  noReactions,
  type Poll,
  type Thread,
} from "../contract/inbox.ts";
import { usageOfWindow } from "../shared/request-usage.ts";
import { type FarLooks, restartWalk, type WalkStep, walk } from "../shared/walk.ts";
import { getAnswer, xrpc } from "./api.ts";
import { chatAccess } from "./chat.ts";
import { attachmentsOf, unsupported } from "./inbox-attachments.ts";
import { pollChat } from "./inbox-chat.ts";
import { type List, type Place, readPage } from "./inbox-pages.ts";
import { type InboxPost, readPosts } from "./inbox-posts.ts";
import { replier } from "./inbox-reply.ts";
import { maxPosts, readAgain } from "./inbox-reread.ts";
import { followedText } from "./inbox-text.ts";
import { isOwn, keyOf, personOf, placeOf, placeOfKnown } from "./inbox-thread.ts";

/**
 * Comments, mentions and quotes are notifications. The owner's posts from other apps are in the account's feed.
 * Messages belong to a separate service.
 */
export const inbox: Inbox = {
  access: (profile) => ({ dm: chatAccess(profile), comment: "reply", mention: "reply" }),
  reports: { reactions: { ...noReactions, dm: "many" } },
  sources: [
    { name: "notifications", every: { min: 60, max: 300 }, poll: pollNotifications, restart: restartWalk },
    { name: "own", every: { min: 120, max: 900 }, poll: pollOwn, restart: restartWalk },
    // Restarts like the first poll: from the end of the log, with unstored messages from the lists of conversations.
    { name: "chat", every: { min: 30, max: 300, news: 30 }, poll: pollChat, restart: () => null },
  ],
  reread: { every: { min: 300, max: 1_800 }, atOnce: maxPosts, perRound: 200, read: readAgain },
  reply: replier,
  // Rate limits count requests by IP address. https://docs.bsky.app/docs/advanced-guides/rate-limits (2026-08)
  usage: (headers) =>
    usageOfWindow(headers, {
      prefix: "ratelimit-",
      timeOf: (reset) => (reset === "" ? Number.NaN : 1000 * Number(reset)),
    }),
};

const cursor = z.string().nullish();
const notificationsSchema = z.object({ notifications: z.array(z.unknown()), cursor });
const feedSchema = z.object({ feed: z.array(z.object({ post: z.unknown(), reason: z.unknown().optional() })), cursor });

/** Notifications that are messages. Others are about likes and followers. */
const messageReasons: ReadonlySet<string> = new Set(["mention", "reply", "quote"]);

/**
 * Reads all notifications. With a filter for these reasons the server would page itself, and could skip entries with
 * the same time.
 *
 * https://docs.bsky.app/docs/api/app-bsky-notification-list-notifications (2026-08)
 */
async function pollNotifications(context: InboxContext, from: Json | null, since: number): Promise<Poll> {
  const step = await walkPosts(context, from, since, async (place) => {
    const url = listUrl(context, "app.bsky.notification.listNotifications", place);
    const answer = await getAnswer(notificationsSchema, context, url.href);
    return { posts: answer.notifications, cursor: answer.cursor ?? null };
  });
  const messages = step.items.filter(({ reason = "" }) => messageReasons.has(reason));
  return { ...step, facts: await factsOf(context, messages) };
}

/** Reads the owner's replies from other apps in known conversations. https://docs.bsky.app/docs/api/app-bsky-feed-get-author-feed (2026-08) */
async function pollOwn(context: InboxContext, from: Json | null, since: number): Promise<Poll> {
  const step = await walkPosts(context, from, since, async (place) => {
    const url = listUrl(context, "app.bsky.feed.getAuthorFeed", place);
    url.searchParams.set("actor", context.profile.external_id);
    url.searchParams.set("filter", "posts_with_replies");
    const answer = await getAnswer(feedSchema, context, url.href);
    // A repost has a reason.
    const own = answer.feed.filter(({ reason }) => reason == null).map(({ post }) => post);
    return { posts: own, cursor: answer.cursor ?? null };
  });
  const answers = step.items.filter(
    ({ uri, record: { reply } }) => isOwn(context, uri) && reply != null && !isOwn(context, reply.parent.uri),
  );
  return { ...step, facts: await factsOf(context, answers) };
}

/** Lists are sorted by the time of the author's device, or by the time of arrival if that is earlier. */
const farLooks: FarLooks = { everyMs: 6 * 3_600_000, backMs: 26 * 3_600_000 };

function listUrl(context: InboxContext, method: string, { cursor, limit }: Place): URL {
  const parameters = { limit: String(limit), ...(cursor !== null && { cursor }) };
  return new URL(xrpc(String(context.profile.account_facts.pds), method, parameters));
}

function walkPosts(
  context: InboxContext,
  from: Json | null,
  since: number,
  read: (place: Place) => Promise<List>,
): Promise<WalkStep<InboxPost>> {
  return walk<InboxPost>(from, since, {
    now: context.now(),
    connectedAt: context.connectedAt,
    far: farLooks,
    timeOf: ({ time }) => time,
    read: (page) => readPage(read, page),
  });
}

async function factsOf(context: InboxContext, posts: readonly InboxPost[]): Promise<MessageFact[]> {
  const known = await context.known(posts.map(({ uri }) => keyOf(uri)));
  const embeds = await embedsOf(
    context,
    posts.filter(({ uri }) => !known.has(keyOf(uri))),
  );
  const facts: MessageFact[] = [];
  for (const post of posts) {
    const stored = known.get(keyOf(post.uri));
    const { thread, isOurs } = stored === undefined ? await placeOf(context, post) : placeOfKnown(post, stored);
    if (isOurs) facts.push(toFact(context, { ...post, embed: embeds.get(post.uri) ?? post.embed }, thread));
  }
  return facts;
}

/** Reads the embeds of posts. Notifications lack them. */
async function embedsOf(
  context: InboxContext,
  posts: readonly InboxPost[],
): Promise<ReadonlyMap<string, InboxPost["embed"]>> {
  const untold = posts.filter(({ embed, record }) => embed == null && record.embed != null).map(({ uri }) => uri);
  const embeds = new Map<string, InboxPost["embed"]>();
  for (let from = 0; from < untold.length; from += maxPosts) {
    const shown = await readPosts(context, untold.slice(from, from + maxPosts));
    for (const { uri, embed } of shown) embeds.set(uri, embed);
  }
  return embeds;
}

/** The parent of a post, unless it is one of the account's own top-level posts, which are not in the inbox. */
function answered(context: InboxContext, { record: { reply } }: InboxPost): Pick<NewMessage, "reply_to"> {
  if (reply == null) return {};
  const isPublished = reply.parent.uri === reply.root.uri && isOwn(context, reply.root.uri);
  return isPublished ? {} : { reply_to: keyOf(reply.parent.uri) };
}

/** A post cannot be edited, and its author can set any creation time, so the network's time of arrival counts. */
function toFact(context: InboxContext, post: InboxPost, thread: Thread): MessageFact {
  const { uri, author, record, time } = post;
  return {
    fact: "message",
    at: time,
    thread,
    message: {
      key: keyOf(uri),
      external_id: uri,
      own: isOwn(context, uri),
      text: record.text === "" ? null : followedText(record.text, record.facets),
      attachments: post.embed == null && record.embed != null ? [unsupported(record.embed)] : attachmentsOf(post.embed),
      author: personOf(author),
      sent_at: time,
      edited_at: null,
      ...answered(context, post),
    },
  };
}
