import { isoTime } from "../../ports/clock.ts";
import type { CommitInput } from "../contract/commit.ts";
import type { AccountList, ListedPost, LookInput, LookResult } from "../contract/look.ts";
import type { NetworkContext } from "../contract/request.ts";
import { type ReadList, readPages } from "../shared/pages.ts";
import { listsThatShow } from "../shared/shown-lists.ts";
import { stagedText } from "../shared/staged-text.ts";
import { endpoint, getAnswer, permalink } from "./api.ts";
import { replyToOf, type XOptions } from "./options.ts";
import { pageSchema, type ReadPost } from "./post.ts";
import { names } from "./staged.ts";
import { shownTexts } from "./text.ts";

/**
 * Looks for a part whose response was lost, among the account's posts since then. X charges for each post that is read.
 */
export async function lookFor(context: NetworkContext, input: LookInput<XOptions>): Promise<LookResult> {
  return { parent: parentOf(input), lists: [await readList(context, input)] };
}

async function readList(context: NetworkContext, input: LookInput<XOptions>): Promise<AccountList> {
  const { items, isWhole } = await readPosts(context, input.since);
  // A list that grows while it is read repeats some posts.
  const posts = [...new Map(items.map((post) => [post.id, toSeen(post, input)])).values()];
  return { posts, isWhole, showsSuch: isListed(input), name: nameOf(input) };
}

/**
 * It is not documented that the account's posts include those in a community or for subscribers, so the list counts for
 * them once it has shown one.
 */
export const lists = listsThatShow<XOptions>({
  isKnown: isListed,
  nameOf,
  read: (context, input) => readList(context, { ...input, since: context.now() - shownWithinMs }),
});

/** Age of the oldest listed post when a new part is checked, milliseconds. */
const shownWithinMs = 600_000;

function isListed({ part }: CommitInput<XOptions>): boolean {
  return part.options.community_id === undefined && part.options.subscribers_only !== true;
}

function nameOf({ part, previous }: CommitInput<XOptions>): string {
  const { community_id, subscribers_only } = part.options;
  const readers = subscribers_only === true ? "subscribers" : community_id === undefined ? "everybody" : "community";
  return ["posts", readers, previous === null ? "post" : "reply"].join(" ");
}

/** The post that the part replies to. Null: none. */
export function parentOf({ part, index, previous }: CommitInput<XOptions>): string | null {
  if (previous !== null) return previous.id;
  return index === 0 ? replyToOf(part.options) : null;
}

interface FoundPost extends ReadPost {
  /** The answers of its polls. Null: not included. */
  answers: string[] | null;
}

/** https://github.com/xdevplatform/docs/blob/main/openapi.json, `GET /2/users/{id}/tweets` (2026-08) */
const pageSize = 100;
/** Only the newest 3,200 posts are readable. Same source. */
const maxPages = 32;

function readPosts(context: NetworkContext, since: number): Promise<ReadList<FoundPost>> {
  const readPage = async (cursor: string | null) => {
    const { posts, polls, next } = await getAnswer(pageSchema, context, addressOf(context, since, cursor));
    const own = posts.filter(({ isRepost }) => !isRepost);
    const items = own.map((post): FoundPost => {
      const answers = post.poll_ids.flatMap((id) => polls.get(id) ?? []);
      return { ...post, answers: post.poll_ids.length > 0 ? answers : null };
    });
    return { items, next };
  };
  return readPages(readPage, { maxPages });
}

/** The request uses one set of field names. X ignores fields of the other set, but charges for them. */
function addressOf({ profile }: NetworkContext, since: number, next: string | null): string {
  return endpoint(["users", profile.external_id, "tweets"], {
    max_results: String(pageSize),
    // Whole seconds, rounded down.
    start_time: isoTime(since).replace(/\.\d+Z$/, "Z"),
    "tweet.fields": "attachments,created_at,entities,note_tweet,referenced_tweets",
    expansions: "attachments.poll_ids",
    ...(next === null ? {} : { pagination_token: next }),
  });
}

function toSeen(post: FoundPost, input: LookInput<XOptions>): ListedPost {
  const wanted = input.index === 0 ? (input.part.options.poll?.options ?? []) : [];
  const answers = post.answers ?? [];
  return {
    published: { id: post.id, url: permalink(input.profile.handle, post.id), ref: null },
    created_at: post.time,
    texts: shownTexts(post.shown),
    parent: post.parent,
    isSameKind:
      post.media_keys.length === input.part.media.length &&
      (answers.length === 0 || answers.join("\n") === wanted.join("\n")) &&
      post.poll_ids.length > 0 === wanted.length > 0,
    origin: markOf(post, input),
  };
}

/**
 * A media key consists of a number and the media id. https://github.com/xdevplatform/docs/blob/main/openapi.json
 * (2026-08)
 */
function markOf({ media_keys }: ReadPost, { part, staged }: LookInput<XOptions>): ListedPost["origin"] {
  const ours = new Set(part.media.flatMap((_, index) => stagedText(staged, names.media(index)) ?? []));
  if (ours.size === 0 || media_keys.length === 0) return null;
  return media_keys.some((key) => ours.has(key.slice(key.lastIndexOf("_") + 1))) ? "ours" : "foreign";
}
