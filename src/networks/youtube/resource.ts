import type { JsonObject } from "../../wire/json.ts";
import type { Part } from "../contract/plan.ts";
import { defined } from "../shared/defined.ts";
import type { YoutubeOptions } from "./options.ts";

/** The metadata of a video. https://developers.google.com/youtube/v3/docs/videos (2026-09) */
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
    // The channel's settings decide omitted fields.
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

/** The value of `part`: YouTube reads only the fields that it names. */
export function videoParts(resource: JsonObject): string[] {
  return Object.keys(resource);
}
