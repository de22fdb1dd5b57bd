import * as z from "zod";
import type { InboxContext, KnownMessage, Person, Thread } from "../contract/inbox.ts";
import { pageOf } from "./address.ts";
import { xrpc } from "./api.ts";
import { errorCode } from "./errors.ts";
import { type InboxPost, postSchema } from "./inbox-posts.ts";

export function keyOf(uri: string): string {
  return `post:${uri}`;
}

export function isOwn(context: InboxContext, uri: string): boolean {
  return uri.startsWith(`at://${context.profile.external_id}/`);
}

/** The network's placeholder for a handle that does not resolve to its account. https://atproto.com/specs/handle (2026-11) */
const unconfirmed = "handle.invalid";

export function personOf({ did, handle: shown, displayName, avatar }: InboxPost["author"]): Person {
  const handle = shown === unconfirmed ? null : (shown ?? null);
  return { id: did, name: displayName || handle || null, handle, avatar_url: avatar ?? null };
}

/** The thread of a post. */
export interface Place {
  thread: Thread;
  /** False: the account replied to someone who did not write to it. Such conversations stay out of the inbox. */
  isOurs: boolean;
}

/**
 * Finds the thread of a post: that of the nearest stored post above it, otherwise one that begins with the first post
 * by another user below the account's own post, otherwise one that begins with the root.
 */
export async function placeOf(context: InboxContext, post: InboxPost): Promise<Place> {
  const { reply } = post.record;
  if (reply == null) return { thread: threadFrom(post, "mention"), isOurs: !isOwn(context, post.uri) };
  const isFirst = reply.parent.uri === reply.root.uri && isOwn(context, reply.root.uri);
  const above = isFirst ? [] : await readAncestors(context, post.uri);
  const known = await context.known(above.map(({ uri }) => keyOf(uri)));
  const nearest = above.map(({ uri }) => known.get(keyOf(uri))).findLast((each) => each !== undefined);
  const firstOwn = above.findIndex(({ uri }) => isOwn(context, uri));
  const isBelowOwn = isFirst || firstOwn >= 0;
  const begins = [...above, post].find(({ uri }, index) => index > firstOwn && !isOwn(context, uri));
  const begun = threadFrom(begins ?? post, isBelowOwn ? "comment" : "mention");
  if (nearest !== undefined) return { thread: { ...begun, key: nearest.thread }, isOurs: true };
  // The account has written to another user, who has not written back yet.
  const isUnanswered = isOwn(context, post.uri) && (begins === undefined || !isBelowOwn);
  return { thread: begun, isOurs: !isUnanswered };
}

/** The thread of a stored post. Only its key is used. */
export function placeOfKnown(post: InboxPost, { thread }: KnownMessage): Place {
  return { thread: { ...threadFrom(post, "mention"), key: thread }, isOurs: true };
}

function threadFrom(root: InboxPost, kind: "comment" | "mention"): Thread {
  return {
    kind,
    key: keyOf(root.uri),
    external_id: root.uri,
    participant: personOf(root.author),
    url: pageOf(root.uri),
    referral: null,
  };
}

/** Maximum number of posts above one to read. Deeper threads are placed by these. */
const maxAncestors = 80;

const threadSchema = z.object({ post: z.unknown(), parent: z.unknown().optional() });
const answerSchema = z.object({ thread: threadSchema });

/**
 * Reads the posts above one, topmost first, as far as the view service shows them.
 * https://docs.bsky.app/docs/api/app-bsky-feed-get-post-thread (2026-08)
 */
async function readAncestors(context: InboxContext, uri: string): Promise<InboxPost[]> {
  const parameters = { uri, depth: "0", parentHeight: String(maxAncestors) };
  const url = xrpc(String(context.profile.account_facts.pds), "app.bsky.feed.getPostThread", parameters);
  const response = await context.request({ method: "GET", url, acceptCodes: ["NotFound"] });
  // Deleted meanwhile.
  if (errorCode(response.body) === "NotFound") return [];
  const answer = answerSchema.safeParse(response.body);
  const above: InboxPost[] = [];
  let next: unknown = answer.success ? answer.data.thread.parent : undefined;
  while (next != null) {
    const { data } = threadSchema.safeParse(next);
    const post = postSchema.safeParse(data?.post);
    if (!post.success) break;
    above.unshift(post.data);
    next = data?.parent;
  }
  return above;
}
