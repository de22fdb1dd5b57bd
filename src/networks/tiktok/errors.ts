import * as z from "zod";
import { withRemedy } from "../../wire/remedy.ts";
import type { ErrorBody, ErrorRow, ErrorTable } from "../contract/errors.ts";
import { loginEnded, rateLimited, refused, undecided } from "../shared/error-rows.ts";

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

const ended = "TikTok no longer accepts this access token: reconnect the account.";

function permissions(): ErrorRow[] {
  const rejected = "rejected_by_network";
  return [
    refused(
      ["scope_not_authorized", "scope_permission_missed"],
      "reauthentication_required",
      "The access token does not allow this: reconnect the account and allow all permissions.",
      directPost,
    ),
    loginEnded("access_token_invalid", ended, directPost),
    refused(
      "unaudited_client_can_only_post_to_private_accounts",
      rejected,
      "TikTok has not audited the app yet: until it has, only private accounts can post, with privacy_level SELF_ONLY.",
      directPost,
    ),
    refused(
      "reached_active_user_cap",
      rejected,
      "The app has reached TikTok's limit of users per day: try again tomorrow, or ask TikTok for a higher limit. Reconnecting does not help.",
      `${creatorInfo}; https://github.com/gitroomhq/postiz-app/issues/1854`,
    ),
  ].flat();
}

function spam(): ErrorRow[] {
  const rejected = "rejected_by_network";
  return [
    refused(
      "spam_risk_too_many_posts",
      rejected,
      "The account has reached TikTok's daily limit of posts, over all apps: try again tomorrow.",
      directPost,
    ),
    refused("spam_risk_user_banned_from_posting", rejected, "TikTok does not allow this account to post.", directPost),
    refused(
      "spam_risk_too_many_pending_share",
      rejected,
      "Five drafts are waiting in the account's TikTok inbox, the limit per day: finish them first.",
      drafts,
    ),
    refused(["spam_risk_text", "spam_risk"], rejected, "TikTok considers the post spam.", statuses),
  ].flat();
}

function requests(): ErrorRow[] {
  return [
    refused(
      "privacy_level_option_mismatch",
      "invalid_request",
      "TikTok does not allow this account to use this privacy_level.",
      directPost,
    ),
    refused(
      "url_ownership_unverified",
      "media_error",
      withRemedy(
        "TikTok fetches images from verified hosts only, and this service's host is not verified.",
        "Add the service's baseUrl to the app's URL properties at developers.tiktok.com.",
      ),
      directPost,
    ),
    refused(
      "app_version_check_failed",
      "rejected_by_network",
      "The TikTok app on the person's phone is too old for drafts of photos: it must be 31.8 or newer.",
      photoPost,
    ),
    refused("invalid_file_upload", "media_error", "The file does not match the announced size or type.", general),
    refused(
      ["invalid_publish_id", "token_not_authorized_for_specified_publish_id"],
      "internal_error",
      "TikTok does not have this publication.",
      statuses,
    ),
    refused(["invalid_param", "invalid_params"], "invalid_request", "TikTok rejected the post's content.", directPost),
  ].flat();
}

function pauses(): ErrorRow[] {
  const limited = "TikTok accepts no more requests for this account at the moment.";
  return [
    rateLimited("rate_limit_exceeded", limited, general),
    rateLimited({ status: 429 }, limited, general),
    undecided("internal_error", "TikTok had an internal error.", general),
  ].flat();
}

/**
 * An address for an upload is good for an hour, and one file. Whoever stands in between may have sent the last piece
 * twice, and hands on the second answer: so what has become of it is asked, before the file is sent anywhere again.
 */
function uploads(): ErrorRow[] {
  return [403, 404, 416].flatMap((status) =>
    undecided({ status, operation: uploadOperation }, "TikTok rejects this chunk of the file.", transfer),
  );
}

export const errors: ErrorTable = {
  body,
  rows: [
    ...permissions(),
    ...spam(),
    ...requests(),
    ...pauses(),
    ...uploads(),
    ...loginEnded({ status: 401 }, ended, general),
  ],
  refusesWithSuccess: (answer) => codesOf(answer).length > 0,
  // No answer says when: the limits are of a minute. https://developers.tiktok.com/doc/tiktok-api-v2-error-handling (2026-11)
  rateLimitEnd: () => null,
};
