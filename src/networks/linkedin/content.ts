import { z } from "zod";
import type { JsonObject } from "../../wire/json.ts";
import type { CommitInput } from "../contract/commit.ts";
import type { Part } from "../contract/plan.ts";
import type { LinkedinOptions } from "./options.ts";
import { names, neededUrn, stagedUrn } from "./staged.ts";

/** What stands below a post's text, one of these; null: nothing. https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api (2026-08) */
export type ContentKind = "media" | "multiImage" | "article" | null;

export function kindOf({ media, link }: Part<LinkedinOptions>): ContentKind {
  if (media.length > 0) return media.length === 1 ? "media" : "multiImage";
  return link === null ? null : "article";
}

/** As LinkedIn is told it. */
export function contentOf(input: CommitInput<LinkedinOptions>): JsonObject | null {
  switch (kindOf(input.part)) {
    case "media":
      return { media: fileOf(input, 0) };
    case "multiImage":
      return { multiImage: { images: input.part.media.map((_, index) => fileOf(input, index)) } };
    case "article":
      return articleOf(input);
    case null:
      return null;
  }
}

function fileOf({ part, staged }: CommitInput<LinkedinOptions>, index: number): JsonObject {
  const media = part.media[index];
  const isPicture = media?.type !== "video";
  return {
    id: neededUrn(staged, names.media(index)),
    ...(isPicture && media?.alt ? { altText: media.alt } : {}),
  };
}

/** LinkedIn does not read the page itself. Same source. */
function articleOf({ part: { link }, staged }: CommitInput<LinkedinOptions>): JsonObject | null {
  if (link === null) return null;
  const { url, title, description } = link;
  const thumb = stagedUrn(staged, names.thumb);
  return {
    article: {
      source: url,
      title: title ?? url,
      ...(description === null ? {} : { description }),
      ...(thumb === null ? {} : { thumbnail: thumb }),
    },
  };
}

const file = z.object({ id: z.string() });

/** As a list shows it, of the kinds that are made here: the files' names are those under which they were uploaded. */
export const shownContentSchema = z
  .object({
    media: file.nullish().catch(null),
    multiImage: z.object({ images: z.array(file) }).nullish(),
    article: z.object({ source: z.string().nullish() }).nullish(),
  })
  .nullish()
  .transform((content): { kind: ContentKind; files: string[]; source: string | null } => {
    if (content?.multiImage != null)
      return { kind: "multiImage", files: content.multiImage.images.map(({ id }) => id), source: null };
    if (content?.media != null) return { kind: "media", files: [content.media.id], source: null };
    const source = content?.article?.source ?? null;
    return { kind: content?.article == null ? null : "article", files: [], source };
  });
