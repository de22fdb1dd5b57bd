import * as z from "zod";
import type { PublishingCode } from "../../../wire/errors.ts";
import type { ErrorBody, ErrorRow } from "../../contract/errors.ts";

const errorHandling = "https://developers.facebook.com/docs/graph-api/guides/error-handling (2026-09)";
const rateLimiting = "https://developers.facebook.com/docs/graph-api/overview/rate-limiting (2026-09)";

/** Our common code for all missing permissions, of which there are a hundred codes. */
export const permissionCodes = "200..299";

/**
 * `{ error: { message, type, code, error_subcode, … } }`. A subcode is listed under its code, and as `any/1366046` for
 * subcodes that occur under several codes. https://developers.facebook.com/docs/graph-api/guides/error-handling
 * (2026-09)
 */
const graphBody: z.ZodType<ErrorBody> = z
  .object({
    error: z.object({
      message: z.string(),
      code: z.number(),
      error_subcode: z.number().nullish(),
      error_user_msg: z.string().nullish(),
    }),
  })
  .transform(({ error: { message, code, error_subcode, error_user_msg } }) => {
    const codes = error_subcode == null ? [] : [`${code}/${error_subcode}`, `any/${error_subcode}`];
    const isPermission = code >= 200 && code <= 299;
    const words =
      error_user_msg == null || message.includes(error_user_msg) ? message : `${message}: ${error_user_msg}`;
    return { codes: [...codes, String(code), ...(isPermission ? [permissionCodes] : [])], message: words };
  });

const uploadHelp =
  "https://developers.facebook.com/documentation/instagram-platform/content-publishing/resumable-uploads (2026-03)";
const uploadTrouble = "https://github.com/FedorMilovanov/video-channel-manager/issues/613 (2026-08)";

/** Meta could not process an uploaded video. Another upload of it may succeed. */
export const uploadFailed = "ProcessingFailedError";
/** Meta could not fetch a video from its URL. */
export const fetchFailed = "FileUrlProcessingError";
/** Our common code for all types that Meta marks as retriable. */
const retriable = "retriable";

/**
 * The upload host has its own format: `{ debug_info: { retriable, type, message } }`.
 * https://developers.facebook.com/documentation/instagram-platform/content-publishing/resumable-uploads (2026-03)
 */
const uploadBody: z.ZodType<ErrorBody> = z
  .object({
    debug_info: z.object({ retriable: z.boolean().nullish(), type: z.string(), message: z.string().nullish() }),
  })
  .transform(({ debug_info: { type, message, ...said } }) => ({
    codes: said.retriable === true ? [type, retriable] : [type],
    message: message ?? type,
  }));

/** An error body, of the Graph API or of the upload host. */
export const graphErrorBody: z.ZodType<ErrorBody> = z.union([graphBody, uploadBody]);

/** Rows for the errors of the upload host. */
export function uploadErrorRows(name: string): ErrorRow[] {
  const upload = (code: string, as: PublishingCode, message: string): ErrorRow => ({
    code,
    as,
    message,
    effect: "none",
    source: uploadHelp,
  });
  return [
    { ...upload(retriable, "network_error", `${name} could not accept the video now.`), effect: "unknown" },
    // If access has ended, the request before the next upload says so.
    {
      ...upload("NotAuthorizedError", "network_error", `${name} does not accept the video with this access token.`),
      effect: "unknown",
    },
    { ...upload(uploadFailed, "media_error", `${name} could not process the video.`), source: uploadTrouble },
    upload(fetchFailed, "media_error", `${name} could not fetch the video from its URL.`),
  ];
}

/** The codes of an error, most specific first. Empty: the body is not Meta's error. */
export function graphErrorCodes(answer: unknown): readonly string[] {
  const parsed = graphErrorBody.safeParse(answer);
  return parsed.success ? parsed.data.codes : [];
}

/** Rows for errors of every Graph API about itself, the token and the app. The rows for a network's own codes stand above them. */
export function graphErrorRows(name: string): ErrorRow[] {
  return [...tokens(name), ...permissions(name), ...limits(name), ...service(name)];
}

function row(code: string, as: PublishingCode, message: string): ErrorRow {
  return { code, as, message, effect: "none", source: errorHandling };
}

function tokens(name: string): ErrorRow[] {
  const as = "reauthentication_required";
  const again = "reconnect the profile.";
  const reasons: readonly (readonly [subcode: number, message: string])[] = [
    [458, `The account has removed the app at ${name}: ${again}`],
    [459, `${name} requires the account's owner to sign in there first; then ${again}`],
    [460, `The account's password was changed: ${again}`],
    [463, `The access token has expired: ${again}`],
    [464, `${name} requires the account's owner to confirm the account first; then ${again}`],
    [467, `${name} no longer accepts the access token: ${again}`],
    [492, `The account's owner no longer has a role on the Page: ${again}`],
    // https://github.com/MrSwitch/hello.js/issues/548 (2026-09)
    [493, `The account's owner has not used the app for 90 days: ${again}`],
  ];
  return [
    ...reasons.map(([subcode, message]) => row(`190/${subcode}`, as, message)),
    row("190", as, `${name} no longer accepts the access token: ${again}`),
    row("102", as, `${name} has ended this session: ${again}`),
  ];
}

function permissions(name: string): ErrorRow[] {
  const message = `The access token lacks a permission at ${name}: reconnect the profile and allow all permissions.`;
  return [
    row("10", "reauthentication_required", message),
    row(permissionCodes, "reauthentication_required", message),
    row("368", "rejected_by_network", `${name} has temporarily blocked the account.`),
  ];
}

function limits(name: string): ErrorRow[] {
  const limited = (code: string, scope: "profile" | "app"): ErrorRow => ({
    code,
    as: "network_error",
    message: `${name}'s rate limit is reached.`,
    effect: "later",
    remedy: "rate_limit",
    scope,
    source: rateLimiting,
  });
  return [limited("4", "app"), ...["17", "32", "613", "80002"].map((code) => limited(code, "profile"))];
}

function service(name: string): ErrorRow[] {
  const trouble = (code: string): ErrorRow => ({
    code,
    as: "network_error",
    message: `${name} had an internal error.`,
    effect: "unknown",
    source: errorHandling,
  });
  return [trouble("1"), trouble("2")];
}
