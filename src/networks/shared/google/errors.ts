import * as z from "zod";
import type { ErrorBody, ErrorRow, ErrorTable } from "../../contract/errors.ts";
import { loginEnded, rateLimited, refused } from "../error-rows.ts";

const errorBodies = "https://developers.google.com/youtube/v3/docs/core_errors (2026-09)";
const tokens = "https://developers.google.com/identity/protocols/oauth2/web-server (2026-09)";
const dailyBucket = "https://github.com/googleapis/google-api-python-client/issues/2753 (2026-05)";
const quotas = "https://developers.google.com/youtube/v3/determine_quota_cost (2026-06)";

/** A limit that is told to be one of the day; another one passes within seconds. */
const dailyLimitCode = "rateLimitExceeded per day";

/** Messages may hold HTML, and a project's whole address. */
const longestMessage = 500;

/** https://developers.google.com/youtube/v3/docs/core_errors (2026-09) */
const apiBody = z
  .object({
    error: z.object({
      message: z.string().nullish(),
      status: z.string().nullish(),
      errors: z.array(z.object({ reason: z.string().nullish(), message: z.string().nullish() })).nullish(),
    }),
  })
  .refine(({ error: { message, errors, status } }) => message != null || errors != null || status != null)
  .transform(({ error }): ErrorBody => {
    const message = plain(error.message ?? error.errors?.[0]?.message ?? "");
    const reasons = (error.errors ?? []).flatMap(({ reason }) => reason ?? []);
    const isDaily = reasons.includes("rateLimitExceeded") && message.includes("per day");
    return {
      codes: [...(isDaily ? [dailyLimitCode] : []), ...reasons, ...(error.status == null ? [] : [error.status])],
      message,
    };
  });

/** https://www.rfc-editor.org/rfc/rfc6749#section-5.2 (2026-11) */
const oauthBody = z
  .object({ error: z.string(), error_description: z.string().nullish() })
  .transform(({ error, error_description }): ErrorBody => ({ codes: [error], message: error_description ?? error }));

/** How Google's APIs write an error; its login writes it as OAuth does. */
export const googleErrorBody = z.union([apiBody, oauthBody]);

function plain(message: string): string {
  return message.slice(0, longestMessage).replace(/<[^<>]*>/g, "");
}

/** What every Google API says of tokens. */
export function credentialRows(name: string): ErrorRow[] {
  return [
    ...refused(
      { status: 403, code: "insufficientPermissions" },
      "reauthentication_required",
      `The access token lacks a permission that ${name} requires for this. Reconnect the account and allow all permissions.`,
      "https://github.com/daiki-beppu/youtube-automation/issues/2286 (2026-07)",
    ),
    ...loginEnded({ status: 401 }, "Google no longer accepts this access token: reconnect the account.", tokens),
  ];
}

/** What every Google API says of the project's quotas. */
export function quotaRows(name: string): ErrorRow[] {
  const usedUp = `The app's ${name} daily quota is used up for all its accounts; it resets at midnight in California.`;
  const noMore = `${name} accepts no more requests at the moment.`;
  const perSecond = ["userRateLimitExceeded", "rateLimitExceeded"];
  return [
    rateLimited({ status: 429, code: dailyLimitCode }, usedUp, dailyBucket, "app"),
    rateLimited({ status: 403, code: "quotaExceeded" }, usedUp, quotas, "app"),
    refused(
      { status: 403, code: ["dailyLimitExceeded", "accessNotConfigured"] },
      "internal_error",
      `The app's Google Cloud project may not use ${name}'s API: its owner must enable it, or request quota.`,
      errorBodies,
    ),
    rateLimited({ status: 403, code: perSecond }, noMore, errorBodies),
    rateLimited({ status: 429, code: perSecond }, noMore, errorBodies),
    rateLimited({ status: 429 }, noMore, errorBodies),
  ].flat();
}

/** Limits that end when the day does in California; the answer itself names no time. */
const dailyCodes: ReadonlySet<string> = new Set([dailyLimitCode, "quotaExceeded"]);

export const googleRateLimitEnd: ErrorTable["rateLimitEnd"] = ({ headers, body }, now) => {
  if (headers.has("retry-after")) return null;
  const codes = googleErrorBody.safeParse(body).data?.codes ?? [];
  return codes.some((code) => dailyCodes.has(code)) ? nextMidnightInCalifornia(now) : null;
};

const hourMs = 3_600_000;

let californianHour: Intl.DateTimeFormat | undefined;

/** When Google fills the quotas again, milliseconds. https://developers.google.com/youtube/v3/determine_quota_cost (2026-06) */
export function nextMidnightInCalifornia(now: number): number {
  const timeZone = "America/Los_Angeles";
  californianHour ??= new Intl.DateTimeFormat("en-US", { timeZone, hour: "numeric", hourCycle: "h23" });
  const hour = Math.floor(now / hourMs) * hourMs;
  // A day there has 23 to 25 hours.
  for (let ahead = 1; ahead <= 25; ahead++) {
    const at = hour + ahead * hourMs;
    if (californianHour.format(at) === "00") return at;
  }
  return hour + 25 * hourMs;
}
