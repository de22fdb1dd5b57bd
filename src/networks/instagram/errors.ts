import type { PublishingCode } from "../../wire/errors.ts";
import type { ErrorRow, ErrorTable } from "../contract/errors.ts";
import { graphErrorBody, graphErrorRows, permissionCodes, uploadErrorRows } from "../shared/meta/errors.ts";
import { containerOperation } from "../shared/meta/stage-container.ts";
import { graphLimitEnd } from "../shared/meta/usage.ts";

const errorCodes =
  "https://developers.facebook.com/documentation/instagram-platform/instagram-graph-api/reference/error-codes (2026-06)";
const mediaReference =
  "https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media (2026-09)";
const productTagging =
  "https://developers.facebook.com/documentation/instagram-platform/instagram-api-with-facebook-login/product-tagging (2026-04)";
const postiz = "https://github.com/gitroomhq/postiz-app (2026-08)";
const outage = "https://github.com/chatwoot/chatwoot/issues/14932 (2026-07)";

/** An account received this error although its post was live. */
const restrictedThoughLive = "https://github.com/gitroomhq/postiz-app/pull/1681 (2026-07)";
const restricted = "Instagram considers this spam and has restricted the account.";

const notFetched =
  "Instagram could not fetch a file. The host must respond without a redirect and with the file's Content-Type.";

/** Why a file was rejected, by the subcode, which appears in responses and in the status text of failed containers. */
export const fileFailures: Readonly<
  Record<string, { as: PublishingCode; message: string; source: string; passes?: true }>
> = {
  2207003: { as: "media_error", message: notFetched, source: errorCodes, passes: true },
  2207052: { as: "media_error", message: notFetched, source: errorCodes, passes: true },
  2207053: { as: "media_error", message: "Instagram could not read the video.", source: errorCodes, passes: true },
  2207085: { as: "media_error", message: "Instagram cannot show this video.", source: postiz },
  2207026: { as: "media_error", message: "Instagram does not accept this video format.", source: errorCodes },
  2207004: { as: "media_error", message: "The image is larger than Instagram accepts.", source: errorCodes },
  2207005: { as: "media_error", message: "Instagram accepts only JPEG images.", source: errorCodes },
  2207009: {
    as: "media_error",
    message: "The image's aspect ratio is too wide or too tall for Instagram.",
    source: errorCodes,
  },
  2207057: { as: "invalid_request", message: "thumb_offset lies outside the video.", source: errorCodes },
  2207076: { as: "media_error", message: "Instagram could not fetch the video.", source: postiz, passes: true },
  2207077: { as: "media_error", message: "Instagram could not convert the video.", source: postiz, passes: true },
  2207081: { as: "unsupported", message: "This account is not allowed to publish trial reels.", source: postiz },
  2207082: { as: "media_error", message: "Instagram could not accept the file.", source: postiz, passes: true },
};

/** The main code of each subcode in responses. Subcodes that only containers report have none. */
const underCode: Readonly<Record<string, number>> = {
  2207003: -2,
  2207052: 9004,
  2207053: -1,
  2207085: -1,
  2207026: 352,
  2207004: 36000,
  2207005: 36001,
  2207009: 36003,
  2207057: 1,
};

/** Special codes come before general ones: 4 is a rate limit, 4/2207051 a restriction. */
export const errors: ErrorTable = {
  body: graphErrorBody,
  rows: [
    ...containers(),
    ...files(),
    ...contents(),
    ...shops(),
    ...accounts(),
    ...graphErrorRows("Instagram"),
    ...uploadErrorRows("Instagram"),
    ...general(),
  ],
  rateLimitEnd: graphLimitEnd,
};

function refused(as: PublishingCode, code: string, message: string, source = errorCodes): ErrorRow {
  return { code, as, message, effect: "none", source };
}

function unknown(code: string, message: string): ErrorRow {
  return { code, as: "network_error", message, effect: "unknown", source: errorCodes };
}

function containers(): ErrorRow[] {
  const notReady = "Instagram is still processing the files.";
  const gone = "Instagram no longer stores the files of the post.";
  return [
    {
      code: "9007/2207027",
      as: "network_error",
      message: notReady,
      source: errorCodes,
      effect: "later",
      remedy: "not_ready",
    },
    {
      code: "24/2207008",
      as: "network_error",
      message: notReady,
      source: errorCodes,
      effect: "later",
      remedy: "not_ready",
    },
    {
      code: "24/2207006",
      as: "media_error",
      message: gone,
      source: errorCodes,
      effect: "later",
      remedy: "stage_again",
    },
    {
      code: "-2/2207020",
      as: "media_error",
      message: gone,
      source: errorCodes,
      effect: "later",
      remedy: "stage_again",
    },
    unknown("-1/2207001", "Instagram had an internal error."),
    unknown("-1/2207032", "Instagram could not accept the files now."),
  ];
}

function files(): ErrorRow[] {
  return Object.entries(underCode).flatMap(([subcode, code]) => {
    const failure = fileFailures[subcode];
    return failure === undefined ? [] : [refused(failure.as, `${code}/${subcode}`, failure.message, failure.source)];
  });
}

function contents(): ErrorRow[] {
  const as = "invalid_request";
  return [
    refused(as, "36004/2207010", "The caption is too long, or has too many hashtags or mentions."),
    refused(as, "100/2207023", "Instagram does not support this kind of post."),
    refused(as, "100/2207028", "A carousel has 2 to 10 files."),
    refused(as, "100/2207040", "The caption mentions more than 20 accounts."),
    {
      code: "100",
      contains: "INVALID_LOCATION_ID",
      as,
      effect: "none",
      source: mediaReference,
      message: "location_id is not the id of a Page that has a place.",
    },
  ];
}

/** Errors of shops. Without rights to a shop, an account can still publish, so these do not require a new login. */
function shops(): ErrorRow[] {
  const lacks =
    "The access token cannot tag products of the shop: it lacks a permission, or the person lacks a role in the shop's business.";
  const permissions = ["instagram_shopping_tag_products", "catalog_management"];
  return [
    refused("invalid_request", "100/2207035", "Products in a video are tagged without a position."),
    refused("invalid_request", "100/2207036", "Products in an image are tagged at a position."),
    refused(
      "invalid_request",
      "100/2207037",
      "Instagram could not add a product: it no longer exists, was rejected, or this access token may not tag it.",
    ),
    ...["10", permissionCodes].flatMap((code) =>
      permissions.map((contains): ErrorRow => ({ ...refused("unsupported", code, lacks, productTagging), contains })),
    ),
  ];
}

function accounts(): ErrorRow[] {
  return [
    {
      code: "100/33",
      as: "reauthentication_required",
      effect: "none",
      message: "This access token no longer gives access to the account: reconnect the profile.",
      source: postiz,
    },
    {
      ...refused("rejected_by_network", "4/2207051", restricted),
      operation: containerOperation,
    },
    { ...unknown("4/2207051", restricted), source: restrictedThoughLive },
    refused(
      "rejected_by_network",
      "9/2207042",
      "The account has reached Instagram's limit of posts within 24 hours: try again tomorrow.",
    ),
    refused(
      "profile_unavailable",
      "25/2207050",
      "The account is restricted, inactive, or must be confirmed at Instagram first.",
    ),
  ];
}

function general(): ErrorRow[] {
  return [
    {
      code: "100",
      startsWith: "Unsupported request - method type",
      as: "network_error",
      source: outage,
      effect: "unknown",
      message: "Instagram accepts no such requests at the moment.",
    },
    refused("invalid_request", "100", "Instagram rejected the post's content."),
    unknown("-1", "Instagram had an internal error."),
    unknown("-2", "Instagram had an internal error."),
  ];
}
