import * as z from "zod";
import type { CommitInput } from "../contract/commit.ts";
import type { AccountList, AccountLists, ListedPost, LookInput, LookResult } from "../contract/look.ts";
import type { NetworkContext } from "../contract/request.ts";
import { listsThatShow } from "../shared/shown-lists.ts";
import { stagedText } from "../shared/staged-text.ts";
import { type Api, permalink, postUrn, readAnswer } from "./api.ts";
import { findComments } from "./comments.ts";
import { filesOf, kindOf, shownContentSchema, wordsOf } from "./content.ts";
import { isOrganization, readKnown, showsItsPosts } from "./known.ts";
import { type LinkedinOptions, reshareOf } from "./options.ts";
import { fromLittleText } from "./text.ts";

type Input = LookInput<LinkedinOptions>;

/** Looks for a part whose response was lost. The API lists an organisation's posts, but no member's. */
export async function lookFor(context: NetworkContext, input: Input, api: Api): Promise<LookResult> {
  if (!showsItsPosts(context.profile)) return { cannot_tell: whyUnseen(context) };
  if (input.part.role === "comment") return findComments(context, input, api);
  const list = await readList(context, input, api);
  return list === null ? { cannot_tell: whyUnseen(context) } : { parent: null, lists: [list] };
}

function whyUnseen({ profile }: NetworkContext): string {
  return isOrganization(profile)
    ? "The access token lacks r_organization_social, so it cannot read the organisation's posts."
    : "LinkedIn's API does not list a member's posts.";
}

/** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/post-api-schema (2026-08) */
const postSchema = z.object({
  id: postUrn,
  commentary: z.string().nullish(),
  createdAt: z.number().nullish(),
  publishedAt: z.number().nullish(),
  content: shownContentSchema,
  reshareContext: z.object({ parent: z.string().nullish() }).nullish(),
});

type FoundPost = z.infer<typeof postSchema>;

const pageSchema = z.object({ elements: z.array(postSchema) });

/** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api (2026-08) */
const pageSize = 100;
/** A thousand posts since the request. A longer list counts as incomplete. */
const maxPages = 10;

/** The status for a token without the scope to read, if its scopes are unknown. */
const unreadable = 403;

/** Reads from the newest post on, until a whole page is too old. Null: the token may not read the list. */
async function readList(context: NetworkContext, input: Input, api: Api): Promise<AccountList | null> {
  const accept = readKnown(context.profile).scopes === null ? [unreadable] : [];
  const found = new Map<string, FoundPost>();
  let isWhole = false;
  for (let page = 0; page < maxPages && !isWhole; page++) {
    const parameters = {
      q: "author",
      author: context.profile.external_id,
      sortBy: "CREATED",
      start: String(page * pageSize),
      count: String(pageSize),
    };
    const { url, headers } = api.rest(["posts"], parameters);
    const finder = { ...headers, "x-restli-method": "FINDER" };
    const response = await context.request({ method: "GET", url, headers: finder, accept });
    if (response.status === unreadable) return null;
    const { elements } = readAnswer(pageSchema, response);
    for (const post of elements) found.set(post.id, post);
    isWhole = elements.length < pageSize || elements.every((post) => timeOf(post, input) < input.since);
  }
  return {
    posts: [...found.values()].map((post) => toSeen(post, input)),
    isWhole,
    showsSuch: isListed(input),
    name: nameOf(input),
  };
}

/**
 * True: the list is known to show the post. For posts in no feed, or for a limited audience, this is not documented, so
 * the list must have shown a post of the same kind.
 */
function isListed({ part: { options } }: CommitInput<LinkedinOptions>): boolean {
  return options.feed_distribution !== "NONE" && options.audience === undefined;
}

function nameOf(input: CommitInput<LinkedinOptions>): string {
  if (isListed(input)) return "posts";
  return input.part.options.feed_distribution === "NONE" ? "posts, in no feed" : "posts, for some";
}

/** A post without a time may be the one that is looked for. */
function timeOf({ createdAt, publishedAt }: FoundPost, { since }: Input): number {
  return createdAt ?? publishedAt ?? since;
}

function toSeen(post: FoundPost, input: Input): ListedPost {
  const markup = post.commentary ?? "";
  return {
    published: { id: post.id, url: permalink(post.id), ref: null },
    created_at: timeOf(post, input),
    texts: [...new Set([fromLittleText(markup), markup])],
    parent: null,
    isSameKind: isSameKind(post, input),
    origin: markOf(post, input),
  };
}

function isSameKind({ content, reshareContext }: FoundPost, { part }: Input): boolean {
  if ((reshareContext?.parent ?? null) !== reshareOf(part.options) || content.kind !== kindOf(part)) return false;
  if (content.words !== null && content.words !== wordsOf(part)) return false;
  return content.files.length === filesOf(part).length;
}

/** A post shows its files by the URNs of their uploads. */
function markOf({ content: { files } }: FoundPost, { part, staged }: Input): ListedPost["origin"] {
  const ours = new Set(filesOf(part).map((name) => stagedText(staged, name)));
  if (ours.size === 0 || ours.has(null) || files.length === 0) return null;
  return files.some((urn) => ours.has(urn)) ? "ours" : "foreign";
}

/** Posts in no feed count as listed once the list has shown one. */
export function lists(api: Api): AccountLists<LinkedinOptions> {
  return listsThatShow({
    isKnown: isListed,
    nameOf,
    async read(context, input) {
      if (!showsItsPosts(context.profile) || input.part.role === "comment") return null;
      return readList(context, { ...input, since: context.now() - shownWithinMs }, api);
    },
  });
}

/** How far back to read for a part that was just published, milliseconds. */
const shownWithinMs = 600_000;
