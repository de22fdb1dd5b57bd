import * as z from "zod";
import type { PublishingCode } from "../../wire/errors.ts";
import type { ErrorBody, ErrorRow, ErrorTable } from "../contract/errors.ts";

const shares = "https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares";
const posts = `${shares}/posts-api (2026-08)`;
const videos = `${shares}/videos-api (2026-08)`;
const limits = "https://learn.microsoft.com/en-us/linkedin/shared/api-guide/concepts/rate-limits (2026-08)";

/** `errorDetails` names what is wrong where the code at the top says little. */
const inputErrors = z.object({ inputErrors: z.array(z.object({ code: z.string().nullish() })).nullish() });

/** Same sources; `/v2` and refusals of the gateway have no `code`. */
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

/** "Content is a duplicate of urn:li:share:…": another kind of name is no post. https://github.com/ComposioHQ/composio/issues/2710 (2026-08) */
const duplicateWords = /duplicate of (urn:li:(?:share|ugcPost|activity):\d{1,19})\b/i;

function namedIn(message: string): string | null {
  return duplicateWords.exec(message)?.[1] ?? null;
}

/** The post that a refusal as a duplicate names; null: none. */
export function duplicateIn(answer: unknown): string | null {
  const parsed = z.object({ message: z.string() }).safeParse(answer);
  return parsed.success ? namedIn(parsed.data.message) : null;
}

function refused(
  code: string | { status: number; contains?: string },
  as: PublishingCode,
  message: string,
  source = posts,
): ErrorRow {
  return { ...(typeof code === "string" ? { code } : code), as, message, effect: "none", source };
}

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
  {
    // A comment right behind its post. Within half a minute it is there.
    contains: "Unable to obtain activity",
    as: "network_error",
    message: "LinkedIn is not done with the post that the comment belongs to.",
    effect: "later",
    remedy: "not_ready",
    source:
      "https://github.com/gitroomhq/postiz-app/blob/main/libraries/nestjs-libraries/src/integrations/social/linkedin.provider.ts (2026-08)",
  },
  ...tokens(),
  ...permissions(),
  ...fields(),
  {
    status: 426,
    as: "internal_error",
    message: "LinkedIn has ended this version of its API: set apiVersion to a newer one.",
    effect: "none",
    source: "https://learn.microsoft.com/en-us/linkedin/marketing/versioning (2026-08)",
  },
  ...limitsOfUse(),
];

export const errors: ErrorTable = {
  body,
  rows,
  /** What a day allows is there again at midnight, UTC; for how long a burst is held back nobody says. */
  rateLimitEnd({ headers }, now) {
    if (headers.has("retry-after")) return null;
    return (Math.floor(now / dayMs) + 1) * dayMs;
  },
};

const dayMs = 86_400_000;

function files(): ErrorRow[] {
  return [
    {
      code: "MEDIA_ASSET_WAITING_UPLOAD",
      as: "media_error",
      message: "LinkedIn is still working on a file.",
      effect: "later",
      remedy: "not_ready",
      source: videos,
    },
    {
      code: "EXPIRED_UPLOAD_URL",
      as: "media_error",
      message: "An upload took longer than LinkedIn waits.",
      effect: "later",
      remedy: "stage_again",
      source: videos,
    },
    refused("MEDIA_ASSET_PROCESSING_FAILED", "media_error", "LinkedIn could not use a file.", videos),
    refused("UPDATING_ASSET_FAILED", "media_error", "LinkedIn could not use a file.", videos),
    refused("INVALID_VIDEO_ID", "media_error", "LinkedIn does not know the video.", videos),
  ];
}

function tokens(): ErrorRow[] {
  return [
    {
      status: 401,
      as: "reauthentication_required",
      message: "LinkedIn no longer takes this login: connect the account again.",
      effect: "later",
      remedy: "refresh",
      source: posts,
    },
  ];
}

function permissions(): ErrorRow[] {
  return [
    refused(
      { status: 403, contains: "partnerApi" },
      "unsupported",
      "The app has no access to this at LinkedIn, whoever logs in: it takes the Community Management API.",
      "https://github.com/linkedin-developers/linkedin-api-python-client/issues/47 (2026-08)",
    ),
    {
      // One widely used tool repeats it, and gets through.
      status: 403,
      contains: "resource is forbidden",
      as: "network_error",
      message: "LinkedIn refuses what it usually allows a little later.",
      effect: "later",
      remedy: "not_ready",
      source:
        "https://github.com/gitroomhq/postiz-app/blob/main/libraries/nestjs-libraries/src/integrations/social/linkedin.provider.ts (2026-08)",
    },
    {
      ...refused(
        "ACCESS_DENIED",
        "reauthentication_required",
        "The login lacks a scope, or the member may not post for the organisation any more: connect the account again.",
      ),
      status: 403,
    },
  ];
}

function fields(): ErrorRow[] {
  const wrong = "LinkedIn did not take the post as it is.";
  return [
    refused("FIELD_LENGTH_TOO_LONG", "invalid_request", "The text is too long for LinkedIn."),
    refused("MISSING_FIELD", "invalid_request", wrong),
    refused("INVALID_VALUE_FOR_FIELD", "invalid_request", wrong),
    refused("INVALID_VALUE_BLANK_FIELD", "invalid_request", wrong),
    refused("ILLEGAL_ARGUMENT", "invalid_request", wrong),
    refused("INVALID_URN_TYPE", "invalid_request", "LinkedIn does not know something that the post names."),
    refused("INVALID_URN_ID", "invalid_request", "LinkedIn does not know something that the post names."),
  ];
}

function limitsOfUse(): ErrorRow[] {
  const common = { status: 429, as: "network_error", effect: "later", remedy: "rate_limit" } as const;
  return [
    {
      ...common,
      // Of all members together; what it names beside is the member's own.
      contains: "throttle APPLICATION DAY",
      scope: "app",
      message: "The app has used up what LinkedIn takes of it in a day.",
      source: limits,
    },
    { ...common, message: "LinkedIn's limit for this account is reached.", source: limits },
  ];
}
