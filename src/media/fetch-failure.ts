import { allowHint } from "../outbound/guard/errors.ts";
import { createRedaction } from "../outbound/redaction.ts";
import { notSimulatedCode } from "../ports/simulated.ts";
import { describeFailure } from "../wire/describe-failure.ts";
import { PublishingError } from "../wire/errors.ts";
import { withRemedy } from "../wire/remedy.ts";
import { shownPath } from "../wire/without-secrets.ts";

/** How messages show a file's URL: its host and path, without parts that may be secret. */
function placeOf(url: string): string {
  if (!URL.canParse(url)) return "the media URL";
  const parsed = new URL(url);
  const [host, pathname] = [parsed.host, shownPath(parsed.pathname)];
  return `${host}${pathname.length > 120 ? `${pathname.slice(0, 120)}…` : pathname}`;
}

/** @param problem the problem and the remedy, as the rest of a sentence about the file */
export function mediaError(url: string, problem: string, cause?: unknown): PublishingError {
  return new PublishingError("media_error", `${placeOf(url)} ${problem}`, { cause });
}

/** The failure of a host that may recover: the file may be available later. */
export function passingMediaError(url: string, problem: string, cause?: unknown): PublishingError {
  return new PublishingError("media_error", `${placeOf(url)} ${problem}`, { cause, isPassing: true });
}

/** A transformer's error for the file at a URL: its message is the rest of a sentence about the file. */
export function failureAt(url: string, error: PublishingError): PublishingError {
  const { code, message, isPassing } = error;
  return new PublishingError(code, `${placeOf(url)} ${message}`, { cause: error, isPassing });
}

/** Converts any failure to read a file to a `media_error` with the remedy. */
export function mediaFailure(url: string, error: unknown): PublishingError {
  if (PublishingError.is(error)) return error;
  if (!URL.canParse(url)) return mediaError(url, "is not a URL; it must start with https://");
  const secrets = [...new URL(url).searchParams.values()];
  const failure = describeFailure(error, createRedaction({ url, headers: {}, secrets }));
  const cause = error instanceof TypeError ? failure.cause : undefined;
  const code = readText(cause, "code");
  const message = readText(cause, "message");
  if (code === "ADDRESS_REFUSED" || code === "REDIRECT_REFUSED" || code === "REDIRECT_FAILED") {
    // The target of a redirect is not the caller's to know.
    const problem = `is not fetched: ${message}; use a public https URL`;
    return mediaError(url, code === "ADDRESS_REFUSED" ? withRemedy(problem, allowHint) : problem, failure);
  }
  if (code === "ENOTFOUND")
    return passingMediaError(url, "could not be read: the hostname did not resolve; check the URL", failure);
  if (code === notSimulatedCode)
    return passingMediaError(
      url,
      "could not be read: the sandbox simulates no such host; use sandbox.media.put",
      failure,
    );
  const reason = code === "" ? "the connection broke" : code;
  return passingMediaError(url, `could not be read (${reason}); check that the URL works from the internet`, failure);
}

/** @throws media_error unless the status is 200 */
export function checkStatus(url: string, status: number): void {
  if (status === 200) return;
  if (status === 404 || status === 410) throw mediaError(url, `does not exist (status ${status}); check the URL`);
  if (status === 401 || status === 403) {
    throw mediaError(url, `is not public (status ${status}); use a URL that is readable without authentication`);
  }
  const problem = `returned status ${status} instead of a file; check the URL`;
  throw status >= 500 || status === 408 || status === 429 ? passingMediaError(url, problem) : mediaError(url, problem);
}

/** True: the host compressed the response although it was asked not to, so its lengths and ranges are not the file's. */
function isCompressed({ headers }: Response): boolean {
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  return encoding !== "" && encoding !== "identity";
}

/** True: the response holds the file's own bytes from `offset` on. */
export function beginsAt(response: Response, offset: number): boolean {
  const range = response.headers.get("content-range") ?? "";
  return response.status === 206 && range.startsWith(`bytes ${offset}-`) && !isCompressed(response);
}

/** The file's length as the response states it; null: not stated. */
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
  return passingMediaError(url, `was cut short: ${gotBytes} of ${length} bytes arrived; check the file and retry`);
}

function readText(value: unknown, key: "code" | "message"): string {
  const text = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  return typeof text === "string" ? text : "";
}
