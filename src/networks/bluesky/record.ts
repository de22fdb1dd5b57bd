import { isoTime } from "../../ports/clock.ts";
import { findFacets, type TextFacet } from "../../text/facets.ts";
import type { Json, JsonObject } from "../../wire/json.ts";
import type { CommitInput, Staged } from "../contract/commit.ts";
import type { IdentifiedPart } from "../contract/plan.ts";
import { postCollection } from "./address.ts";
import { postEmbed, staged } from "./embed.ts";
import type { BlueskyOptions } from "./options.ts";

/** The record of one part. https://github.com/bluesky-social/atproto/blob/main/lexicons/app/bsky/feed/post.json (2026-08) */
export function postRecord(input: CommitInput<BlueskyOptions>): JsonObject {
  const { text } = input.part;
  const { langs, labels, tags } = input.part.options;
  const facets = postFacets(text, input.staged);
  const embed = postEmbed(input);
  const reply = replyRefs(input);
  return {
    $type: postCollection,
    text,
    createdAt: createdAt(input),
    ...(facets.length === 0 ? {} : { facets }),
    ...(reply === null ? {} : { reply }),
    ...(embed === null ? {} : { embed }),
    ...(langs === undefined ? {} : { langs }),
    ...(labels === undefined
      ? {}
      : { labels: { $type: "com.atproto.label.defs#selfLabels", values: labels.map((val) => ({ val })) } }),
    ...(tags === undefined || input.index > 0 ? {} : { tags }),
  };
}

/** The same in every attempt. The parts of a thread are a millisecond apart, so that they sort in their order. */
export function createdAt(input: CommitInput<BlueskyOptions>): string {
  return isoTime(Date.parse(input.created_at) + input.index);
}

/** The part's position in a conversation. Null: it begins one. A thread that replies to a post belongs to that post's conversation. */
function replyRefs(input: CommitInput<BlueskyOptions>): JsonObject | null {
  const { first, previous } = input;
  const answered = input.part.options.reply_to === undefined ? null : (staged(input.staged, "reply") as JsonObject);
  if (first === null || previous === null) return answered;
  return { root: answered?.root ?? strongRef(first), parent: strongRef(previous) };
}

/** A reference to a post: URI and content id. */
function strongRef(part: IdentifiedPart): JsonObject {
  return { uri: part.id, cid: (part.ref as JsonObject).cid ?? null };
}

/** The server does not detect links, mentions or hashtags. Their positions are sent with the text, in UTF-8 bytes. */
export function postFacets(text: string, values: Staged): Json[] {
  return findFacets(text).flatMap(({ byteStart, byteEnd, kind, value }) => {
    const feature = facetFeature(kind, value, values);
    return feature === null ? [] : [{ index: { byteStart, byteEnd }, features: [feature] }];
  });
}

/** Null: it must stay plain text. */
function facetFeature(kind: TextFacet["kind"], value: string, values: Staged): JsonObject | null {
  if (kind === "link") return { $type: "app.bsky.richtext.facet#link", uri: value };
  if (kind === "tag") return { $type: "app.bsky.richtext.facet#tag", tag: value };
  const did = values[`mention_${value.toLowerCase()}`];
  return typeof did === "string" ? { $type: "app.bsky.richtext.facet#mention", did } : null;
}
