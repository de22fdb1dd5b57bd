import * as z from "zod";
import type { ErrorRow, ErrorTable } from "../contract/errors.ts";
import { notReady, rateLimited, refused } from "../shared/error-rows.ts";

const statuses = "https://docs.joinmastodon.org/methods/statuses/ (2026-07)";
const media = "https://docs.joinmastodon.org/methods/media/ (2026-07)";
const errorEntity = "https://docs.joinmastodon.org/entities/Error/ (2026-07)";
const authorized = "https://docs.joinmastodon.org/client/authorized/ (2026-07)";
const rateLimits = "https://docs.joinmastodon.org/api/rate-limits/ (2026-07)";
const locale = "https://github.com/mastodon/mastodon/blob/main/config/locales/en.yml (2026-07)";

/** No machine codes: `{ error, error_description? }`. https://docs.joinmastodon.org/entities/Error/ (2026-07) */
const plainBody = z
  .object({ error: z.string(), error_description: z.string().nullish() })
  .transform(({ error, error_description }) => ({
    codes: [],
    message: error_description ? `${error}: ${error_description}` : error,
  }));

/** Seen on a small server with the same API (2026-11). */
const issuesBody = z
  .object({ error: z.object({ issues: z.array(z.object({ message: z.string() })).min(1) }) })
  .transform(({ error }) => ({ codes: [], message: error.issues.map(({ message }) => message).join("; ") }));

/** The operation of file uploads. After an error nothing is live, because users do not see uploads. */
export const uploadOperation = "upload";

const badFile = "The instance rejected the file.";

const lacksScope = "The access token lacks a permission: reconnect the profile with the scopes read and write.";

/** Some servers translate messages. A message that no row matches is classified by its status. */
const rows: readonly ErrorRow[] = [
  refused(
    { status: 401 },
    "reauthentication_required",
    "The instance no longer accepts this access token: reconnect the profile.",
    authorized,
  ),
  refused(
    { status: 403, startsWith: "This action is outside the authorized scopes" },
    "reauthentication_required",
    lacksScope,
    "https://docs.joinmastodon.org/api/oauth-scopes/ (2026-07)",
  ),
  // Seen on two small servers with the same API (2026-11).
  ["insufficient_scope", "Forbidden: token has insufficient scope"].flatMap((startsWith) =>
    refused(
      { status: 403, startsWith },
      "reauthentication_required",
      lacksScope,
      "https://datatracker.ietf.org/doc/html/rfc6750#section-3.1 (2026-11)",
    ),
  ),
  // "currently disabled", "missing a confirmed e-mail address", "currently pending approval"
  refused(
    { status: 403, startsWith: "Your login is " },
    "profile_unavailable",
    "The account cannot be used at present.",
    authorized,
  ),
  refused(
    { status: 404, startsWith: "Record not found" },
    "rejected_by_network",
    "The account, or the post that this one replies to, no longer exists.",
    statuses,
  ),
  refused({ status: 410 }, "profile_unavailable", "The account has been deleted.", errorEntity),
  refused({ status: 413 }, "media_error", "The file is larger than the instance accepts.", media),
  files(),
  refused(
    { status: 422, startsWith: "Validation failed" },
    "invalid_request",
    "The instance rejected the post's content.",
    statuses,
  ),
  rateLimited({ status: 429 }, "The instance's rate limit is reached.", rateLimits),
].flat();

function files(): ErrorRow[] {
  return [
    {
      // An earlier request for this post used the files, or the server removed them as unused.
      status: 422,
      startsWith: "Media ",
      as: "media_error",
      message: "The uploaded files already belong to a post, or no longer exist.",
      effect: "duplicate",
      source: locale,
    },
    {
      // Seen on two small servers with the same API (2026-11).
      status: 400,
      startsWith: "media already attached",
      as: "media_error",
      message: "The uploaded files already belong to a post.",
      effect: "duplicate",
      source: media,
    },
    ...notReady(
      { status: 422, startsWith: "Cannot attach files that have not finished processing" },
      "media_error",
      "The instance is still converting the files.",
      media,
    ),
    ...refused(
      { status: 422, startsWith: "Cannot attach" },
      "invalid_request",
      "One post cannot have all these files.",
      locale,
    ),
    ...refused({ status: 422, startsWith: "Validation failed: File" }, "media_error", badFile, media),
    ...refused(
      {
        operation: uploadOperation,
        status: 500,
        startsWith: "Error processing thumbnail for uploaded media",
      },
      "media_error",
      badFile,
      media,
    ),
  ];
}

export const errors: ErrorTable = {
  body: z.union([plainBody, issuesBody]),
  rows,
  /** `X-RateLimit-Reset` holds an ISO time. There is no Retry-After, and small servers send neither. */
  rateLimitEnd(response) {
    const end = Date.parse(response.headers.get("x-ratelimit-reset") ?? "");
    return Number.isNaN(end) ? null : end;
  },
};
