import * as z from "zod";
import type { JsonObject } from "../../wire/json.ts";
import type { CommitInput } from "../contract/commit.ts";
import type { Part } from "../contract/plan.ts";
import { neededText, stagedText } from "../shared/staged-text.ts";
import type { LinkedinOptions } from "./options.ts";
import { names } from "./staged.ts";

/**
 * The kind of content below a post's text, at most one of these. Null: none.
 * https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api (2026-08)
 */
export type ContentKind = "media" | "multiImage" | "article" | "poll" | null;

export function kindOf({ media, link, options }: Part<LinkedinOptions>): ContentKind {
  if (media.length > 0) return media.length === 1 ? "media" : "multiImage";
  if (options.document !== undefined) return "media";
  if (options.poll !== undefined) return "poll";
  return link === null ? null : "article";
}

/** The names under which `stage` keeps the post's files, in order. */
export function filesOf({ media, options }: Part<LinkedinOptions>): string[] {
  if (media.length > 0) return media.map((_, index) => names.media(index));
  return options.document === undefined ? [] : [names.document];
}

/** The `content` field of the request. */
export function contentOf(input: CommitInput<LinkedinOptions>): JsonObject | null {
  switch (kindOf(input.part)) {
    case "media":
      return { media: input.part.media.length === 0 ? documentOf(input) : fileOf(input, 0) };
    case "multiImage":
      return { multiImage: { images: input.part.media.map((_, index) => fileOf(input, index)) } };
    case "article":
      return articleOf(input);
    case "poll":
      return pollOf(input.part.options);
    case null:
      return null;
  }
}

function fileOf({ part, staged }: CommitInput<LinkedinOptions>, index: number): JsonObject {
  const media = part.media[index];
  const isPicture = media?.type !== "video";
  return {
    id: neededText(staged, names.media(index)),
    ...(isPicture && media?.alt ? { altText: media.alt } : {}),
  };
}

/** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/documents-api (2026-08): the title is required. */
function documentOf({ part: { options }, staged }: CommitInput<LinkedinOptions>): JsonObject {
  return { id: neededText(staged, names.document), title: options.document?.title ?? "" };
}

/** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/poll-post-api (2026-08) */
function pollOf({ poll }: LinkedinOptions): JsonObject | null {
  if (poll === undefined) return null;
  const { question, options, duration } = poll;
  return { poll: { question, options: options.map((text) => ({ text })), settings: { duration } } };
}

/** LinkedIn does not read the linked page. Same source as `ContentKind`. */
function articleOf({ part: { link }, staged }: CommitInput<LinkedinOptions>): JsonObject | null {
  if (link === null) return null;
  const { url, title, description } = link;
  const thumb = stagedText(staged, names.thumb);
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

/** A listed post's content, if its kind is one of ours. */
export interface ShownContent {
  kind: ContentKind;
  /** The URNs of its uploaded files. */
  files: string[];
  /** Other content to compare: the URL of a card, the text of a poll. */
  words: string | null;
}

export const shownContentSchema = z
  .object({
    media: file.nullish().catch(null),
    multiImage: z.object({ images: z.array(file) }).nullish(),
    article: z.object({ source: z.string().nullish() }).nullish(),
    poll: z
      .object({ question: z.string().nullish(), options: z.array(z.object({ text: z.string().nullish() })).nullish() })
      .nullish(),
  })
  .nullish()
  .transform((content): ShownContent => {
    const { media, multiImage, article, poll } = content ?? {};
    if (multiImage != null) return { kind: "multiImage", files: multiImage.images.map(({ id }) => id), words: null };
    if (media != null) return { kind: "media", files: [media.id], words: null };
    if (poll != null) {
      const answers = (poll.options ?? []).map(({ text }) => text ?? "");
      return { kind: "poll", files: [], words: pollWords(poll.question ?? "", answers) };
    }
    return { kind: article == null ? null : "article", files: [], words: article?.source ?? null };
  });

/** The part's own content, comparable with `ShownContent.words`. */
export function wordsOf({ link, options: { poll } }: Part<LinkedinOptions>): string | null {
  return poll === undefined ? (link?.url ?? null) : pollWords(poll.question, poll.options);
}

function pollWords(question: string, answers: readonly string[]): string {
  return [question, ...answers].join("\n");
}
