import * as z from "zod";
import type { PublishingFailure } from "../contract/acceptance.ts";
import type { ListedPost, LookInput, LookResult } from "../contract/look.ts";
import type { Part } from "../contract/plan.ts";
import type { NetworkContext } from "../contract/request.ts";
import type { GoogleBusinessOptions } from "./options.ts";
import { type LocalPost, publishedPost, readPost, readPosts } from "./posts.ts";

export const rejected: PublishingFailure = {
  code: "rejected_by_network",
  message: "Google has rejected the post: it breaks a rule for posts at business profiles.",
};

/** What Google said yes to, by its name. */
const jobSchema = z.object({ name: z.string().min(1) });

/** Between two questions while Google looks at a post, seconds. https://github.com/trypostit/trypost (2026-08) */
const againSeconds = 300;

/** Did a post whose answer was lost go out, or what has become of one that Google took? */
export async function lookFor(context: NetworkContext, input: LookInput<GoogleBusinessOptions>): Promise<LookResult> {
  const job = jobSchema.safeParse(input.job).data;
  return job === undefined ? sightPosts(context, input) : lookAtPost(context, job.name);
}

async function lookAtPost(context: NetworkContext, name: string): Promise<LookResult> {
  const post = await readPost(context, name);
  if (post === null) return { pending: "Google has the post, but does not display it." };
  switch (post.state) {
    case "LIVE":
      return { live: publishedPost(post) };
    case "REJECTED":
      return { failed: rejected };
    default:
      return { pending: "Google is reviewing the post.", again_seconds: againSeconds };
  }
}

async function sightPosts(context: NetworkContext, input: LookInput<GoogleBusinessOptions>): Promise<LookResult> {
  const { items, isWhole } = await readPosts(context);
  // What Google has rejected nobody sees.
  const posts = items.filter(({ state }) => state !== "REJECTED");
  if (posts.some((post) => post.state !== "LIVE" && isAlike(post, input)))
    return { pending: "Google is reviewing a post that may be this one.", again_seconds: againSeconds };
  const seen = posts.map((post) => toSeen(post, input.part));
  return { parent: null, lists: [{ posts: seen, isWhole, showsSuch: true, name: "localPosts" }] };
}

function isAlike(post: LocalPost, { part, since }: LookInput<GoogleBusinessOptions>): boolean {
  const isNew = !(timeOf(post) < since);
  return isNew && isSameKind(post, part) && shownAs(post.summary ?? "") === shownAs(part.text);
}

/** NaN: Google does not tell it. */
function timeOf({ createTime }: LocalPost): number {
  return Date.parse(createTime ?? "");
}

function isSameKind(
  { topicType, event, media }: LocalPost,
  { options, media: files }: Part<GoogleBusinessOptions>,
): boolean {
  const isSameTopic = (topicType ?? "STANDARD") === options.topic_type;
  const isSameEvent = (event?.title ?? "").trim() === (options.event?.title ?? "");
  return isSameTopic && isSameEvent && (media?.length ?? 0) === files.length;
}

function toSeen(post: LocalPost, part: Part<GoogleBusinessOptions>): ListedPost {
  return {
    published: publishedPost(post),
    created_at: timeOf(post),
    texts: [shownAs(post.summary ?? "")].filter((text) => text !== ""),
    isSameKind: isSameKind(post, part),
    origin: null,
  };
}

export function textForms({ text }: Part<GoogleBusinessOptions>): string[] {
  return [shownAs(text)];
}

/** Google may write line breaks in another way (unconfirmed). */
function shownAs(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
