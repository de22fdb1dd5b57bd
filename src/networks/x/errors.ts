import * as z from "zod";
import type { PublishingCode } from "../../wire/errors.ts";
import type { ErrorBody, ErrorRow, ErrorTable } from "../contract/errors.ts";

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
    message: "The account has posted this text already.",
    effect: "duplicate",
    source: "https://github.com/akrherz/iembot/issues/163 (2026-08)",
  },
  {
    status: 400,
    code: "media.media_ids",
    as: "media_error",
    message: "X does not know an uploaded file any more, or refuses it.",
    effect: "later",
    remedy: "stage_again",
    source: "https://github.com/abraham/twitteroauth/issues/1222 (2026-08)",
  },
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

function refused(as: PublishingCode, message: string, row: Partial<ErrorRow> & { source: string }): ErrorRow {
  return { ...row, as, message, effect: "none" } as ErrorRow;
}

function account(): ErrorRow[] {
  return [
    {
      status: 401,
      as: "reauthentication_required",
      message: "X no longer takes this login: connect the account again.",
      effect: "later",
      remedy: "refresh",
      source: responses,
    },
    refused("reauthentication_required", "X takes no such token for this: connect the account again.", {
      status: 403,
      code: "unsupported-authentication",
      source: seen,
    }),
    refused("profile_unavailable", "The account is suspended or locked.", {
      status: 403,
      code: "user-suspended",
      source: seen,
    }),
    refused("internal_error", "The app has no access to this at X: look into the developer console.", {
      status: 403,
      code: "client-forbidden",
      source: responses,
    }),
    refused("internal_error", "The app has no credits left at X: buy some in the developer console.", {
      status: 402,
      source: "https://github.com/tryethernal/ethernal/issues/1324 (2026-08)",
    }),
  ];
}

function files(): ErrorRow[] {
  const tooLong = "The video is longer than X takes from this account.";
  return [
    refused("media_error", tooLong, { status: 403, contains: "video longer than", source: chunked }),
    refused("media_error", tooLong, { status: 403, contains: "video duration exceeded", source: chunked }),
    refused("invalid_request", "X takes at most four files.", { contains: "maximum of 4 items", source: seen }),
  ];
}

function texts(): ErrorRow[] {
  return [
    refused("invalid_request", "X takes at most one cashtag ($NAME) in a post.", {
      contains: "maximum of one cashtag",
      source: seen,
    }),
    refused("invalid_request", "X does not take a link in it.", {
      status: 400,
      contains: "contains an invalid URL",
      source: seen,
    }),
    refused("invalid_request", "X did not take the post as it is.", {
      status: 400,
      code: "invalid-request",
      source: responses,
    }),
  ];
}

function permissions(): ErrorRow[] {
  return [
    refused("rejected_by_network", "X takes no reply to somebody who has not mentioned or quoted the account.", {
      status: 403,
      contains: "have not been mentioned or otherwise engaged",
      source: replies,
    }),
    refused("unsupported", "This account's plan at X does not have that.", {
      status: 403,
      contains: "not permitted to access this feature",
      source: seen,
    }),
    refused("rejected_by_network", "X does not let the account do this.", {
      status: 403,
      contains: "not permitted to perform this action",
      source: seen,
    }),
    refused("rejected_by_network", "The post that is meant is protected, or its author has blocked the account.", {
      status: 403,
      code: "not-authorized-for-resource",
      source: responses,
    }),
    refused("rejected_by_network", "What the post names is not there: the post it replies to, or the community.", {
      status: 404,
      code: "resource-not-found",
      source: openApi,
    }),
  ];
}

function limitsOfUse(): ErrorRow[] {
  return [
    refused("internal_error", "The app has used up what it may spend at X: look into the developer console.", {
      status: 429,
      code: "usage-capped",
      source: responses,
    }),
    {
      status: 429,
      as: "network_error",
      message: "X's rate limit is reached.",
      effect: "later",
      remedy: "rate_limit",
      source: rateLimits,
    },
  ];
}
