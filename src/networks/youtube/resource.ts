import type { JsonObject } from "../../wire/json.ts";
import type { Part } from "../contract/plan.ts";
import { defined } from "../shared/defined.ts";
import type { YoutubeOptions } from "./options.ts";

/** What a video is to be. https://developers.google.com/youtube/v3/docs/videos (2026-09) */
export function videoResource({ title, text, options }: Part<YoutubeOptions>): JsonObject {
  const { paid_promotion } = options;
  return defined({
    snippet: defined({
      title: title ?? "",
      description: text,
      tags: options.tags,
      categoryId: options.category_id,
      defaultLanguage: options.language,
      defaultAudioLanguage: options.audio_language,
    }),
    // What is not said here, the channel's own settings decide.
    status: defined({
      privacyStatus: options.privacy_status,
      selfDeclaredMadeForKids: options.made_for_kids,
      containsSyntheticMedia: options.synthetic_media,
      license: options.license,
      embeddable: options.embeddable,
      publicStatsViewable: options.public_stats,
    }),
    paidProductPlacementDetails: paid_promotion === undefined ? undefined : { hasPaidProductPlacement: paid_promotion },
  });
}

/** What YouTube reads of a body is what `part` names. */
export function videoParts(resource: JsonObject): string[] {
  return Object.keys(resource);
}
