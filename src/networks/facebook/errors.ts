import type { PublishingCode } from "../../wire/errors.ts";
import type { ErrorRow, ErrorTable } from "../contract/errors.ts";
import { graphErrorBody, graphErrorRows, uploadErrorRows } from "../shared/meta/errors.ts";
import { graphLimitEnd } from "../shared/meta/usage.ts";

const errorHandling = "https://developers.facebook.com/docs/graph-api/guides/error-handling (2026-09)";
const rateLimiting = "https://developers.facebook.com/docs/graph-api/overview/rate-limiting (2026-09)";
const videosReference = "https://developers.facebook.com/docs/graph-api/reference/page/videos/ (2026-09)";
const postiz = "https://github.com/gitroomhq/postiz-app (2026-08)";
const tooFast = "https://github.com/gitroomhq/postiz-app/pull/2068 (2026-08)";

/** What requests below a post or a comment call themselves: what is not there is that, and not the Page. */
export const belowPost = "below_post";

/** The special codes stand above the general ones. `any/…` is a subcode, whatever code it comes under. */
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

/** It may be our own earlier request that Facebook means. */
function duplicates(): ErrorRow[] {
  const duplicate = (code: string, message: string, source: string): ErrorRow => ({
    code,
    as: "rejected_by_network",
    effect: "duplicate",
    message,
    source,
  });
  return [
    duplicate("506", "Facebook takes no post that says the same as the one before: change its words.", errorHandling),
    duplicate("any/1366051", "These photos are on the Page already.", postiz),
  ];
}

function contents(): ErrorRow[] {
  const as = "invalid_request";
  return [
    refused(as, "any/1609008", "Facebook takes no links to Facebook: leave the link out."),
    refused(as, "1609005", "Facebook could not read the page behind the link.", errorHandling),
    refused(as, "any/2061006", "Facebook does not take an address in the post."),
    refused(as, "any/1349125", "Facebook does not take what the post holds in this form."),
    refused("rejected_by_network", "any/1346003", "Facebook has rejected what the post says or shows."),
    refused("rejected_by_network", "any/1404102", "Facebook has rejected what the post says or shows."),
  ];
}

/** Of comments. */
function comments(): ErrorRow[] {
  const row = refused(
    "rejected_by_network",
    "100/33",
    "What is to be answered is not there any more, or not shown to the Page.",
    "https://developers.facebook.com/docs/graph-api/guides/error-handling (2026-09); that it means this below a post (unconfirmed)",
  );
  return [{ ...row, operation: belowPost }];
}

/** Of messages. */
function messages(): ErrorRow[] {
  const guide = "https://developers.facebook.com/docs/messenger-platform/send-messages (2026-09)";
  const codes = "https://developers.facebook.com/docs/messenger-platform/error-codes (2026-03)";
  const clients = `${codes}; that it means this, public clients say (unconfirmed)`;
  const closed =
    "Facebook takes no answer any more: the person has to write again first, or a person answers where the app has the feature Human Agent.";
  const unreachable = "Facebook does not deliver messages to this person.";
  return [
    refused("rejected_by_network", "any/2018278", closed, clients),
    refused("rejected_by_network", "any/1545041", unreachable, guide),
    refused("rejected_by_network", "551", unreachable, guide),
    refused("rejected_by_network", "any/2018001", unreachable, clients),
    refused("rejected_by_network", "any/2018108", unreachable, clients),
    refused("profile_unavailable", "any/1893063", "Facebook lets the Page send no messages for a time.", codes),
  ];
}

function files(): ErrorRow[] {
  const as = "media_error";
  const unread = ["351", "352", "381", "390"].map((code) =>
    refused(as, code, "Facebook could not use the video.", `${videosReference}, its family (unconfirmed)`),
  );
  return [
    refused(as, "any/1366046", "A photo is larger than the 4 MB that Facebook takes, or neither JPEG nor PNG."),
    refused(as, "any/2069019", "Facebook cannot read a file of the post."),
    refused(as, "324", "Facebook could not use a photo of the post.", `${errorHandling} (unconfirmed)`),
    refused(as, "382", "The video is too small for Facebook.", videosReference),
    refused(as, "389", "Facebook could not fetch the video.", videosReference),
    refused(as, "6000", "Facebook could not use the video: try another file.", videosReference),
    refused(as, "6001", "Facebook had trouble with the upload of the video: try again.", videosReference),
    ...unread,
  ];
}

function accounts(): ErrorRow[] {
  const unavailable = "profile_unavailable";
  return [
    refused(
      unavailable,
      "100/33",
      "Facebook does not show the Page to this login any more: connect the profile again.",
      "https://github.com/DayMoonDevelopment/post-for-me/pull/355 (2026-09)",
    ),
    refused(unavailable, "any/1404006", "Facebook wants a security check on its site first."),
    refused(unavailable, "any/1404112", "Facebook has restricted the account for some days."),
    refused(unavailable, "any/4854002", "Facebook wants the identity confirmed in its app first."),
    refused(
      "reauthentication_required",
      "any/1404078",
      "Facebook wants the Page's publishing authorization completed: do that there, then connect the profile again.",
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
    message: "Facebook had a problem of its own.",
    effect: "unknown",
    source,
  });
  // As Meta's own uploader of films reads them, for one piece.
  const pieces = ["1363019", "1363021", "1363030", "1363033", "1363041"].map((subcode) =>
    trouble(`any/${subcode}`, "https://github.com/facebook/facebook-android-sdk (2026-09), its uploader of films"),
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
  return [refused("invalid_request", "100", "Facebook did not take the post as it is.", videosReference)];
}
