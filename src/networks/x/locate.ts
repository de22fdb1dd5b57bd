import { isoTime } from "../../ports/clock.ts";
import type { CommitInput } from "../contract/commit.ts";
import type { NetworkContext } from "../contract/request.ts";
import type { AccountList, AccountLists, LocateInput, SeenPost, Sighting } from "../contract/sighting.ts";
import { endpoint, permalink, readAnswer } from "./api.ts";
import { replyToOf, type XOptions } from "./options.ts";
import { type Page, pageSchema, type ReadPost } from "./post.ts";
import { stagedMedia } from "./staged.ts";
import { shownTexts } from "./text.ts";

/** Did a part whose answer was lost go out? Reads the account's posts since then; each post that is read is paid for. */
export async function locate(context: NetworkContext, input: LocateInput<XOptions>): Promise<Sighting> {
  const { posts, isWhole } = await readPosts(context, input.since);
  const list: AccountList = {
    posts: posts.map((post) => toSeen(post, input)),
    isWhole,
    showsSuch: isListed(input),
    name: nameOf(input),
  };
  return { parent: parentOf(input), lists: [list] };
}

/** Nobody says that the account's posts show those of a community, or for subscribers, so that must be seen. */
export const lists: AccountLists<XOptions> = {
  names: (input) => (isListed(input) ? [] : [nameOf(input)]),

  async showing(context, published, input) {
    const { posts } = await readPosts(context, context.now() - shownWithinMs);
    return posts.some(({ id }) => id === published.id) ? [nameOf(input)] : [];
  },
};

/** A part that has just gone out is among the posts of this time, milliseconds. */
const shownWithinMs = 600_000;

function isListed({ part }: CommitInput<XOptions>): boolean {
  return part.options.community_id === undefined && part.options.subscribers_only !== true;
}

function nameOf({ part, previous }: CommitInput<XOptions>): string {
  const { community_id, subscribers_only } = part.options;
  const readers = subscribers_only === true ? "subscribers" : community_id === undefined ? "everybody" : "community";
  return ["posts", readers, previous === null ? "post" : "reply"].join(" ");
}

/** What the part replies to; null: nothing. */
export function parentOf({ part, index, previous }: CommitInput<XOptions>): string | null {
  if (previous !== null) return previous.id;
  return index === 0 ? replyToOf(part.options) : null;
}

interface FoundPost extends ReadPost {
  /** The answers of its polls; null: they were not told. */
  answers: string[] | null;
}

/** https://github.com/xdevplatform/docs/blob/main/openapi.json, `GET /2/users/{id}/tweets` (2026-08) */
const pageSize = 100;
/** The newest 3,200 are reachable. Same source. */
const maxPages = 32;

async function readPosts(context: NetworkContext, since: number): Promise<{ posts: FoundPost[]; isWhole: boolean }> {
  const posts = new Map<string, FoundPost>();
  let next: string | null = null;
  for (let page = 0; page < maxPages; page++) {
    const read: Page = readAnswer(
      pageSchema,
      await context.request({ method: "GET", url: addressOf(context, since, next) }),
    );
    for (const post of read.posts) {
      const answers = post.poll_ids.flatMap((id) => read.polls.get(id) ?? []);
      if (!post.isRepost) posts.set(post.id, { ...post, answers: post.poll_ids.length > 0 ? answers : null });
    }
    next = read.next;
    if (next === null) return { posts: [...posts.values()], isWhole: true };
  }
  return { posts: [...posts.values()], isWhole: false };
}

/** One set of names in a request, never both: X passes over, and charges for, what the other one means. */
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

function toSeen(post: FoundPost, input: LocateInput<XOptions>): SeenPost {
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
    mark: markOf(post, input),
  };
}

/** A medium's key is a number and its id. https://github.com/xdevplatform/docs/blob/main/openapi.json (2026-08) */
function markOf({ media_keys }: ReadPost, { part, staged }: LocateInput<XOptions>): SeenPost["mark"] {
  const ours = new Set(part.media.flatMap((_, index) => stagedMedia(staged, index) ?? []));
  if (ours.size === 0 || media_keys.length === 0) return null;
  return media_keys.some((key) => ours.has(key.slice(key.lastIndexOf("_") + 1))) ? "ours" : "foreign";
}
