import * as z from "zod";
import type { PublishingCode } from "../../wire/errors.ts";
import type { ErrorRow, ErrorTable } from "../contract/errors.ts";
import { loginEnded, notReady, rateLimited, refused, stagedGone, undecided } from "../shared/error-rows.ts";

const pds = "https://github.com/bluesky-social/atproto/tree/main/packages/pds (2026-08)";
const lexicons = "https://github.com/bluesky-social/atproto/tree/main/lexicons (2026-08)";
/** What an OAuth token's server says of the token, and of the proof that goes with it: seen on a PDS 0.4.217 (2026-11). */
const oauthProvider = "https://github.com/bluesky-social/atproto/tree/main/packages/oauth/oauth-provider (2026-11)";
const rateLimits = "https://docs.bsky.app/docs/advanced-guides/rate-limits (2026-08)";
const chatLexicons = "https://github.com/bluesky-social/atproto/tree/main/lexicons/chat/bsky/convo (2026-08)";
/** What requests to the service for messages are for. */
export const chatOperation = "chat";
const videoLexicons = "https://github.com/bluesky-social/atproto/tree/main/lexicons/app/bsky/video (2026-08)";
const videoReport = "https://github.com/bluesky-social/atproto/issues/3097 (2026-08)";

/** `{ error: "Name", message: "…" }`. https://atproto.com/specs/xrpc (2026-08) */
const body = z
  .object({ error: z.string(), message: z.string().nullish() })
  .transform(({ error, message }) => ({ codes: [error], message: message ?? error }));

const sessionEnded = "Bluesky no longer accepts this access token: reconnect the profile.";
const accountClosed = "This Bluesky account is closed, suspended or has moved to another server.";
const badFile = "Bluesky rejected the file.";
const serviceTrouble = "Bluesky had an internal error.";

const rows: readonly ErrorRow[] = [
  ...chat(),
  ...session(),
  ...accounts(),
  ...records(),
  ...videoUploads(),
  ...service(),
];

export const errors: ErrorTable = {
  body,
  rows,
  /** `ratelimit-reset` holds Unix seconds, rounded down: seen on a PDS 0.4.217 (2026-11). There is no Retry-After. */
  rateLimitEnd(response) {
    const seconds = Number(response.headers.get("ratelimit-reset") ?? Number.NaN);
    return Number.isFinite(seconds) && seconds > 0 ? (seconds + 1) * 1000 : null;
  },
};

/** The machine code of a refusal; null when the answer is none of theirs. */
export function errorCode(answer: unknown): string | null {
  const parsed = body.safeParse(answer);
  return parsed.success ? (parsed.data.codes[0] ?? null) : null;
}

/** Why the video service gave up on a file, by its `failureCode`; what is not listed may pass on a second try. */
export const videoFailures: Readonly<Record<string, { as: PublishingCode; message: string }>> = {
  validation_failure: { as: "media_error", message: "Bluesky could not read the video." },
  encoding_failure: { as: "media_error", message: "Bluesky could not convert the video." },
  pds_upload_unsupported_blob_size: {
    as: "media_error",
    message: tooLarge("video"),
  },
};

function tooLarge(what: string): string {
  return `The ${what} is larger than the account's own server accepts: use a smaller one.`;
}

function session(): ErrorRow[] {
  const as = "reauthentication_required";
  const badProof = {
    as: "network_error",
    message: "Bluesky asks to repeat the request.",
    effect: "later",
  } as const;
  return [
    { code: "use_dpop_nonce", ...badProof, remedy: "sign_again", source: oauthProvider },
    // Its age is judged by the server's clock, which the answer tells.
    { code: "invalid_dpop_proof", ...badProof, remedy: "sign_again", source: oauthProvider },
    ...loginEnded("invalid_token", sessionEnded, oauthProvider),
    ...loginEnded("ExpiredToken", sessionEnded, pds),
    ...refused(
      { code: "InvalidToken", startsWith: "Bad token" },
      as,
      "This app password lacks a permission: create a new one and reconnect the profile.",
      "https://github.com/bluesky-social/atproto/issues/2509 (2026-08)",
    ),
    ...loginEnded(["InvalidToken", "AuthMissing", "AuthenticationRequired"], sessionEnded, pds),
    ...refused(
      "AuthFactorTokenRequired",
      as,
      "The account uses two-factor authentication: connect it with an app password.",
      lexicons,
    ),
    ...refused(
      { status: 403, code: "ScopeMissingError" },
      as,
      "The access token lacks a permission: reconnect the profile.",
      "https://atproto.com/specs/permission (2026-08)",
    ),
  ];
}

/** Of messages: what the account may not do there says nothing of its login. */
function chat(): ErrorRow[] {
  const as = "rejected_by_network";
  const mayNot =
    "This access token has no permission for messages: reconnect the profile, with access to direct messages.";
  return [
    refused(
      ["MessagesDisabled", "NotFollowedBySender", "BlockedActor", "BlockedSubject", "RecipientNotFound"],
      as,
      "This person accepts no messages from the account.",
      chatLexicons,
    ),
    refused(["InvalidConvo", "ReplyTargetNotFound"], as, "The conversation no longer exists.", chatLexicons),
    refused("ConvoLocked", as, "The conversation is locked.", chatLexicons),
    refused(
      { code: "AccountSuspended", operation: chatOperation },
      as,
      "Bluesky has disabled messages for this account or the other one.",
      chatLexicons,
    ),
    refused(
      { code: "InvalidToken", startsWith: "Bad token", operation: chatOperation },
      as,
      mayNot,
      "https://github.com/bluesky-social/atproto/issues/2509 (2026-08)",
    ),
    refused(
      { status: 403, code: "ScopeMissingError", operation: chatOperation },
      as,
      mayNot,
      "https://atproto.com/specs/permission (2026-08)",
    ),
  ].flat();
}

function accounts(): ErrorRow[] {
  const as = "profile_unavailable";
  return [
    refused(["AccountTakedown", "AccountDeactivated"], as, accountClosed, pds),
    refused("AccountSuspended", as, accountClosed, lexicons),
    refused(["AccountNotFound", "RepoNotFound", "RepoDeactivated", "RepoTakendown"], as, accountClosed, pds),
    // What getSession says of an account that was taken down: seen on a PDS 0.4.217 (2026-11).
    refused({ code: "InvalidRequest", startsWith: "Could not find user info for account" }, as, accountClosed, pds),
  ].flat();
}

function records(): ErrorRow[] {
  return [
    stagedGone(
      { status: 400, code: "BlobNotFound" },
      "media_error",
      "Bluesky no longer stores the uploaded file.",
      pds,
    ),
    refused({ status: 400, code: ["InvalidMimeType", "InvalidSize"] }, "media_error", badFile, pds),
    refused({ status: 400, code: "InvalidRequest", startsWith: "blob too big" }, "media_error", tooLarge("file"), pds),
    refused({ status: 413, code: "PayloadTooLarge" }, "media_error", tooLarge("file"), pds),
    refused({ status: 413, code: "PayloadTooLargeError" }, "invalid_request", "The post is too long.", pds),
    refused(
      { status: 400, code: "HandleNotFound" },
      "invalid_request",
      "This handle does not exist on Bluesky.",
      lexicons,
    ),
    refused({ status: 400, code: "InvalidRequest" }, "invalid_request", "Bluesky rejected the post's content.", pds),
    refused({ status: 400, code: "SyntaxError" }, "invalid_request", "Bluesky could not read the request.", pds),
  ].flat();
}

function videoUploads(): ErrorRow[] {
  const as = "rejected_by_network";
  return [
    refused(
      ["UnsupportedContentType", "VideoTooLarge", "VideoTooLong", "BadAspectRatio"],
      "media_error",
      badFile,
      videoLexicons,
    ),
    refused(
      ["DailyLimitExceeded", "TooManyOpenUploads"],
      as,
      "The account has reached its daily video limit: try again tomorrow.",
      videoLexicons,
    ),
    refused("UploadForbidden", as, "The account is not allowed to upload videos.", videoLexicons),
    refused(
      "unconfirmed_email",
      as,
      "The account must confirm its e-mail address before it may upload videos.",
      videoReport,
    ),
    notReady("ServiceOverloaded", "network_error", "The video service is overloaded.", videoLexicons),
  ].flat();
}

function service(): ErrorRow[] {
  return [
    ...rateLimited({ status: 429 }, "Bluesky's rate limit is reached.", rateLimits),
    // What a repeated record key looks like too: only a look tells.
    ...[500, 502, 503].flatMap((status) => undecided({ status }, serviceTrouble, pds)),
    { status: 504, as: "timeout", message: "Bluesky did not respond in time.", effect: "unknown", source: pds },
  ];
}
