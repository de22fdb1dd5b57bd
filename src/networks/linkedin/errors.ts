import * as z from "zod";
import { withRemedy } from "../../wire/remedy.ts";
import type { ErrorBody, ErrorRow, ErrorTable } from "../contract/errors.ts";
import { loginEnded, notReady, rateLimited, refused, stagedGone } from "../shared/error-rows.ts";

const shares = "https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares";
const posts = `${shares}/posts-api (2026-08)`;
const videos = `${shares}/videos-api (2026-08)`;
const limits = "https://learn.microsoft.com/en-us/linkedin/shared/api-guide/concepts/rate-limits (2026-08)";

/** `errorDetails` has the specific error if the top-level code is too general. */
const inputErrors = z.object({ inputErrors: z.array(z.object({ code: z.string().nullish() })).nullish() });

/** Same sources; errors of `/v2` and of the gateway have no `code`. */
const body = z
  .object({
    status: z.number().nullish(),
    code: z.string().nullish(),
    message: z.string(),
    errorDetails: inputErrors.nullish().catch(null),
  })
  .transform(({ code, message, errorDetails }): ErrorBody => {
    const inner = (errorDetails?.inputErrors ?? []).map((each) => each.code);
    const said = namedIn(message) === null ? [] : [duplicate];
    return {
      codes: [...new Set([...inner, ...said, code].filter((each) => each != null))],
      message: message.slice(0, 500),
    };
  });

const duplicate = "DUPLICATE_POST";

/** "Content is a duplicate of urn:li:share:…". URNs of other types are not posts. https://github.com/ComposioHQ/composio/issues/2710 (2026-08) */
const duplicateWords = /duplicate of (urn:li:(?:share|ugcPost|activity):\d{1,19})\b/i;

function namedIn(message: string): string | null {
  return duplicateWords.exec(message)?.[1] ?? null;
}

/** The post that a duplicate error names. Null: none. */
export function duplicateIn(answer: unknown): string | null {
  const parsed = z.object({ message: z.string() }).safeParse(answer);
  return parsed.success ? namedIn(parsed.data.message) : null;
}

const postiz =
  "https://github.com/gitroomhq/postiz-app/blob/main/libraries/nestjs-libraries/src/integrations/social/linkedin.provider.ts (2026-08)";

const rows: readonly ErrorRow[] = [
  {
    status: 422,
    code: duplicate,
    as: "rejected_by_network",
    message: "The account has posted the same text within the last minutes.",
    effect: "duplicate",
    source: `${shares}/ugc-post-api (2026-08)`,
  },
  ...files(),
  // For a comment right after its post. The post is ready within half a minute.
  ...notReady(
    { contains: "Unable to obtain activity" },
    "network_error",
    "LinkedIn is still processing the post of this comment.",
    postiz,
  ),
  ...loginEnded({ status: 401 }, "LinkedIn no longer accepts this access token: reconnect the account.", posts),
  ...permissions(),
  ...fields(),
  ...refused(
    { status: 426 },
    "internal_error",
    withRemedy("LinkedIn has ended this version of its API.", "Set apiVersion to a newer one."),
    "https://learn.microsoft.com/en-us/linkedin/marketing/versioning (2026-08)",
  ),
  ...limitsOfUse(),
];

export const errors: ErrorTable = {
  body,
  rows,
  /** A daily limit resets at midnight, UTC. How long a burst is blocked is not documented. */
  rateLimitEnd({ headers }, now) {
    if (headers.has("retry-after")) return null;
    return (Math.floor(now / dayMs) + 1) * dayMs;
  },
};

const dayMs = 86_400_000;

function files(): ErrorRow[] {
  const as = "media_error";
  return [
    notReady("MEDIA_ASSET_WAITING_UPLOAD", as, "LinkedIn is still processing a file.", videos),
    stagedGone("EXPIRED_UPLOAD_URL", as, "An upload took longer than LinkedIn allows.", videos),
    refused(
      ["MEDIA_ASSET_PROCESSING_FAILED", "UPDATING_ASSET_FAILED"],
      as,
      "LinkedIn could not process a file.",
      videos,
    ),
    refused("INVALID_VIDEO_ID", as, "LinkedIn does not have the video.", videos),
  ].flat();
}

function permissions(): ErrorRow[] {
  return [
    refused(
      { status: 403, contains: "partnerApi" },
      "unsupported",
      "LinkedIn denies this request to the app, whichever member connects: the app needs the Community Management API.",
      "https://github.com/linkedin-developers/linkedin-api-python-client/issues/47 (2026-08)",
    ),
    // A widely used tool retries this, with success.
    notReady(
      { status: 403, contains: "resource is forbidden" },
      "network_error",
      "LinkedIn rejected this temporarily.",
      postiz,
    ),
    refused(
      { status: 403, code: "ACCESS_DENIED" },
      "reauthentication_required",
      "The access token lacks a scope, or the member may no longer post for the organisation: reconnect the account.",
      posts,
    ),
  ].flat();
}

function fields(): ErrorRow[] {
  const as = "invalid_request";
  return [
    refused("FIELD_LENGTH_TOO_LONG", as, "The text is too long for LinkedIn.", posts),
    refused(
      ["MISSING_FIELD", "INVALID_VALUE_FOR_FIELD", "INVALID_VALUE_BLANK_FIELD", "ILLEGAL_ARGUMENT"],
      as,
      "LinkedIn rejected the post's content.",
      posts,
    ),
    refused(
      ["INVALID_URN_TYPE", "INVALID_URN_ID"],
      as,
      "LinkedIn does not have something that the post refers to.",
      posts,
    ),
  ].flat();
}

function limitsOfUse(): ErrorRow[] {
  return [
    // The limit of all members together. Other limits in its message are the member's own.
    ...rateLimited(
      { status: 429, contains: "throttle APPLICATION DAY" },
      "The app has reached LinkedIn's daily request limit.",
      limits,
      "app",
    ),
    ...rateLimited({ status: 429 }, "LinkedIn's limit for this account is reached.", limits),
  ];
}
