import { PublishingError } from "../../wire/errors.ts";
import type { Json, JsonObject } from "../../wire/json.ts";
import type { CommitInput, Staged } from "../contract/commit.ts";
import type { PlannedMedia } from "../contract/plan.ts";
import { maxPlainImages } from "./limits.ts";
import type { BlueskyOptions } from "./options.ts";

/** The embed below a post's text. Null: none. A quoted record is shown alone or together with one other embed. */
export function postEmbed(input: CommitInput<BlueskyOptions>): JsonObject | null {
  const media = mediaEmbed(input) ?? cardEmbed(input);
  const { quote } = input.part.options;
  if (quote === undefined || input.index > 0) return media;
  const record = { $type: "app.bsky.embed.record", record: staged(input.staged, "quote") };
  if (media === null) return record;
  return { $type: "app.bsky.embed.recordWithMedia", record, media };
}

function mediaEmbed({ part, staged: values }: CommitInput<BlueskyOptions>): JsonObject | null {
  const [first] = part.media;
  if (first === undefined) return null;
  if (first.type === "video") return videoEmbed(first, part.options, values);
  const images = part.media.map((media, index) => ({
    image: staged(values, `media_${index}`),
    alt: media.alt ?? "",
    ...aspectRatio(media),
  }));
  if (images.length <= maxPlainImages) return { $type: "app.bsky.embed.images", images };
  const items = images.map((image) => ({ $type: "app.bsky.embed.gallery#image", ...image }));
  return { $type: "app.bsky.embed.gallery", items };
}

function videoEmbed(media: PlannedMedia, options: BlueskyOptions, values: Staged): JsonObject {
  const { captions, presentation } = options;
  return {
    $type: "app.bsky.embed.video",
    video: staged(values, "video"),
    ...(media.alt === null ? {} : { alt: media.alt }),
    ...aspectRatio(media),
    ...(presentation === undefined ? {} : { presentation }),
    ...(captions === undefined
      ? {}
      : { captions: captions.map(({ lang }, track) => ({ lang, file: staged(values, `captions_${track}`) })) }),
  };
}

function cardEmbed({ part, staged: values }: CommitInput<BlueskyOptions>): JsonObject | null {
  if (part.link === null) return null;
  const { url, title, description, image_url } = part.link;
  const thumb = image_url === null ? null : staged(values, "thumb");
  return {
    $type: "app.bsky.embed.external",
    external: {
      uri: url,
      title: title ?? url,
      description: description ?? "",
      ...(thumb === null ? {} : { thumb }),
    },
  };
}

function aspectRatio({ width, height }: PlannedMedia): JsonObject {
  return width === null || height === null ? {} : { aspectRatio: { width, height } };
}

/** @throws PublishingError if `stage` has not kept it */
export function staged(values: Staged, name: string): Json {
  const value = values[name];
  if (value === undefined) throw new PublishingError("internal_error", `${name} was not staged.`);
  return value;
}
