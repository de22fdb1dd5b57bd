import * as z from "zod";
import type { PublishingCode } from "../../wire/errors.ts";
import type { ErrorRow, ErrorTable } from "../contract/errors.ts";

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

const sessionEnded = "Bluesky no longer takes this login: connect the profile again.";
const accountClosed = "This Bluesky account is closed, suspended or has moved to another server.";
const badFile = "Bluesky did not take the file.";
const serviceTrouble = "Bluesky had a problem of its own.";

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
  return `The ${what} is larger than the account's own server takes: use a smaller one.`;
}

function session(): ErrorRow[] {
  const as = "reauthentication_required";
  const badProof = {
    as: "network_error",
    message: "Bluesky asks for the request once more.",
    effect: "later",
  } as const;
  return [
    { code: "use_dpop_nonce", ...badProof, remedy: "sign_again", source: oauthProvider },
    // Its age is judged by the server's clock, which the answer tells.
    { code: "invalid_dpop_proof", ...badProof, remedy: "sign_again", source: oauthProvider },
    { code: "invalid_token", as, message: sessionEnded, effect: "later", remedy: "refresh", source: oauthProvider },
    { code: "ExpiredToken", as, message: sessionEnded, effect: "later", remedy: "refresh", source: pds },
    {
      code: "InvalidToken",
      startsWith: "Bad token",
      as,
      message: "This app password lacks a permission: make a new one and connect the profile again.",
      effect: "none",
      source: "https://github.com/bluesky-social/atproto/issues/2509 (2026-08)",
    },
    { code: "InvalidToken", as, message: sessionEnded, effect: "later", remedy: "refresh", source: pds },
    { code: "AuthMissing", as, message: sessionEnded, effect: "later", remedy: "refresh", source: pds },
    { code: "AuthenticationRequired", as, message: sessionEnded, effect: "later", remedy: "refresh", source: pds },
    {
      code: "AuthFactorTokenRequired",
      as,
      message: "The account has two-factor login: connect it with an app password.",
      effect: "none",
      source: lexicons,
    },
    {
      status: 403,
      code: "ScopeMissingError",
      as,
      message: "The login lacks a permission: connect the profile again.",
      effect: "none",
      source: "https://atproto.com/specs/permission (2026-08)",
    },
  ];
}

/** Of messages: what the account may not do there says nothing of its login. */
function chat(): ErrorRow[] {
  const none = { as: "rejected_by_network", effect: "none" } as const;
  const closed = ["MessagesDisabled", "NotFollowedBySender", "BlockedActor", "BlockedSubject", "RecipientNotFound"];
  const gone = ["InvalidConvo", "ReplyTargetNotFound"];
  const mayNot = "This login may not use messages: connect the profile again, with access to direct messages.";
  return [
    ...closed.map(
      (code): ErrorRow => ({
        code,
        ...none,
        message: "This person takes no messages from the account.",
        source: chatLexicons,
      }),
    ),
    ...gone.map(
      (code): ErrorRow => ({ code, ...none, message: "The conversation is not there any more.", source: chatLexicons }),
    ),
    { code: "ConvoLocked", ...none, message: "The conversation is locked.", source: chatLexicons },
    {
      code: "AccountSuspended",
      operation: chatOperation,
      ...none,
      message: "Bluesky lets this account, or the other one, use no messages.",
      source: chatLexicons,
    },
    {
      code: "InvalidToken",
      startsWith: "Bad token",
      operation: chatOperation,
      ...none,
      message: mayNot,
      source: "https://github.com/bluesky-social/atproto/issues/2509 (2026-08)",
    },
    {
      status: 403,
      code: "ScopeMissingError",
      operation: chatOperation,
      ...none,
      message: mayNot,
      source: "https://atproto.com/specs/permission (2026-08)",
    },
  ];
}

function accounts(): ErrorRow[] {
  const codes = [
    "AccountTakedown",
    "AccountDeactivated",
    "AccountSuspended",
    "AccountNotFound",
    "RepoNotFound",
    "RepoDeactivated",
    "RepoTakendown",
  ];
  const closed = { as: "profile_unavailable", message: accountClosed, effect: "none" } as const;
  return [
    ...codes.map((code) => ({ code, ...closed, source: code === "AccountSuspended" ? lexicons : pds })),
    // What getSession says of an account that was taken down: seen on a PDS 0.4.217 (2026-11).
    { code: "InvalidRequest", startsWith: "Could not find user info for account", ...closed, source: pds },
  ];
}

function records(): ErrorRow[] {
  return [
    {
      status: 400,
      code: "BlobNotFound",
      as: "media_error",
      message: "Bluesky no longer has the uploaded file.",
      effect: "later",
      remedy: "stage_again",
      source: pds,
    },
    { status: 400, code: "InvalidMimeType", as: "media_error", message: badFile, effect: "none", source: pds },
    { status: 400, code: "InvalidSize", as: "media_error", message: badFile, effect: "none", source: pds },
    {
      status: 400,
      code: "InvalidRequest",
      startsWith: "blob too big",
      as: "media_error",
      message: tooLarge("file"),
      effect: "none",
      source: pds,
    },
    {
      status: 413,
      code: "PayloadTooLarge",
      as: "media_error",
      message: tooLarge("file"),
      effect: "none",
      source: pds,
    },
    {
      status: 413,
      code: "PayloadTooLargeError",
      as: "invalid_request",
      message: "The post is too long.",
      effect: "none",
      source: pds,
    },
    {
      status: 400,
      code: "HandleNotFound",
      as: "invalid_request",
      message: "Bluesky knows no such handle.",
      effect: "none",
      source: lexicons,
    },
    {
      status: 400,
      code: "InvalidRequest",
      as: "invalid_request",
      message: "Bluesky did not take the post as it is.",
      effect: "none",
      source: pds,
    },
    {
      status: 400,
      code: "SyntaxError",
      as: "invalid_request",
      message: "Bluesky could not read the request.",
      effect: "none",
      source: pds,
    },
  ];
}

function videoUploads(): ErrorRow[] {
  const files = ["UnsupportedContentType", "VideoTooLarge", "VideoTooLong", "BadAspectRatio"];
  const quotas = ["DailyLimitExceeded", "TooManyOpenUploads"];
  return [
    ...files.map(
      (code): ErrorRow => ({ code, as: "media_error", message: badFile, effect: "none", source: videoLexicons }),
    ),
    ...quotas.map(
      (code): ErrorRow => ({
        code,
        as: "rejected_by_network",
        message: "The account has used up its videos for now: try again tomorrow.",
        effect: "none",
        source: videoLexicons,
      }),
    ),
    {
      code: "UploadForbidden",
      as: "rejected_by_network",
      message: "The account may not upload videos.",
      effect: "none",
      source: videoLexicons,
    },
    {
      code: "unconfirmed_email",
      as: "rejected_by_network",
      message: "The account must confirm its e-mail address before it may upload videos.",
      effect: "none",
      source: videoReport,
    },
    {
      code: "ServiceOverloaded",
      as: "network_error",
      message: "The video service is overloaded.",
      effect: "later",
      remedy: "not_ready",
      source: videoLexicons,
    },
  ];
}

function service(): ErrorRow[] {
  return [
    {
      status: 429,
      as: "network_error",
      message: "Bluesky's rate limit is reached.",
      effect: "later",
      remedy: "rate_limit",
      source: rateLimits,
    },
    // What a repeated record key looks like too: only a look tells.
    { status: 500, as: "network_error", message: serviceTrouble, effect: "unknown", source: pds },
    { status: 502, as: "network_error", message: serviceTrouble, effect: "unknown", source: pds },
    { status: 503, as: "network_error", message: serviceTrouble, effect: "unknown", source: pds },
    { status: 504, as: "timeout", message: "Bluesky did not answer in time.", effect: "unknown", source: pds },
  ];
}
