import { allowHint } from "../outbound/guard/errors.ts";
import { createRedaction } from "../outbound/redaction.ts";
import { describeFailure } from "../wire/describe-failure.ts";
import { PublishingError } from "../wire/errors.ts";
import { withRemedy } from "../wire/remedy.ts";
import { shownPath } from "../wire/without-secrets.ts";

/** How a file's address appears in a message: host and path, as far as they hold no key. */
function placeOf(url: string): string {
  if (!URL.canParse(url)) return "the media URL";
  const parsed = new URL(url);
  const [host, pathname] = [parsed.host, shownPath(parsed.pathname)];
  return `${host}${pathname.length > 120 ? `${pathname.slice(0, 120)}…` : pathname}`;
}

/** @param problem what happened and what to do, as the rest of a sentence about the file */
export function mediaError(url: string, problem: string, cause?: unknown): PublishingError {
  return new PublishingError("media_error", `${placeOf(url)} ${problem}`, { cause });
}

/** A host that fails at the moment: the file may be there later. */
export function passingMediaError(url: string, problem: string, cause?: unknown): PublishingError {
  return new PublishingError("media_error", `${placeOf(url)} ${problem}`, { cause, isPassing: true });
}

/** What a transformer says of the file at an address: its message is the rest of a sentence about it. */
export function failureAt(url: string, error: PublishingError): PublishingError {
  const { code, message, isPassing } = error;
  return new PublishingError(code, `${placeOf(url)} ${message}`, { cause: error, isPassing });
}

/** Any failure while a file was read, as a `media_error` that says what to do. */
export function mediaFailure(url: string, error: unknown): PublishingError {
  if (PublishingError.is(error)) return error;
  if (!URL.canParse(url)) return mediaError(url, "is not a URL; it must start with https://");
  const secrets = [...new URL(url).searchParams.values()];
  const failure = describeFailure(error, createRedaction({ url, headers: {}, secrets }));
  const cause = error instanceof TypeError ? failure.cause : undefined;
  const code = readText(cause, "code");
  const message = readText(cause, "message");
  if (code === "ADDRESS_REFUSED" || code === "REDIRECT_REFUSED" || code === "REDIRECT_FAILED") {
    // Where a redirect leads to is not the caller's to name.
    const problem = `is not fetched: ${message}; use a public https URL`;
    return mediaError(url, code === "ADDRESS_REFUSED" ? withRemedy(problem, allowHint) : problem, failure);
  }
  if (code === "ENOTFOUND")
    return passingMediaError(url, "could not be read: the hostname did not resolve; check the address", failure);
  const reason = code === "" ? "the connection broke" : code;
  return passingMediaError(url, `could not be read (${reason}); check that the URL works from the internet`, failure);
}

/** @throws media_error unless the answer is 200 */
export function checkStatus(url: string, status: number): void {
  if (status === 200) return;
  if (status === 404 || status === 410) throw mediaError(url, `does not exist (status ${status}); check the URL`);
  if (status === 401 || status === 403) {
    throw mediaError(url, `is not public (status ${status}); use a URL that needs no login`);
  }
  const problem = `answered with status ${status} instead of a file; check the URL`;
  throw status >= 500 || status === 408 || status === 429 ? passingMediaError(url, problem) : mediaError(url, problem);
}

/** What a host has compressed although it was asked not to: its lengths and ranges are none of the file's. */
function isCompressed({ headers }: Response): boolean {
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  return encoding !== "" && encoding !== "identity";
}

/** True for the file's own bytes from `offset` on. */
export function beginsAt(response: Response, offset: number): boolean {
  const range = response.headers.get("content-range") ?? "";
  return response.status === 206 && range.startsWith(`bytes ${offset}-`) && !isCompressed(response);
}

/** The length of the file that an answer states; null when it states none. */
export function contentLength(response: Response): number | null {
  if (isCompressed(response)) return null;
  const length = response.headers.get("content-length");
  return length !== null && /^\d{1,15}$/.test(length) ? Number(length) : null;
}

/** @throws media_error for an empty file and for one over the limit */
export function checkSize(url: string, sizeBytes: number | null, maxBytes: number): void {
  if (sizeBytes === 0) throw mediaError(url, "is empty; use the URL of an image or video");
  if (sizeBytes !== null && sizeBytes > maxBytes) {
    throw mediaError(url, `is larger than ${maxBytes} bytes, the limit; use a smaller file`);
  }
}

export function cutShort(url: string, gotBytes: number, length: number): PublishingError {
  return passingMediaError(url, `was cut short: ${gotBytes} of ${length} bytes arrived; check the file and try again`);
}

function readText(value: unknown, key: "code" | "message"): string {
  const text = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  return typeof text === "string" ? text : "";
}
