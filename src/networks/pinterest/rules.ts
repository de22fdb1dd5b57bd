import { firstGiven, rulesOf } from "../shared/rules.ts";
import type { PinterestOptions } from "./options.ts";

const { rule, problemAt } = rulesOf<PinterestOptions>("pinterest");

const onlyForVideos = ["cover_image_url", "cover_image_key_frame_time"] as const;

const covers = rule("invalid_request", ({ input: { media, options } }) => {
  const wrong = firstGiven(options, onlyForVideos);
  if (media.length === 0 || media[0]?.type === "video" || wrong === undefined) return null;
  return problemAt(wrong, "On Pinterest only videos have a cover.");
});

/** https://github.com/gitroomhq/postiz-app (2026-08) */
const sameSides = rule("media_error", ({ input: { media } }) => {
  const [first] = media;
  if (media.some(({ type }) => type !== "image")) return null;
  const index = media.findIndex(
    ({ width, height }) => width !== null && first?.width != null && (width !== first.width || height !== first.height),
  );
  const file = media[index];
  if (file === undefined || first === undefined) return null;
  const message = `Images of one Pin must have the same size: this one has ${file.width}×${file.height}, the first ${first.width}×${first.height}. Crop one of them.`;
  return { field: `media[${index}]`, message };
});

/** One for the whole Pin. https://github.com/pinterest/api-description, `PinCreate` (2025-12) */
const oneAlt = rule("invalid_request", ({ input: { media }, spec }) => {
  const length = altOf(media)?.length ?? 0;
  const { max_alt: max = 0 } = spec.media;
  if (media.length < 2 || length <= max) return null;
  const message = `A Pin has one alt text for all its images: together these have ${length} of at most ${max} characters.`;
  return { field: "media", message };
});

/** https://github.com/pinterest/api-description, `PinCreate` (2025-12) */
const maxLink = 2_048;

const link = rule("invalid_request", ({ input }) => {
  const length = input.link?.url.length ?? 0;
  if (length <= maxLink) return null;
  return { field: "link", message: `${length} characters; Pinterest accepts at most ${maxLink} in a link.` };
});

/** What all files show, in words; null: nobody said. */
export function altOf(media: readonly { alt: string | null }[]): string | null {
  const words = media.flatMap(({ alt }) => alt || []);
  return words.length === 0 ? null : words.join("\n");
}

/** Checks that a table cannot say, in order. */
export const rules = [covers, sameSides, oneAlt, link];
