import type { PlannedMedia } from "../contract/plan.ts";
import { firstGiven, type Problem, rulesOf } from "../shared/rules.ts";
import { readKnown } from "./known.ts";
import type { TiktokOptions } from "./options.ts";
import { kindOf } from "./post-info.ts";
import { scope } from "./scopes.ts";

const { rule, problemAt } = rulesOf<TiktokOptions>("tiktok");

/** https://developers.tiktok.com/doc/content-sharing-guidelines (2026-11): there is no value that a caller could be given. */
const privacyIsChosen = rule("invalid_request", ({ post: { options } }) =>
  options.inbox === true || options.privacy_level !== undefined
    ? null
    : problemAt(
        "privacy_level",
        "TikTok requires that the user chooses the visibility: set privacy_level to one of the profile's choices.",
      ),
);

/** Of these TikTok keeps nothing in a draft. https://developers.tiktok.com/doc/content-posting-api-reference-upload-video (2026-11) */
const ownToDirectPosts = [
  "privacy_level",
  "disable_comment",
  "disable_duet",
  "disable_stitch",
  "video_cover_timestamp_ms",
  "auto_add_music",
  "brand_content_toggle",
  "brand_organic_toggle",
  "is_aigc",
] as const;

const draftsHaveNoOptions = rule("unsupported", ({ post: { options } }) => {
  const given = options.inbox === true ? firstGiven(options, ownToDirectPosts) : undefined;
  if (given === undefined) return null;
  return problemAt(
    given,
    `TikTok keeps no ${given} of a draft: the user chooses it in the app. Leave it out, or leave out inbox.`,
  );
});

/** https://developers.tiktok.com/doc/content-posting-api-reference-photo-post (2026-11) */
const ownToVideos = ["disable_duet", "disable_stitch", "video_cover_timestamp_ms", "is_aigc"] as const;
const ownToPhotos = ["photo_cover_index", "auto_add_music"] as const;

const optionsOfKind = rule("unsupported", ({ post }) => {
  const isVideo = kindOf(post) === "video";
  const foreign = firstGiven<keyof TiktokOptions>(post.options, isVideo ? ownToPhotos : ownToVideos);
  if (foreign === undefined) return null;
  return problemAt(foreign, `Only ${isVideo ? "photos" : "videos"} have ${foreign} on TikTok: leave it out.`);
});

const coverIsThere = rule("invalid_request", ({ post: { options, media } }) => {
  const index = options.photo_cover_index;
  if (index === undefined || index < media.length) return null;
  return problemAt("photo_cover_index", `The post has ${media.length} photos, counted from 0.`);
});

const coverIsInTime = rule("invalid_request", ({ post: { options, media } }) => {
  const at = options.video_cover_timestamp_ms;
  const seconds = media[0]?.duration_seconds ?? null;
  if (at === undefined || seconds === null || at <= seconds * 1000) return null;
  return problemAt(
    "video_cover_timestamp_ms",
    `The video ends after ${seconds} s: TikTok would use its first frame instead.`,
  );
});

/** https://developers.tiktok.com/doc/content-sharing-guidelines (2026-11) */
const partnershipsAreSeen = rule("invalid_request", ({ post: { options } }) => {
  if (options.brand_content_toggle !== true || options.privacy_level !== "SELF_ONLY") return null;
  return problemAt("brand_content_toggle", "A paid partnership must not be private: choose another privacy_level.");
});

/** As the account was when it was connected or checked; it is read once more before the upload. */
const accountTime = rule("media_error", ({ post: { options, media }, profile }) =>
  options.inbox === true ? null : tooLong(media, readKnown(profile).max_video_seconds),
);

/** https://developers.tiktok.com/doc/content-posting-api-reference-query-creator-info (2026-11) @param most null: TikTok does not say */
export function tooLong(media: readonly PlannedMedia[], most: number | null): Problem {
  const index = media.findIndex(({ duration_seconds }) => most !== null && (duration_seconds ?? 0) > most);
  if (index === -1) return null;
  return { field: `media[${index}]`, message: `TikTok accepts videos of at most ${most} s from this account.` };
}

const permissions = rule("reauthentication_required", ({ post: { options }, profile }) => {
  const { scopes, scopes_are_whole } = readKnown(profile);
  if (options.inbox !== true || !scopes_are_whole || scopes.includes(scope.upload)) return null;
  return problemAt(
    "inbox",
    `The access token does not allow drafts: reconnect the account, with the scope ${scope.upload}.`,
  );
});

export const rules = [
  privacyIsChosen,
  draftsHaveNoOptions,
  optionsOfKind,
  coverIsThere,
  coverIsInTime,
  partnershipsAreSeen,
  accountTime,
  permissions,
];
