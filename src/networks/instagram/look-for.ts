import * as z from "zod";
import type { AccountList, AccountLists, ListedPost, LookInput, LookResult, Pending } from "../contract/look.ts";
import type { Part } from "../contract/plan.ts";
import type { NetworkContext } from "../contract/request.ts";
import { graphId } from "../shared/meta/graph-id.ts";
import { readGraphPages } from "../shared/meta/pages.ts";
import { listsThatShow } from "../shared/shown-lists.ts";
import type { Api } from "./api.ts";
import { findComments } from "./comments.ts";
import { failureOf, lookAtContainer } from "./container.ts";
import { readKnown } from "./known.ts";
import type { InstagramOptions } from "./options.ts";

type Input = LookInput<InstagramOptions>;

/** Did a part whose answer was lost go out? Its container knows; only what has none is looked for in the lists. */
export async function lookFor(context: NetworkContext, input: Input, api: Api): Promise<LookResult> {
  if (input.part.role === "comment") return findComments(context, input, api);
  const { container } = input.staged;
  if (typeof container !== "string") return inLists(context, input, api);
  const state = await lookAtContainer(context, api, { id: container, why: "looking" });
  if (state === null) return inLists(context, input, api);
  switch (state.status) {
    case "PUBLISHED":
      return publishedAs(context, input, api);
    case "ERROR": {
      const { code, message } = failureOf(state);
      return { failed: { code, message } };
    }
    // Not while Instagram is at work on it: a request that it has may still be carried out.
    case "IN_PROGRESS":
      return { pending: "Instagram is still processing the files." };
    // The engine wants to see it twice, a minute apart: one that is just being published may read so.
    case "FINISHED":
    case "EXPIRED":
      return { absent: true };
  }
}

/** The result when no list ever returns its id. A container's id is not a post's id. */
const unnamed: NonNullable<Pending["at_cap"]> = { live: { id: null, url: null, ref: null } };

/** It is live, for certain; the container does not say under which id. */
async function publishedAs(context: NetworkContext, input: Input, api: Api): Promise<LookResult> {
  const list = await readList(context, input, api);
  const isWordless = textForms(input.part).every((text) => text === "");
  // What shows no words is told by its kind and its time alone, now that something of it is there.
  const posts = list.posts.map((post) => (isWordless && post.isSameKind ? { ...post, origin: "ours" as const } : post));
  const among = { parent: null, lists: [{ ...list, posts }] };
  return { pending: "The post is live; Instagram does not return its id yet.", among, at_cap: unnamed };
}

async function inLists(context: NetworkContext, input: Input, api: Api): Promise<LookResult> {
  return { parent: null, lists: [await readList(context, input, api)] };
}

/** https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media and …/stories (2026-09) */
const mediaSchema = z.object({
  id: graphId,
  caption: z.string().nullish(),
  media_type: z.string().nullish(),
  permalink: z.string().nullish(),
  timestamp: z.string(),
});

const mediaFields = "id,caption,permalink,timestamp,media_type";
const pageSize = "50";

/** Stories are in a list of their own. */
async function readList(context: NetworkContext, input: Input, api: Api): Promise<AccountList> {
  const edge = input.part.post_type === "story" ? "stories" : "media";
  const { flavour } = readKnown(context.profile);
  const url = api.endpoint(flavour, [context.profile.external_id, edge], { fields: mediaFields, limit: pageSize });
  const { items, isWhole } = await readGraphPages(context, {
    name: "Instagram",
    url,
    schema: mediaSchema,
    isPast: ({ timestamp }) => Date.parse(timestamp) < input.since,
  });
  return {
    posts: items.map((media) => toSeen(media, input.part)),
    isWhole,
    showsSuch: !isTrial(input.part),
    name: listName(input.part),
  };
}

function listName(part: Part<InstagramOptions>): string {
  if (part.post_type === "story") return "stories";
  return isTrial(part) ? "media, trial reels" : "media";
}

/** Whether the account's own list shows them is documented nowhere. */
function isTrial({ options }: Part<InstagramOptions>): boolean {
  return options.trial_params !== undefined;
}

function toSeen(media: z.infer<typeof mediaSchema>, part: Part<InstagramOptions>): ListedPost {
  return {
    published: { id: media.id, url: media.permalink ?? null, ref: null },
    created_at: Date.parse(media.timestamp),
    texts: [media.caption ?? ""],
    parent: null,
    isSameKind: media.media_type == null || media.media_type === kindOf(part),
    origin: null,
  };
}

/** https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-media (2026-09) */
function kindOf({ media }: Part<InstagramOptions>): "IMAGE" | "VIDEO" | "CAROUSEL_ALBUM" {
  if (media.length > 1) return "CAROUSEL_ALBUM";
  return media[0]?.type === "video" ? "VIDEO" : "IMAGE";
}

/** Stories show no caption. */
export function textForms({ post_type, text }: Part<InstagramOptions>): string[] {
  return [post_type === "story" ? "" : text];
}

/** The list of trial reels counts once it has shown one. */
export function lists(api: Api): AccountLists<InstagramOptions> {
  return listsThatShow({
    isKnown: ({ part }) => !isTrial(part),
    nameOf: ({ part }) => listName(part),
    read: (context, input) => readList(context, { ...input, since: context.now() }, api),
  });
}
