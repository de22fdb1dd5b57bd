import type { PlannedMedia } from "../contract/plan.ts";
import type { SpecRule } from "../contract/spec.ts";
import { readKnown } from "./known.ts";
import type { TiktokOptions } from "./options.ts";
import { kindOf } from "./post-info.ts";
import { scope } from "./scopes.ts";

type Rule = SpecRule<TiktokOptions>;
type Option = keyof TiktokOptions;

function fieldOf(option: Option): string {
  return `networks.tiktok.${option}`;
}

/** https://developers.tiktok.com/doc/content-sharing-guidelines (2026-11): there is no value that a caller could be given. */
const privacyIsChosen: Rule = {
  code: "invalid_request",
  check({ parts: [first] }) {
    if (first === undefined || first.options.inbox === true || first.options.privacy_level !== undefined) return null;
    const message =
      "TikTok demands that the person chooses who sees the post: give privacy_level, one of those that the profile's choices list.";
    return { field: fieldOf("privacy_level"), message };
  },
};

/** Of these TikTok keeps nothing in a draft. https://developers.tiktok.com/doc/content-posting-api-reference-upload-video (2026-11) */
const ownToDirectPosts: readonly Option[] = [
  "privacy_level",
  "disable_comment",
  "disable_duet",
  "disable_stitch",
  "video_cover_timestamp_ms",
  "auto_add_music",
  "brand_content_toggle",
  "brand_organic_toggle",
  "is_aigc",
];

const draftsHaveNoOptions: Rule = {
  code: "unsupported",
  check({ parts: [first] }) {
    if (first?.options.inbox !== true) return null;
    const given = ownToDirectPosts.find((option) => first.options[option] !== undefined);
    if (given === undefined) return null;
    const message = `TikTok keeps no ${given} of a draft: the person chooses it in the app. Leave it out, or leave out inbox.`;
    return { field: fieldOf(given), message };
  },
};

/** https://developers.tiktok.com/doc/content-posting-api-reference-photo-post (2026-11) */
const ownToVideos: readonly Option[] = ["disable_duet", "disable_stitch", "video_cover_timestamp_ms", "is_aigc"];
const ownToPhotos: readonly Option[] = ["photo_cover_index", "auto_add_music"];

const optionsOfKind: Rule = {
  code: "unsupported",
  check({ parts: [first] }) {
    if (first === undefined) return null;
    const isVideo = kindOf(first) === "video";
    const foreign = (isVideo ? ownToPhotos : ownToVideos).find((option) => first.options[option] !== undefined);
    if (foreign === undefined) return null;
    const message = `Only ${isVideo ? "photos" : "videos"} have ${foreign} on TikTok: leave it out.`;
    return { field: fieldOf(foreign), message };
  },
};

const coverIsThere: Rule = {
  code: "invalid_request",
  check({ parts: [first] }) {
    const index = first?.options.photo_cover_index;
    if (first === undefined || index === undefined || index < first.media.length) return null;
    const message = `The post has ${first.media.length} photos, counted from 0.`;
    return { field: fieldOf("photo_cover_index"), message };
  },
};

const coverIsInTime: Rule = {
  code: "invalid_request",
  check({ parts: [first] }) {
    const at = first?.options.video_cover_timestamp_ms;
    const seconds = first?.media[0]?.duration_seconds ?? null;
    if (at === undefined || seconds === null || at <= seconds * 1000) return null;
    const message = `The video ends after ${seconds} s: TikTok would take its first picture instead.`;
    return { field: fieldOf("video_cover_timestamp_ms"), message };
  },
};

/** https://developers.tiktok.com/doc/content-sharing-guidelines (2026-11) */
const partnershipsAreSeen: Rule = {
  code: "invalid_request",
  check({ parts: [first] }) {
    if (first?.options.brand_content_toggle !== true || first.options.privacy_level !== "SELF_ONLY") return null;
    const message = "A paid partnership cannot be seen by the person alone: choose another privacy_level.";
    return { field: fieldOf("brand_content_toggle"), message };
  },
};

/** As the account was when it was connected or checked; it is read once more before the upload. */
const accountTime: Rule = {
  code: "media_error",
  check({ parts: [first], profile }) {
    if (first === undefined || first.options.inbox === true) return null;
    return tooLong(first.media, readKnown(profile).max_video_seconds);
  },
};

/** https://developers.tiktok.com/doc/content-posting-api-reference-query-creator-info (2026-11) @param most null: TikTok does not say */
export function tooLong(
  media: readonly PlannedMedia[],
  most: number | null,
): { field: string; message: string } | null {
  const index = media.findIndex(({ duration_seconds }) => most !== null && (duration_seconds ?? 0) > most);
  if (index === -1) return null;
  return { field: `media[${index}]`, message: `TikTok takes videos of at most ${most} s from this account.` };
}

const permissions: Rule = {
  code: "reauthentication_required",
  check({ parts: [first], profile }) {
    const { scopes, scopes_are_whole } = readKnown(profile);
    if (first?.options.inbox !== true || !scopes_are_whole || scopes.includes(scope.upload)) return null;
    const message = `The login does not allow drafts: connect the account again, with the scope ${scope.upload}.`;
    return { field: fieldOf("inbox"), message };
  },
};

export const rules: readonly Rule[] = [
  privacyIsChosen,
  draftsHaveNoOptions,
  optionsOfKind,
  coverIsThere,
  coverIsInTime,
  partnershipsAreSeen,
  accountTime,
  permissions,
];
