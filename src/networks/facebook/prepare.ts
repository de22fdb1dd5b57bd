import type { Part, PlanInput } from "../contract/plan.ts";
import type { FacebookOptions } from "./options.ts";

/** Makes each file of a story its own story, and puts the first comment under the post. */
export function prepare(
  { post_type, options }: PlanInput<FacebookOptions>,
  parts: readonly Part<FacebookOptions>[],
): Part<FacebookOptions>[] {
  const { first_comment, ...own } = options;
  const posts = parts.map((part) => ({ ...part, options: own }));
  if (post_type === "story") return posts.flatMap(storiesOf);
  return first_comment === undefined ? posts : [...posts, commentWith(first_comment)];
}

function storiesOf(part: Part<FacebookOptions>): Part<FacebookOptions>[] {
  // The limits reject a story without a file; until then it is one part.
  return part.media.length < 2 ? [part] : part.media.map((media) => ({ ...part, media: [media] }));
}

function commentWith(text: string): Part<FacebookOptions> {
  return { role: "comment", text, media: [], link: null, title: null, post_type: "post", options: {} };
}
