import { readBounded } from "../../async/bounded-read.ts";
import { MediaStoreFailure } from "../store/store.ts";

/** What of an answer in XML is read, bytes: far more than S3 sends to what is asked here. */
const maxAnswerBytes = 64 * 1024;

/** Statuses after which the same may work in a while. */
const passingStatuses = [408, 425, 429, 500, 502, 503, 504];
/** As some stores say it with other statuses: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html (2026-11) */
const passingCodes = ["InternalError", "OperationAborted", "RequestTimeout", "ServiceUnavailable", "SlowDown"];

/** An answer of S3's that was no success. */
export interface S3Refusal {
  status: number;
  /** `NoSuchKey`; null where the answer has none, as to a HEAD. */
  code: string | null;
}

/** The text of an answer, as far as it is read. */
export async function readText(response: Response, signal: AbortSignal): Promise<string> {
  const { bytes } = await readBounded(response.body, { maxBytes: maxAnswerBytes, signal });
  return new TextDecoder().decode(bytes);
}

export async function readRefusal(response: Response, signal: AbortSignal): Promise<S3Refusal> {
  return { status: response.status, code: codeIn(await readText(response, signal)) };
}

/** S3 may also say in an answer with status 200 that completing an upload failed. */
export function codeIn(xml: string): string | null {
  return /<Code>([A-Za-z0-9.]{1,64})<\/Code>/.exec(xml)?.[1] ?? null;
}

export function uploadIdIn(xml: string): string | null {
  return /<UploadId>([^<&]{1,1024})<\/UploadId>/.exec(xml)?.[1] ?? null;
}

function isPassing({ status, code }: S3Refusal): boolean {
  return passingStatuses.includes(status) || (code !== null && passingCodes.includes(code));
}

/** Says what was refused by S3's own code. Its words are left out, since they repeat parts of the request. */
export function failureOf(refusal: S3Refusal, host: string): MediaStoreFailure {
  const said = refusal.code === null ? `status ${refusal.status}` : `${refusal.code} (${refusal.status})`;
  return new MediaStoreFailure(isPassing(refusal) ? "unavailable" : "refused", `${host} answered ${said}.`);
}

/** Neither the object nor the upload is there. To a HEAD a bucket that is missing answers the same. */
export function isAbsent({ status, code }: S3Refusal): boolean {
  return status === 404 && code !== "NoSuchBucket";
}
