import type { PublishingCode } from "../../wire/errors.ts";
import type { ErrorRow, ErrorTable } from "../contract/errors.ts";
import { credentialRows, googleErrorBody, googleRateLimitEnd, quotaRows } from "../shared/google/errors.ts";

const general = "https://developers.google.com/youtube/data/reference/rest/v3/errors (2026-11)";
const inserting = "https://developers.google.com/youtube/v3/docs/videos/insert (2026-09)";
const comments = "https://developers.google.com/youtube/data/reference/rest/v3/commentThreads/insert (2026-11)";
const thumbnails = "https://developers.google.com/youtube/v3/docs/thumbnails/set (2026-09)";
const playlists = "https://developers.google.com/youtube/v3/docs/playlistItems/insert (2026-09)";
const resuming = "https://developers.google.com/youtube/v3/guides/using_resumable_upload_protocol (2026-09)";

interface Listed {
  status: number;
  as: PublishingCode;
  message: string;
  source: string;
}

/** Refused for good, by the reason that is given. */
function refused(row: Listed, ...codes: readonly string[]): ErrorRow[] {
  return codes.map((code) => ({ ...row, code, effect: "none" }));
}

const channelGone = "YouTube says that the channel, or the account behind it, cannot be used.";

function channels(): ErrorRow[] {
  const row = { as: "profile_unavailable", message: channelGone, source: general } as const;
  return [
    ...refused(
      { ...row, status: 403 },
      "authenticatedUserAccountClosed",
      "authenticatedUserAccountSuspended",
      "authenticatedUserNotChannel",
      "accountDelegationForbidden",
    ),
    ...refused(
      { ...row, status: 401, message: "The Google account has no YouTube channel: make one, and connect it again." },
      "youtubeSignupRequired",
    ),
  ];
}

function videos(): ErrorRow[] {
  const row = { status: 400, as: "invalid_request", source: inserting } as const;
  return [
    ...refused({ ...row, message: "YouTube did not take the title." }, "invalidTitle"),
    ...refused({ ...row, message: "YouTube did not take the description." }, "invalidDescription"),
    ...refused({ ...row, message: "YouTube did not take the tags." }, "invalidTags"),
    ...refused({ ...row, message: "YouTube does not have this category for the channel." }, "invalidCategoryId"),
    ...refused(
      { ...row, message: "YouTube did not take what the post says of the video." },
      "invalidFilename",
      "invalidPublishAt",
      "invalidRecordingDetails",
      "invalidVideoGameRating",
      "invalidVideoMetadata",
      "defaultLanguageNotSet",
    ),
    ...refused(
      { ...row, status: 403, message: "The channel may not have this licence or privacy." },
      "forbiddenLicenseSetting",
      "forbiddenPrivacySetting",
    ),
    ...refused(
      {
        status: 400,
        as: "rejected_by_network",
        message: "The channel has uploaded as many videos as YouTube lets it in a day: try again tomorrow.",
        source: "https://github.com/porjo/youtubeuploader/issues/212 (2026-07)",
      },
      "uploadLimitExceeded",
    ),
    ...refused(
      { status: 400, as: "media_error", message: "No file arrived at YouTube.", source: inserting },
      "mediaBodyRequired",
    ),
    ...refused(
      { status: 400, as: "internal_error", message: "YouTube could not make sense of the request.", source: general },
      "incompatibleParameters",
      "invalidFilters",
      "invalidPageToken",
      "missingRequiredParameter",
      "unexpectedParameter",
    ),
  ];
}

function belongings(): ErrorRow[] {
  const text = { status: 400, as: "invalid_request", message: "YouTube did not take the comment.", source: comments };
  return [
    ...refused(
      { ...text, as: "invalid_request" },
      "commentTextRequired",
      "commentTextTooLong",
      "invalidCustomEmoji",
      "invalidCommentMetadata",
      "invalidCommentThreadMetadata",
      "channelOrVideoIdMissing",
      "parentIdMissing",
    ),
    ...refused(
      { status: 400, as: "unsupported", message: "This comment cannot be answered.", source: comments },
      "operationNotSupported",
      "parentCommentIsPrivate",
    ),
    {
      // By its own words mostly a wrong body, and sometimes a passing failure: what it did is looked at, then it is tried again.
      status: 400,
      code: "processingFailure",
      as: "invalid_request",
      message: "YouTube could not process the comment.",
      effect: "unknown",
      source: comments,
    },
    ...refused(
      {
        status: 403,
        as: "rejected_by_network",
        message: "YouTube lets nobody comment there, or not this channel.",
        source: comments,
      },
      "ineligibleAccount",
      "commentsDisabled",
    ),
    ...refused(
      {
        status: 404,
        as: "rejected_by_network",
        message: "What this belongs to is not on YouTube any more.",
        source: comments,
      },
      "parentCommentNotFound",
      "videoNotFound",
      "channelNotFound",
    ),
    ...refused(
      { status: 404, as: "invalid_request", message: "The channel has no such playlist.", source: playlists },
      "playlistNotFound",
    ),
    ...refused(
      { status: 403, as: "rejected_by_network", message: "The playlist is full.", source: playlists },
      "playlistContainsMaximumNumberOfVideos",
    ),
    ...refused(
      { status: 400, as: "media_error", message: "YouTube did not take the thumbnail.", source: thumbnails },
      "invalidImage",
      "imageFormatUnsupported",
      "imageTooTall",
      "imageTooWide",
      "failedPrecondition",
    ),
    {
      status: 429,
      code: "uploadRateLimitExceeded",
      as: "network_error",
      message: "The channel has set more thumbnails than YouTube lets it at the moment.",
      effect: "later",
      remedy: "rate_limit",
      // That it comes with 429: (unconfirmed).
      source: thumbnails,
    },
  ];
}

function sessions(): ErrorRow[] {
  return [404, 410].map((status) => ({
    status,
    as: "network_error",
    message: "YouTube does not know the upload any more.",
    effect: "later",
    remedy: "stage_again",
    source: resuming,
  }));
}

export const errors: ErrorTable = {
  body: googleErrorBody,
  rows: [
    ...channels(),
    ...credentialRows("YouTube"),
    ...videos(),
    ...belongings(),
    ...quotaRows("YouTube"),
    ...refused(
      {
        status: 403,
        as: "rejected_by_network",
        message: "YouTube does not let this channel do it.",
        source: general,
      },
      "forbidden",
    ),
    ...sessions(),
  ],
  rateLimitEnd: googleRateLimitEnd,
};
