import { withDeadline } from "../../async/deadline.ts";
import { createRedaction } from "../../outbound/redaction.ts";
import type { Clock } from "../../ports/clock.ts";
import { describeFailure } from "../../wire/describe-failure.ts";
import { MediaStoreFailure } from "../store/store.ts";
import { failureOf, readRefusal, type S3Refusal } from "./answer.ts";
import type { S3Credentials, Sign } from "./signer.ts";

/** Waits between the tries of one request, milliseconds. */
const retryWaitsMs = [500, 2_000, 8_000];

/** One try, to the last byte of what is read of its answer: a part of 8 MiB takes as long at 250 kbit/s. */
const tryMs = 300_000;

export interface S3Request {
  method: "DELETE" | "GET" | "HEAD" | "POST" | "PUT";
  url: string;
  headers?: Record<string, string>;
  body?: Uint8Array<ArrayBuffer>;
  signal?: AbortSignal | undefined;
}

export interface S3Reading<Value> {
  /** Reads a success. A stream that it returns may go on after the request's time is over. */
  success(response: Response, signal: AbortSignal): Promise<Value>;
  /** What a refusal means when it is none. @default every refusal is a failure */
  refusal?(refusal: S3Refusal): { value: Value } | null;
}

/**
 * Sends a request, and again after passing failures: it must be one that may be sent twice.
 *
 * @throws MediaStoreFailure · the signal's reason · Error when requests cannot be signed
 */
export type S3Send = <Value>(request: S3Request, reading: S3Reading<Value>) => Promise<Value>;

export interface S3Ports {
  http: typeof fetch;
  clock: Clock;
  sign: Sign;
  credentials: S3Credentials;
}

type Outcome<Value> = { value: Value } | { failure: MediaStoreFailure };

export function createSend(ports: S3Ports): S3Send {
  return async (request, reading) => {
    for (let tries = 0; ; tries++) {
      const outcome = await sendOnce(ports, request, reading);
      if ("value" in outcome) return outcome.value;
      const waitMs = retryWaitsMs[tries];
      if (outcome.failure.reason !== "unavailable" || waitMs === undefined) throw outcome.failure;
      await ports.clock.sleep(waitMs, request.signal);
    }
  };
}

async function sendOnce<Value>(
  { http, clock, sign, credentials }: S3Ports,
  { method, url, headers, body, signal }: S3Request,
  { success, refusal = () => null }: S3Reading<Value>,
): Promise<Outcome<Value>> {
  const { host } = new URL(url);
  const hash = { "x-amz-content-sha256": await sha256Of(body ?? new Uint8Array()) };
  const signed = await sign({ method, url, headers: hash });
  // The others are not signed: Node's `fetch` changes some of them.
  const sent = { ...Object.fromEntries(signed.headers), ...headers };
  const init: RequestInit = { method, headers: sent, redirect: "manual", ...(body && { body }) };
  const expired = (): Error =>
    new MediaStoreFailure("unavailable", `${host} did not respond within ${tryMs / 1000} s.`);
  try {
    return await withDeadline({ clock, timeoutMs: tryMs, expired, signal }, async (during) => {
      const response = await http(signed.url, { ...init, signal: during });
      if (response.ok) return { value: await success(response, during) };
      const refused = await readRefusal(response, during);
      return refusal(refused) ?? { failure: failureOf(refused, host) };
    });
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof MediaStoreFailure) return { failure: error };
    return { failure: brokenOff(error, { url: signed.url, headers: sent, credentials }) };
  }
}

/** Without what a host's `fetch` may put on its errors. */
function brokenOff(
  error: unknown,
  { url, headers, credentials }: { url: string; headers: Record<string, string>; credentials: S3Credentials },
): MediaStoreFailure {
  const { secretAccessKey, sessionToken = "" } = credentials;
  const cause = describeFailure(error, createRedaction({ url, headers, secrets: [secretAccessKey, sessionToken] }));
  return new MediaStoreFailure("unavailable", `The connection to ${new URL(url).host} broke off.`, { cause });
}

async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
