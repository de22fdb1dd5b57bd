import type { PublishingCode } from "../../wire/errors.ts";
import type { ErrorRow, ErrorTable } from "../contract/errors.ts";
import { graphErrorBody, graphErrorRows, uploadErrorRows } from "../shared/meta/errors.ts";
import { graphLimitEnd } from "../shared/meta/usage.ts";

const errorHandling = "https://developers.facebook.com/docs/graph-api/guides/error-handling (2026-09)";
const rateLimiting = "https://developers.facebook.com/docs/graph-api/overview/rate-limiting (2026-09)";
const videosReference = "https://developers.facebook.com/docs/graph-api/reference/page/videos/ (2026-09)";
const postiz = "https://github.com/gitroomhq/postiz-app (2026-08)";
const tooFast = "https://github.com/gitroomhq/postiz-app/pull/2068 (2026-08)";

/** The operation of requests below a post or a comment. Their "not found" means that post or comment, not the Page. */
export const belowPost = "below_post";

/** Special codes come before general ones. `any/…` is a subcode under any code. */
export const errors: ErrorTable = {
  body: graphErrorBody,
  rows: [
    ...duplicates(),
    ...contents(),
    ...comments(),
    ...messages(),
    ...files(),
    ...accounts(),
    ...passing(),
    ...graphErrorRows("Facebook"),
    ...uploadErrorRows("Facebook"),
    ...general(),
  ],
  rateLimitEnd: graphLimitEnd,
};

function refused(as: PublishingCode, code: string, message: string, source = postiz): ErrorRow {
  return { code, as, message, effect: "none", source };
}

/** Duplicates. Facebook may mean our own earlier request. */
function duplicates(): ErrorRow[] {
  const duplicate = (code: string, message: string, source: string): ErrorRow => ({
    code,
    as: "rejected_by_network",
    effect: "duplicate",
    message,
    source,
  });
  return [
    duplicate("506", "Facebook rejects a post with the same text as the previous one: change the text.", errorHandling),
    duplicate("any/1366051", "The Page already has these photos.", postiz),
  ];
}

function contents(): ErrorRow[] {
  const as = "invalid_request";
  return [
    refused(as, "any/1609008", "Facebook rejects links to Facebook: leave the link out."),
    refused(as, "1609005", "Facebook could not read the page behind the link.", errorHandling),
    refused(as, "any/2061006", "Facebook rejects a URL in the post."),
    refused(as, "any/1349125", "Facebook rejects this combination of content."),
    refused("rejected_by_network", "any/1346003", "Facebook has rejected the post's content."),
    refused("rejected_by_network", "any/1404102", "Facebook has rejected the post's content."),
  ];
}

/** Errors of comments. */
function comments(): ErrorRow[] {
  const row = refused(
    "rejected_by_network",
    "100/33",
    "The message to reply to no longer exists, or the Page cannot see it.",
    "https://developers.facebook.com/docs/graph-api/guides/error-handling (2026-09); that it means this below a post (unconfirmed)",
  );
  return [{ ...row, operation: belowPost }];
}

/** Errors of messages. */
function messages(): ErrorRow[] {
  const guide = "https://developers.facebook.com/docs/messenger-platform/send-messages (2026-09)";
  const codes = "https://developers.facebook.com/docs/messenger-platform/error-codes (2026-03)";
  const clients = `${codes}; the meaning: public clients (unconfirmed)`;
  const closed =
    "Facebook's window for replies has closed: the person must write again first, or a human replies and the app has the feature Human Agent.";
  const unreachable = "Facebook does not deliver messages to this person.";
  return [
    refused("rejected_by_network", "any/2018278", closed, clients),
    refused("rejected_by_network", "any/1545041", unreachable, guide),
    refused("rejected_by_network", "551", unreachable, guide),
    refused("rejected_by_network", "any/2018001", unreachable, clients),
    refused("rejected_by_network", "any/2018108", unreachable, clients),
    refused(
      "profile_unavailable",
      "any/1893063",
      "Facebook has temporarily blocked the Page from sending messages.",
      codes,
    ),
  ];
}

function files(): ErrorRow[] {
  const as = "media_error";
  const unread = ["351", "352", "381", "390"].map((code) =>
    refused(as, code, "Facebook could not process the video.", `${videosReference}, its family (unconfirmed)`),
  );
  return [
    refused(as, "any/1366046", "A photo is larger than the 4 MB that Facebook accepts, or neither JPEG nor PNG."),
    refused(as, "any/2069019", "Facebook cannot read a file of the post."),
    refused(as, "324", "Facebook could not process a photo of the post.", `${errorHandling} (unconfirmed)`),
    refused(as, "382", "The video is too small for Facebook.", videosReference),
    refused(as, "389", "Facebook could not fetch the video.", videosReference),
    refused(as, "6000", "Facebook could not process the video: try another file.", videosReference),
    refused(as, "6001", "Facebook's upload of the video failed: try again.", videosReference),
    ...unread,
  ];
}

function accounts(): ErrorRow[] {
  const unavailable = "profile_unavailable";
  return [
    refused(
      unavailable,
      "100/33",
      "This access token no longer gives access to the Page: reconnect the profile.",
      "https://github.com/DayMoonDevelopment/post-for-me/pull/355 (2026-09)",
    ),
    refused(unavailable, "any/1404006", "Facebook requires a security check on its site first."),
    refused(unavailable, "any/1404112", "Facebook has restricted the account for some days."),
    refused(unavailable, "any/4854002", "Facebook requires an identity confirmation in its app first."),
    refused(
      "reauthentication_required",
      "any/1404078",
      "Facebook requires the Page's publishing authorization: complete it there, then reconnect the profile.",
    ),
    refused("unsupported", "3", "The app lacks the capability or permission for this call.", errorHandling),
  ];
}

function passing(): ErrorRow[] {
  const limited = (code: string, source: string, scope: "profile" | "app" = "profile"): ErrorRow => ({
    code,
    as: "network_error",
    message: "Facebook's rate limit is reached.",
    source,
    effect: "later",
    remedy: "rate_limit",
    scope,
  });
  const trouble = (code: string, source: string): ErrorRow => ({
    code,
    as: "network_error",
    message: "Facebook had an internal error.",
    effect: "unknown",
    source,
  });
  // Errors of one piece of a video, interpreted as in Meta's own uploader.
  const pieces = ["1363019", "1363021", "1363030", "1363033", "1363041"].map((subcode) =>
    trouble(`any/${subcode}`, "https://github.com/facebook/facebook-android-sdk (2026-09), its video uploader"),
  );
  return [
    limited("368/1390008", tooFast),
    limited("80001", rateLimiting),
    limited("341", errorHandling, "app"),
    trouble("any/1363047", postiz),
    trouble("any/1609010", postiz),
    ...pieces,
  ];
}

function general(): ErrorRow[] {
  return [refused("invalid_request", "100", "Facebook rejected the post's content.", videosReference)];
}
