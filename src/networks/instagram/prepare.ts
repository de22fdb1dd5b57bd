import type { Part, PlanInput } from "../contract/plan.ts";
import type { InstagramOptions } from "./options.ts";

/** Makes each file of a story its own story, and puts the first comment under the post. */
export function prepare(
  { post_type, options }: PlanInput<InstagramOptions>,
  parts: readonly Part<InstagramOptions>[],
): Part<InstagramOptions>[] {
  const { first_comment, ...own } = options;
  const posts = parts.map((part) => ({ ...part, options: own }));
  if (post_type === "story") return posts.flatMap(storiesOf);
  return first_comment === undefined ? posts : [...posts, commentWith(first_comment)];
}

function storiesOf(part: Part<InstagramOptions>): Part<InstagramOptions>[] {
  // The limits reject a story without a file; until then it is one part.
  if (part.media.length < 2) return [part];
  return part.media.map((media, index) => {
    const { user_tags = [], ...options } = part.options;
    const tags = user_tags.filter(({ item = 0 }) => item === index).map(({ item: _, ...tag }) => tag);
    return { ...part, media: [media], options: tags.length === 0 ? options : { ...options, user_tags: tags } };
  });
}

function commentWith(text: string): Part<InstagramOptions> {
  return { role: "comment", text, media: [], link: null, title: null, post_type: "post", options: {} };
}
