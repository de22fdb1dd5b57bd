import * as z from "zod";
import type { ErrorBody, ErrorRow, ErrorTable } from "../contract/errors.ts";
import { refused } from "../shared/error-rows.ts";
import { credentialRows, googleErrorBody, googleRateLimitEnd, quotaRows } from "../shared/google/errors.ts";

const posts =
  "https://developers.google.com/my-business/reference/rest/v4/accounts.locations.localPosts/create (2026-09)";
const setup = "https://developers.google.com/my-business/content/basic-setup (2026-09)";
const statuses = "https://cloud.google.com/apis/design/errors (2026-09)";

/** A wrong argument that is about the photo, which no code says. */
const mediaCode = "INVALID_ARGUMENT media";

/** Beside Google's own words: what v4 finds wrong stands in `details`. https://github.com/PipedreamHQ/pipedream/issues/7784 (2026-09) */
const detailsSchema = z.object({
  error: z.object({
    details: z.array(
      z.object({
        reason: z.string().nullish(),
        errorDetails: z.array(z.object({ message: z.string().nullish(), field: z.string().nullish() })).nullish(),
      }),
    ),
  }),
});

const body = z.unknown().transform((answer, context): ErrorBody => {
  const known = googleErrorBody.safeParse(answer);
  if (!known.success) {
    context.addIssue({ code: "custom", message: "not a Google error" });
    return z.NEVER;
  }
  const details = detailsSchema.safeParse(answer).data?.error.details ?? [];
  const found = details.flatMap(({ errorDetails }) => errorDetails ?? []);
  const said = found
    .flatMap(({ message }) => message || [])
    .join("; ")
    .slice(0, 500);
  const message = said || known.data.message;
  const isMedia = /\b(?:media|image|photo|picture|video)\b/i.test(
    [message, ...found.map(({ field }) => field)].join(" "),
  );
  const codes = [...details.flatMap(({ reason }) => reason || []), ...known.data.codes];
  return { codes: isMedia && codes.includes("INVALID_ARGUMENT") ? [mediaCode, ...codes] : codes, message };
});

function own(): ErrorRow[] {
  return [
    refused(
      { status: 403, code: "SERVICE_DISABLED" },
      "internal_error",
      "The app's Google Cloud project may not use the Google My Business API: its owner must enable it, once Google has approved the project.",
      setup,
    ),
    refused(
      { status: 403, code: "ACCESS_TOKEN_SCOPE_INSUFFICIENT" },
      "reauthentication_required",
      "The access token lacks the scope business.manage: reconnect the location and allow it.",
      statuses,
    ),
    refused({ status: 400, code: mediaCode }, "media_error", "Google rejected the photo.", posts),
    refused(
      { status: 400, code: ["INVALID_ARGUMENT", "badRequest"] },
      "invalid_request",
      "Google rejected the post's content.",
      posts,
    ),
    refused(
      { status: 400, code: "FAILED_PRECONDITION" },
      "rejected_by_network",
      "Google does not allow posts for this location; the location may be unverified.",
      posts,
    ),
  ].flat();
}

export const errors: ErrorTable = {
  body,
  rows: [
    ...own(),
    ...credentialRows("Google Business Profile"),
    ...quotaRows("Google Business Profile"),
    ...refused(
      { status: 403, code: "PERMISSION_DENIED" },
      "profile_unavailable",
      "The person has no permission to manage this location (any more).",
      statuses,
    ),
    ...refused(
      { status: 404, code: "NOT_FOUND" },
      "profile_unavailable",
      "The location does not exist at Google (any more).",
      statuses,
    ),
  ],
  rateLimitEnd: googleRateLimitEnd,
};
