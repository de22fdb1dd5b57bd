import { readBounded } from "../../async/bounded-read.ts";
import { MediaStoreFailure } from "../store/store.ts";

/** Maximum bytes that are read of an XML response, far more than S3 sends to these requests. */
const maxAnswerBytes = 64 * 1024;

/** Statuses of failures that may pass. */
const passingStatuses = [408, 425, 429, 500, 502, 503, 504];
/**
 * Codes of failures that may pass, which some stores send with other statuses:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html (2026-11)
 */
const passingCodes = ["InternalError", "OperationAborted", "RequestTimeout", "ServiceUnavailable", "SlowDown"];

/** An error response of S3. */
export interface S3Refusal {
  status: number;
  /** `NoSuchKey`; null: the response has none, such as for a HEAD. */
  code: string | null;
}

/** The text of a response, up to the limit. */
export async function readText(response: Response, signal: AbortSignal): Promise<string> {
  const { bytes } = await readBounded(response.body, { maxBytes: maxAnswerBytes, signal });
  return new TextDecoder().decode(bytes);
}

export async function readRefusal(response: Response, signal: AbortSignal): Promise<S3Refusal> {
  return { status: response.status, code: codeIn(await readText(response, signal)) };
}

/** The error code in a response. S3 may also report with status 200 that completing an upload failed. */
export function codeIn(xml: string): string | null {
  return /<Code>([A-Za-z0-9.]{1,64})<\/Code>/.exec(xml)?.[1] ?? null;
}

export function uploadIdIn(xml: string): string | null {
  return /<UploadId>([^<&]{1,1024})<\/UploadId>/.exec(xml)?.[1] ?? null;
}

function isPassing({ status, code }: S3Refusal): boolean {
  return passingStatuses.includes(status) || (code !== null && passingCodes.includes(code));
}

/** The error for a response, with S3's code. S3's message is omitted, since it repeats parts of the request. */
export function failureOf(refusal: S3Refusal, host: string): MediaStoreFailure {
  const said = refusal.code === null ? `status ${refusal.status}` : `${refusal.code} (${refusal.status})`;
  return new MediaStoreFailure(isPassing(refusal) ? "unavailable" : "refused", `${host} returned ${said}.`);
}

/** True: neither the object nor the upload exists. A HEAD of a missing bucket looks the same. */
export function isAbsent({ status, code }: S3Refusal): boolean {
  return status === 404 && code !== "NoSuchBucket";
}
