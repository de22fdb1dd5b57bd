import * as z from "zod";
import type { CommitInput } from "../contract/commit.ts";
import type { AccountList, ListedPost, LookInput, LookResult, Pending } from "../contract/look.ts";
import type { Part } from "../contract/plan.ts";
import type { NetworkContext } from "../contract/request.ts";
import { graphId } from "../shared/meta/graph-id.ts";
import { readGraphPages } from "../shared/meta/pages.ts";
import { listsThatShow } from "../shared/shown-lists.ts";
import { endpoint } from "./api.ts";
import { failureOf, lookAtContainer, notThere } from "./container.ts";
import type { ThreadsOptions } from "./options.ts";

type Input = LookInput<ThreadsOptions>;

/** Did a part whose answer was lost go out? Its container knows; only what has none is looked for in the lists. */
export async function lookFor(context: NetworkContext, input: Input): Promise<LookResult> {
  const { container } = input.staged;
  if (typeof container !== "string") return inLists(context, input);
  const state = await lookAtContainer(context, { id: container, why: "looking" });
  if (state === null) return (await asPost(context, container)) ?? inLists(context, input);
  switch (state.status) {
    case "PUBLISHED":
      return publishedAs(context, input);
    case "ERROR": {
      const { code, message } = failureOf(state);
      return { failed: { code, message } };
    }
    // Not while Threads is at work on it: a request that it has may still be carried out.
    case "IN_PROGRESS":
      return { pending: "Threads is still processing the post." };
    // The engine wants to see it twice, a minute apart: one that is just being published may read so.
    case "FINISHED":
    case "EXPIRED":
      return { absent: true };
  }
}

const postSchema = z.object({ id: graphId, permalink: z.string(), timestamp: z.string() });

/** What lacks a container's fields may be a post, if it reads as one. https://github.com/exileum/meta-mcp/issues/143 (2026-09) */
async function asPost(context: NetworkContext, id: string): Promise<LookResult | null> {
  const url = endpoint([id], { fields: "id,permalink,timestamp" });
  // A limit that is used up has the same status: then nothing is known of it.
  const { status, body } = await context.request({ method: "GET", url, acceptCodes: [...notThere] });
  const parsed = status === 200 ? postSchema.safeParse(body) : null;
  return parsed?.success ? { live: { id: parsed.data.id, url: parsed.data.permalink, ref: null } } : null;
}

/** The result when no list ever returns its id. A container's id is not a post's id. */
const unnamed: NonNullable<Pending["at_cap"]> = { live: { id: null, url: null, ref: null } };

/** It is live, for certain; the container does not say under which id. */
async function publishedAs(context: NetworkContext, input: Input): Promise<LookResult> {
  const list = await readList(context, input);
  const isWordless = input.part.text === "";
  // What shows no words is told by its kind and its time alone, now that something of it is there.
  const posts = list.posts.map((post) => (isWordless && post.isSameKind ? { ...post, origin: "ours" as const } : post));
  const among = { parent: parentOf(input), lists: [{ ...list, posts }] };
  return { pending: "The post is live; Threads does not return its id yet.", among, at_cap: unnamed };
}

async function inLists(context: NetworkContext, input: Input): Promise<LookResult> {
  if (input.index > 0 && input.previous === null)
    return { cannot_tell: "The post that this one replies to is unknown." };
  return { parent: parentOf(input), lists: [await readList(context, input)] };
}

function parentOf({ previous }: Pick<CommitInput, "previous">): string | null {
  return previous?.id ?? null;
}

/** https://github.com/fbsamples/threads_api (2025-12); fields without a value are left out. */
const mediaSchema = z.object({
  id: graphId,
  text: z.string().nullish(),
  media_type: z.string().nullish(),
  permalink: z.string().nullish(),
  timestamp: z.string(),
  replied_to: z.object({ id: graphId }).nullish(),
});

const mediaFields = "id,text,timestamp,permalink,media_type,is_reply,replied_to";
const pageSize = "50";

/** Replies are in a list of their own. */
async function readList(context: NetworkContext, input: Input): Promise<AccountList> {
  const isReply = input.previous !== null;
  const { items, isWhole } = await readGraphPages(context, {
    name: "Threads",
    url: endpoint([context.profile.external_id, isReply ? "replies" : "threads"], {
      fields: mediaFields,
      since: String(Math.floor(input.since / 1000)),
      limit: pageSize,
    }),
    schema: mediaSchema,
    isPast: ({ timestamp }) => Date.parse(timestamp) < input.since,
  });
  const posts = items.filter(({ media_type }) => media_type !== "REPOST_FACADE");
  return {
    posts: posts.map((media) => toSeen(media, input.part, isReply)),
    isWhole,
    showsSuch: !isGhost(input.part),
    name: listName(input),
  };
}

function listName({ part, previous }: Pick<CommitInput<ThreadsOptions>, "part" | "previous">): string {
  if (isGhost(part)) return "threads, ghost posts";
  return previous === null ? "threads" : "replies";
}

/** Whether the account's own list shows them is documented nowhere. */
function isGhost({ options }: Part<ThreadsOptions>): boolean {
  return options.is_ghost_post === true;
}

function toSeen(media: z.infer<typeof mediaSchema>, part: Part<ThreadsOptions>, isReply: boolean): ListedPost {
  const parent = media.replied_to?.id ?? (isReply ? undefined : null);
  return {
    published: { id: media.id, url: media.permalink ?? null, ref: null },
    created_at: Date.parse(media.timestamp),
    texts: [media.text ?? ""],
    ...(parent === undefined ? {} : { parent }),
    isSameKind: media.media_type == null || media.media_type === kindOf(part),
    origin: null,
  };
}

/** Other names than those that are sent. https://docs.rs/threads-rs/0.1.1/threads_rs/constants (2026-03) */
function kindOf({ media }: Part<ThreadsOptions>): "TEXT_POST" | "IMAGE" | "VIDEO" | "CAROUSEL_ALBUM" {
  if (media.length > 1) return "CAROUSEL_ALBUM";
  if (media[0] === undefined) return "TEXT_POST";
  return media[0].type === "video" ? "VIDEO" : "IMAGE";
}

/** The first hashtag becomes the topic, which is shown without its sign (that reads show it so is unconfirmed). */
export function textForms({ text }: Part<ThreadsOptions>): string[] {
  const withTopic = text.replace(/(?<=^|\s)#(?=[\p{L}\p{N}_])/u, "");
  return withTopic === text ? [text] : [text, withTopic];
}

/** The list counts for ghost posts once it has shown one. */
export const lists = listsThatShow<ThreadsOptions>({
  isKnown: ({ part }) => !isGhost(part),
  nameOf: listName,
  read: (context, input) => readList(context, { ...input, since: context.now() - shownWithinMs }),
});

/** A part that has just gone out is among the posts of this time, milliseconds. */
const shownWithinMs = 600_000;
