import type { PublishingCode } from "../../wire/errors.ts";
import type { ErrorRow, ErrorTable } from "../contract/errors.ts";
import { graphErrorBody, graphErrorRows } from "../shared/meta/errors.ts";
import { containerOperation } from "../shared/meta/stage-container.ts";
import { graphLimitEnd } from "../shared/meta/usage.ts";

const postiz = "https://github.com/gitroomhq/postiz-app (2026-08)";
const errorHandling = "https://developers.facebook.com/docs/graph-api/guides/error-handling (2026-09)";
const attachments = "https://developers.facebook.com/documentation/threads/create-posts/text-attachments (2026-07)";
/** Taken from Meta's pages, which were not read themselves. */
const constants = "https://docs.rs/threads-rs/0.1.1/threads_rs/constants (2026-03)";
const fetching = "https://github.com/gitroomhq/postiz-app/issues/1364 (2026-08)";
/** Instagram told an account so, and the post was live; Threads shares its servers. */
const restrictedThoughLive = "https://github.com/gitroomhq/postiz-app/pull/1681 (2026-07)";
const notFetched =
  "Threads could not fetch a file. The host must respond without a redirect and with the file's Content-Type.";

/**
 * Why a container is an `ERROR`: what it says itself. `passes`: another one may not.
 * https://developers.facebook.com/docs/threads/troubleshooting (2026-08)
 */
export const fileFailures: Readonly<Record<string, { message: string; passes?: true }>> = {
  FAILED_DOWNLOADING_VIDEO: { message: notFetched, passes: true },
  FAILED_PROCESSING_AUDIO: { message: "Threads could not process the audio of the video.", passes: true },
  FAILED_PROCESSING_VIDEO: { message: "Threads could not process the video.", passes: true },
  // As it is written there.
  INVALID_ASPEC_RATIO: { message: "The video is too wide or too high for Threads." },
  INVALID_BIT_RATE: { message: "The video's bitrate is too high for Threads: 100 Mbps at most." },
  INVALID_DURATION: { message: "The video is too long for Threads: 5 minutes at most." },
  INVALID_FRAME_RATE: { message: "Threads accepts videos of 23 to 60 frames per second." },
  INVALID_AUDIO_CHANNELS: { message: "Threads accepts audio with one or two channels." },
  INVALID_AUDIO_CHANNEL_LAYOUT: { message: "Threads accepts mono or stereo audio." },
  UNKNOWN: { message: "Threads could not process a file of the post, and gives no reason.", passes: true },
};

/** The special codes stand above the general ones. */
export const errors: ErrorTable = {
  body: graphErrorBody,
  rows: [...containers(), ...contents(), ...accounts(), ...graphErrorRows("Threads"), invalid()],
  rateLimitEnd: graphLimitEnd,
};

/** Said of a container, text too, that is not seen everywhere yet, and of one that is gone: a look at it tells. */
function containers(): ErrorRow[] {
  const source = "https://github.com/gitroomhq/postiz-app/pull/2047 (2026-08)";
  return [
    {
      code: "24/4279009",
      as: "network_error",
      source,
      effect: "later",
      remedy: "not_ready",
      message: "The post is not ready at Threads yet.",
    },
    { code: "any/2207052", as: "media_error", source: fetching, effect: "none", message: notFetched },
    {
      code: "1",
      contains: "could not be fetched from this URI",
      as: "media_error",
      source: fetching,
      effect: "none",
      message: notFetched,
    },
  ];
}

function contents(): ErrorRow[] {
  const said = (contains: string, as: PublishingCode, message: string, source: string): ErrorRow => ({
    contains,
    as,
    message,
    effect: "none",
    source,
  });
  return [
    said(
      "THREADS_API__LINK_LIMIT_EXCEEDED",
      "invalid_request",
      "The post has more than 5 different links.",
      attachments,
    ),
    said(
      "THREADS_API__FEATURE_NOT_AVAILABLE",
      "unsupported",
      "Threads does not allow this account to do that, such as choosing countries.",
      constants,
    ),
    said(
      "THREADS_API__GEO_GATING_INVALID_COUNTRY_CODES",
      "invalid_request",
      "allowlisted_country_codes has a country that Threads does not support.",
      constants,
    ),
    said("text must be at most 500 characters", "invalid_request", "The text is too long for Threads.", postiz),
  ];
}

/** Which code they stand under is not said. */
function accounts(): ErrorRow[] {
  const restricted = { code: "any/2207051", message: "Threads considers this spam and has restricted the account." };
  return [
    {
      ...restricted,
      operation: containerOperation,
      as: "rejected_by_network",
      source: postiz,
      effect: "none",
    },
    { ...restricted, as: "network_error", source: restrictedThoughLive, effect: "unknown" },
    {
      code: "any/4279013",
      as: "profile_unavailable",
      source: postiz,
      effect: "none",
      message: "The account is restricted at Threads.",
    },
  ];
}

function invalid(): ErrorRow {
  return {
    code: "100",
    as: "invalid_request",
    source: errorHandling,
    effect: "none",
    message: "Threads rejected the post's content.",
  };
}
