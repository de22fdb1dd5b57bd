import * as z from "zod";
import type { ErrorBody, ErrorRow, ErrorTable } from "../contract/errors.ts";
import { loginEnded, rateLimited, refused, stagedGone } from "../shared/error-rows.ts";

const responses = "https://docs.x.com/x-api/fundamentals/response-codes-and-errors (2026-08)";
const openApi = "https://github.com/xdevplatform/docs/blob/main/openapi.json (2026-08)";
const rateLimits = "https://docs.x.com/x-api/fundamentals/rate-limits (2026-08)";
const chunked = "https://docs.x.com/x-api/media/quickstart/media-upload-chunked (2026-09)";
const replies =
  "https://devcommunity.x.com/t/x-api-v2-update-addressing-llm-generated-spam/257909 (2026-08), wording (unconfirmed)";
/** What one widely used tool reads in X's answers. */
const seen =
  "https://github.com/gitroomhq/postiz-app/blob/main/libraries/nestjs-libraries/src/integrations/social/x.provider.ts (2026-08), wording (unconfirmed)";

/** `errors` of a refused parameter name where it stands; the old form has a number. */
const entry = z.object({
  code: z.number().nullish(),
  message: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
});

/** Problem JSON, `{ code, message }`, or `{ errors }`. https://github.com/xdevplatform/docs/blob/main/openapi.json (2026-08) */
const body = z
  .object({
    type: z.string().nullish(),
    title: z.string().nullish(),
    detail: z.string().nullish(),
    code: z.number().nullish(),
    message: z.string().nullish(),
    errors: z.array(entry).nullish().catch(null),
  })
  .refine(({ type, title, detail, message, errors }) => [type, title, detail, message, errors?.[0]].some(Boolean))
  .transform(({ type, detail, title, code, message, errors }): ErrorBody => {
    const entries = errors ?? [];
    const fields = entries.flatMap(({ parameters }) => Object.keys(parameters ?? {}));
    const numbers = [code, ...entries.map((each) => each.code)].filter((each) => each != null);
    const said = [detail ?? message ?? title, ...entries.map((each) => each.message)].filter(Boolean);
    return {
      codes: [...fields.map(withoutRoot), ...numbers.map(String), ...problemOf(type)],
      message: [...new Set(said)].join("; ").slice(0, 500),
    };
  });

/** Body fields come as JSON paths, too: `$.media.media_ids`. https://github.com/geduldig/TwitterAPI/issues/227 (2026-08) */
function withoutRoot(field: string): string {
  return field.replace(/^\$\./, "");
}

/** The last step of the type: hosts differ by the version of the document. `about:blank` says nothing. */
function problemOf(type: string | null | undefined): string[] {
  const last = /\/problems\/([\w-]+)$/.exec(type ?? "")?.[1];
  return last === undefined ? [] : [last];
}

/** A refusal as X writes it; null: it is none. */
export function refusalIn(answer: unknown): ErrorBody | null {
  return body.safeParse(answer).data ?? null;
}

const rows: readonly ErrorRow[] = [
  {
    // Nobody says how long X remembers a text, nor which post it means.
    status: 403,
    contains: "duplicate content",
    as: "rejected_by_network",
    message: "The account has already posted this text.",
    effect: "duplicate",
    source: "https://github.com/akrherz/iembot/issues/163 (2026-08)",
  },
  ...stagedGone(
    { status: 400, code: "media.media_ids" },
    "media_error",
    "X no longer has an uploaded file, or rejects it.",
    "https://github.com/abraham/twitteroauth/issues/1222 (2026-08)",
  ),
  ...account(),
  ...files(),
  ...texts(),
  ...permissions(),
  ...limitsOfUse(),
];

export const errors: ErrorTable = {
  body,
  rows,
  rateLimitEnd({ headers }) {
    const seconds = Number(headers.get(spentLimit(headers)) ?? Number.NaN);
    // Whole seconds, perhaps rounded down.
    return Number.isFinite(seconds) && seconds > 0 ? (seconds + 1) * 1000 : null;
  },
};

/** Where the quarter of an hour has room left, the day's limit is the one that is spent. The names of those: (unconfirmed) */
const dailyLimits = ["x-user-limit-24hour", "x-app-limit-24hour"] as const;

/** https://docs.x.com/x-api/fundamentals/rate-limits (2026-08) */
function spentLimit(headers: Headers): string {
  const isSpent = (limit: string): boolean => headers.get(`${limit}-remaining`) === "0";
  const daily = dailyLimits.find(isSpent);
  return daily === undefined || isSpent("x-rate-limit") ? "x-rate-limit-reset" : `${daily}-reset`;
}

function account(): ErrorRow[] {
  return [
    loginEnded({ status: 401 }, "X no longer accepts this access token: reconnect the account.", responses),
    refused(
      { status: 403, code: "unsupported-authentication" },
      "reauthentication_required",
      "X does not accept this kind of token: reconnect the account.",
      seen,
    ),
    refused(
      { status: 403, code: "user-suspended" },
      "profile_unavailable",
      "The account is suspended or locked.",
      seen,
    ),
    refused(
      { status: 403, code: "client-forbidden" },
      "internal_error",
      "The app has no access to this at X: check the developer console.",
      responses,
    ),
    refused(
      { status: 402 },
      "internal_error",
      "The app has no credits left at X: buy some in the developer console.",
      "https://github.com/tryethernal/ethernal/issues/1324 (2026-08)",
    ),
  ].flat();
}

function files(): ErrorRow[] {
  const tooLong = "The video is longer than X accepts from this account.";
  return [
    refused({ status: 403, contains: "video longer than" }, "media_error", tooLong, chunked),
    refused({ status: 403, contains: "video duration exceeded" }, "media_error", tooLong, chunked),
    refused({ contains: "maximum of 4 items" }, "invalid_request", "X accepts at most four files.", seen),
  ].flat();
}

function texts(): ErrorRow[] {
  const as = "invalid_request";
  return [
    refused({ contains: "maximum of one cashtag" }, as, "X accepts at most one cashtag ($NAME) in a post.", seen),
    refused({ status: 400, contains: "contains an invalid URL" }, as, "X rejects a link in it.", seen),
    refused({ status: 400, code: "invalid-request" }, as, "X rejected the post's content.", responses),
  ].flat();
}

function permissions(): ErrorRow[] {
  const as = "rejected_by_network";
  return [
    refused(
      { status: 403, contains: "have not been mentioned or otherwise engaged" },
      as,
      "X rejects replies to users who have not mentioned or quoted the account.",
      replies,
    ),
    refused(
      { status: 403, contains: "not permitted to access this feature" },
      "unsupported",
      "This account's plan at X does not include that.",
      seen,
    ),
    refused(
      { status: 403, contains: "not permitted to perform this action" },
      as,
      "X does not allow the account to do this.",
      seen,
    ),
    refused(
      { status: 403, code: "not-authorized-for-resource" },
      as,
      "The referenced post is protected, or its author has blocked the account.",
      responses,
    ),
    refused(
      { status: 404, code: "resource-not-found" },
      as,
      "The post that it replies to, or the community, does not exist.",
      openApi,
    ),
  ].flat();
}

function limitsOfUse(): ErrorRow[] {
  return [
    ...refused(
      { status: 429, code: "usage-capped" },
      "internal_error",
      "The app has reached its spending limit at X: check the developer console.",
      responses,
    ),
    ...rateLimited({ status: 429 }, "X's rate limit is reached.", rateLimits),
  ];
}
