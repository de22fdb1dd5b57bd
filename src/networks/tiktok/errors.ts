import * as z from "zod";
import type { PublishingCode } from "../../wire/errors.ts";
import type { ErrorBody, ErrorRow, ErrorTable } from "../contract/errors.ts";

const directPost = "https://developers.tiktok.com/doc/content-posting-api-reference-direct-post (2026-11)";
const drafts = "https://developers.tiktok.com/doc/content-posting-api-reference-upload-video (2026-11)";
const photoPost = "https://developers.tiktok.com/doc/content-posting-api-reference-photo-post (2026-11)";
const transfer = "https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide (2026-11)";
const creatorInfo = "https://developers.tiktok.com/doc/content-posting-api-reference-query-creator-info (2026-11)";
const statuses = "https://developers.tiktok.com/doc/content-posting-api-reference-get-video-status (2026-11)";
const general = "https://developers.tiktok.com/doc/tiktok-api-v2-error-handling (2026-11)";

/** What requests with a file's bytes are for: their host says little else than a status. */
export const uploadOperation = "upload";

/** `{ data, error: { code, message, log_id } }`. https://developers.tiktok.com/doc/tiktok-api-v2-error-handling (2026-11) */
const apiBody = z
  .object({ error: z.object({ code: z.string(), message: z.string().nullish() }) })
  .transform(({ error: { code, message } }): ErrorBody => {
    const words = message ?? "";
    return { codes: [...codesIn(words), code], message: words === "" ? code : words };
  });

/** A general code may have the special one in its message. */
function codesIn(message: string): string[] {
  return (message.slice(0, 1_000).match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []).slice(0, 10);
}

/** Of the login alone. https://developers.tiktok.com/docs/en/oauth-refresh-a-user-access-token (2026-11) */
const loginBody = z
  .object({ error: z.string().min(1), error_description: z.string().nullish() })
  .transform(({ error, error_description }): ErrorBody => ({ codes: [error], message: error_description ?? error }));

const body = z.union([apiBody, loginBody]);

/** What an answer refuses with, the most special first; none: it says yes, or nothing. */
export function codesOf(answer: unknown): readonly string[] {
  const parsed = apiBody.safeParse(answer).data;
  return parsed === undefined || parsed.codes.at(-1) === "ok" ? [] : parsed.codes;
}

interface Listed {
  as: PublishingCode;
  message: string;
  source: string;
}

/** Refused for good. Without a status: some of these come with 200. */
function refused(row: Listed, ...codes: readonly string[]): ErrorRow[] {
  return codes.map((code) => ({ ...row, code, effect: "none" }));
}

function permissions(): ErrorRow[] {
  return [
    ...refused(
      {
        as: "reauthentication_required",
        message: "The login does not allow this: connect the account again and allow all that is asked for.",
        source: directPost,
      },
      "scope_not_authorized",
      "scope_permission_missed",
    ),
    {
      code: "access_token_invalid",
      as: "reauthentication_required",
      message: "TikTok does not take this login any more: connect the account again.",
      effect: "later",
      remedy: "refresh",
      source: directPost,
    },
    ...refused(
      {
        as: "rejected_by_network",
        message:
          "TikTok has not audited the app yet: until it has, only private accounts can post, with privacy_level SELF_ONLY.",
        source: directPost,
      },
      "unaudited_client_can_only_post_to_private_accounts",
    ),
    ...refused(
      {
        as: "rejected_by_network",
        message:
          "As many people as TikTok lets the app have in a day have posted through it: try again tomorrow, or ask TikTok for more. Connecting again does not help.",
        source: `${creatorInfo}; https://github.com/gitroomhq/postiz-app/issues/1854`,
      },
      "reached_active_user_cap",
    ),
  ];
}

function spam(): ErrorRow[] {
  const row = { as: "rejected_by_network", source: directPost } as const;
  return [
    ...refused(
      {
        ...row,
        message: "The account has posted as much as TikTok lets it in a day, by whatever app: try again tomorrow.",
      },
      "spam_risk_too_many_posts",
    ),
    ...refused({ ...row, message: "TikTok does not let this account post." }, "spam_risk_user_banned_from_posting"),
    ...refused(
      {
        ...row,
        message:
          "Five drafts wait in the account's TikTok inbox, which is all that it takes in a day: finish them first.",
        source: drafts,
      },
      "spam_risk_too_many_pending_share",
    ),
    ...refused({ ...row, message: "TikTok takes the post for spam.", source: statuses }, "spam_risk_text", "spam_risk"),
  ];
}

function requests(): ErrorRow[] {
  return [
    ...refused(
      {
        as: "invalid_request",
        message: "privacy_level is none of those that TikTok lets this account choose from.",
        source: directPost,
      },
      "privacy_level_option_mismatch",
    ),
    ...refused(
      {
        as: "media_error",
        message:
          "TikTok fetches pictures from verified hosts alone: add the service's baseUrl to the app's URL properties at developers.tiktok.com.",
        source: directPost,
      },
      "url_ownership_unverified",
    ),
    ...refused(
      {
        as: "rejected_by_network",
        message: "The TikTok app on the person's phone is too old for drafts of photos: it must be 31.8 or newer.",
        source: photoPost,
      },
      "app_version_check_failed",
    ),
    ...refused(
      { as: "media_error", message: "The file is not what TikTok was told about it.", source: general },
      "invalid_file_upload",
    ),
    ...refused(
      { as: "internal_error", message: "TikTok does not know this publication.", source: statuses },
      "invalid_publish_id",
      "token_not_authorized_for_specified_publish_id",
    ),
    ...refused(
      { as: "invalid_request", message: "TikTok did not take what the post says.", source: directPost },
      "invalid_param",
      "invalid_params",
    ),
  ];
}

function pauses(): ErrorRow[] {
  const limited = {
    as: "network_error",
    message: "TikTok takes no more requests for this account at the moment.",
    effect: "later",
    remedy: "rate_limit",
    source: general,
  } as const;
  return [
    { ...limited, code: "rate_limit_exceeded" },
    { ...limited, status: 429 },
    {
      code: "internal_error",
      as: "network_error",
      message: "TikTok had a failure of its own.",
      effect: "unknown",
      source: general,
    },
  ];
}

/**
 * An address for an upload is good for an hour, and one file. Whoever stands in between may have sent the last piece
 * twice, and hands on the second answer: so what has become of it is asked, before the file is sent anywhere again.
 */
function uploads(): ErrorRow[] {
  return [403, 404, 416].map((status) => ({
    status,
    operation: uploadOperation,
    as: "network_error",
    message: "TikTok does not take this piece of the file.",
    effect: "unknown",
    source: transfer,
  }));
}

export const errors: ErrorTable = {
  body,
  rows: [
    ...permissions(),
    ...spam(),
    ...requests(),
    ...pauses(),
    ...uploads(),
    {
      status: 401,
      as: "reauthentication_required",
      message: "TikTok does not take this login any more: connect the account again.",
      effect: "later",
      remedy: "refresh",
      source: general,
    },
  ],
  refusesWithSuccess: (answer) => codesOf(answer).length > 0,
  // No answer says when: the limits are of a minute. https://developers.tiktok.com/doc/tiktok-api-v2-error-handling (2026-11)
  rateLimitEnd: () => null,
};
