import type { ErrorRow, ErrorTable } from "../contract/errors.ts";
import { rateLimited, refused, stagedGone, type Where } from "../shared/error-rows.ts";
import { credentialRows, googleErrorBody, googleRateLimitEnd, quotaRows } from "../shared/google/errors.ts";

const general = "https://developers.google.com/youtube/data/reference/rest/v3/errors (2026-11)";
const inserting = "https://developers.google.com/youtube/v3/docs/videos/insert (2026-09)";
const comments = "https://developers.google.com/youtube/data/reference/rest/v3/commentThreads/insert (2026-11)";
const thumbnails = "https://developers.google.com/youtube/v3/docs/thumbnails/set (2026-09)";
const playlists = "https://developers.google.com/youtube/v3/docs/playlistItems/insert (2026-09)";
const resuming = "https://developers.google.com/youtube/v3/guides/using_resumable_upload_protocol (2026-09)";

function channels(): ErrorRow[] {
  const as = "profile_unavailable";
  return [
    refused(
      {
        status: 403,
        code: [
          "authenticatedUserAccountClosed",
          "authenticatedUserAccountSuspended",
          "authenticatedUserNotChannel",
          "accountDelegationForbidden",
        ],
      },
      as,
      "YouTube has disabled the channel or its account.",
      general,
    ),
    refused(
      { status: 401, code: "youtubeSignupRequired" },
      as,
      "The Google account has no YouTube channel: create one, and reconnect it.",
      general,
    ),
  ].flat();
}

/** The status of what was wrong with a request, and its reasons. */
function wrong(...code: readonly string[]): Where {
  return { status: 400, code };
}

function videos(): ErrorRow[] {
  const as = "invalid_request";
  return [
    refused(wrong("invalidTitle"), as, "YouTube rejected the title.", inserting),
    refused(wrong("invalidDescription"), as, "YouTube rejected the description.", inserting),
    refused(wrong("invalidTags"), as, "YouTube rejected the tags.", inserting),
    refused(wrong("invalidCategoryId"), as, "YouTube does not have this category for the channel.", inserting),
    refused(
      wrong(
        "invalidFilename",
        "invalidPublishAt",
        "invalidRecordingDetails",
        "invalidVideoGameRating",
        "invalidVideoMetadata",
        "defaultLanguageNotSet",
      ),
      as,
      "YouTube rejected the video's metadata.",
      inserting,
    ),
    refused(
      { status: 403, code: ["forbiddenLicenseSetting", "forbiddenPrivacySetting"] },
      as,
      "The channel is not allowed to use this licence or privacy.",
      inserting,
    ),
    refused(
      wrong("uploadLimitExceeded"),
      "rejected_by_network",
      "The channel has reached YouTube's daily upload limit: try again tomorrow.",
      "https://github.com/porjo/youtubeuploader/issues/212 (2026-07)",
    ),
    refused(wrong("mediaBodyRequired"), "media_error", "No file arrived at YouTube.", inserting),
    refused(
      wrong(
        "incompatibleParameters",
        "invalidFilters",
        "invalidPageToken",
        "missingRequiredParameter",
        "unexpectedParameter",
      ),
      "internal_error",
      "YouTube could not parse the request.",
      general,
    ),
  ].flat();
}

function commentRows(): ErrorRow[] {
  return [
    refused(
      wrong(
        "commentTextRequired",
        "commentTextTooLong",
        "invalidCustomEmoji",
        "invalidCommentMetadata",
        "invalidCommentThreadMetadata",
        "channelOrVideoIdMissing",
        "parentIdMissing",
      ),
      "invalid_request",
      "YouTube rejected the comment.",
      comments,
    ),
    refused(
      wrong("operationNotSupported", "parentCommentIsPrivate"),
      "unsupported",
      "This comment accepts no replies.",
      comments,
    ),
    {
      // By its own words mostly a wrong body, and sometimes a passing failure: what it did is looked at, then it is tried again.
      status: 400,
      code: "processingFailure",
      as: "invalid_request",
      message: "YouTube could not process the comment.",
      effect: "unknown",
      source: comments,
    } satisfies ErrorRow,
    refused(
      { status: 403, code: ["ineligibleAccount", "commentsDisabled"] },
      "rejected_by_network",
      "Comments are disabled there, or for this channel.",
      comments,
    ),
    refused(
      { status: 404, code: ["parentCommentNotFound", "videoNotFound", "channelNotFound"] },
      "rejected_by_network",
      "The video or comment that this belongs to is no longer on YouTube.",
      comments,
    ),
  ].flat();
}

function playlistRows(): ErrorRow[] {
  return [
    refused(
      { status: 404, code: "playlistNotFound" },
      "invalid_request",
      "The channel has no such playlist.",
      playlists,
    ),
    refused(
      { status: 403, code: "playlistContainsMaximumNumberOfVideos" },
      "rejected_by_network",
      "The playlist is full.",
      playlists,
    ),
  ].flat();
}

function thumbnailRows(): ErrorRow[] {
  return [
    refused(
      wrong("invalidImage", "imageFormatUnsupported", "imageTooTall", "imageTooWide", "failedPrecondition"),
      "media_error",
      "YouTube rejected the thumbnail.",
      thumbnails,
    ),
    // That it comes with 429: (unconfirmed).
    rateLimited(
      { status: 429, code: "uploadRateLimitExceeded" },
      "The channel has reached YouTube's limit of thumbnails for now.",
      thumbnails,
    ),
  ].flat();
}

function sessions(): ErrorRow[] {
  return [404, 410].flatMap((status) =>
    stagedGone({ status }, "network_error", "YouTube no longer has the upload.", resuming),
  );
}

export const errors: ErrorTable = {
  body: googleErrorBody,
  rows: [
    ...channels(),
    ...credentialRows("YouTube"),
    ...videos(),
    ...commentRows(),
    ...playlistRows(),
    ...thumbnailRows(),
    ...quotaRows("YouTube"),
    ...refused(
      { status: 403, code: "forbidden" },
      "rejected_by_network",
      "YouTube does not allow this channel to do it.",
      general,
    ),
    ...sessions(),
  ],
  rateLimitEnd: googleRateLimitEnd,
};
