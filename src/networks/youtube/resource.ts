import type { JsonObject } from "../../wire/json.ts";
import type { Part } from "../contract/plan.ts";
import type { YoutubeOptions } from "./options.ts";

/** What a video is to be. https://developers.google.com/youtube/v3/docs/videos (2026-09) */
export function videoResource({ title, text, options }: Part<YoutubeOptions>): JsonObject {
  const { tags, category_id, language, audio_language, paid_promotion } = options;
  return {
    snippet: given({
      title: title ?? "",
      description: text,
      tags,
      categoryId: category_id,
      defaultLanguage: language,
      defaultAudioLanguage: audio_language,
    }),
    // What is not said here, the channel's own settings decide.
    status: given({
      privacyStatus: options.privacy_status,
      selfDeclaredMadeForKids: options.made_for_kids,
      containsSyntheticMedia: options.synthetic_media,
      license: options.license,
      embeddable: options.embeddable,
      publicStatsViewable: options.public_stats,
    }),
    ...(paid_promotion === undefined
      ? {}
      : { paidProductPlacementDetails: { hasPaidProductPlacement: paid_promotion } }),
  };
}

/** What YouTube reads of a body is what `part` names. */
export function videoParts(resource: JsonObject): string[] {
  return Object.keys(resource);
}

function given(fields: Readonly<Record<string, JsonObject[string] | undefined>>): JsonObject {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as JsonObject;
}
