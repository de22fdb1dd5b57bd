import { readBounded } from "../async/bounded-read.ts";
import { withDeadline } from "../async/deadline.ts";
import type { SentRequest } from "../inbox/hook-intake.ts";
import type { Clock } from "../ports/clock.ts";
import type { ServicePorts } from "../service-ports.ts";
import { HttpFailure } from "./answer.ts";
import { assertUnread } from "./body.ts";
import { onlyMethods } from "./match.ts";

const hookPath = /^\/hooks\/([^/]+)\/([^/]+)$/;

/** The network and app that a webhook path belongs to. */
export interface HookPlace {
  network: string;
  appId: string;
}

/** Null: the path is not a webhook's. */
export function hookPlaceOf(path: string): HookPlace | null {
  return placeIn(hookPath, path);
}

/** Null: the path does not match. */
export function placeIn(form: RegExp, path: string): HookPlace | null {
  const [, network, appId] = form.exec(path) ?? [];
  if (network === undefined || appId === undefined) return null;
  try {
    return { network, appId: decodeURIComponent(appId) };
  } catch {
    return null;
  }
}

/** Maximum size of a body, bytes: networks send up to a thousand events in one request. */
const maxBytes = 3_000_000;
/** Time limit of a response, milliseconds. Networks give up after five seconds, and resend after a 503. */
const answerWithinMs = 4_000;

type HookPorts = Pick<ServicePorts, "receiveHook" | "workInbox" | "clock" | "logger">;

/**
 * Handles a webhook. It needs no key, since the network signs it. A 200 means that it is stored; it is processed
 * afterwards.
 *
 * @param waitUntil receives that work, on platforms that freeze a process after its response
 */
export async function answerHook(
  ports: HookPorts,
  request: Request,
  { place, waitUntil }: { place: HookPlace; waitUntil?: ((work: Promise<unknown>) => void) | undefined },
): Promise<Response> {
  const { method } = request;
  if (method !== "GET" && method !== "POST") throw onlyMethods(["GET", "POST"]);
  const receipt = await inTime(ports.clock, (signal) => {
    return ports.receiveHook({ ...place, request: toSent(request, { method, maxBytes, signal }) });
  });
  if (waitUntil !== undefined) for (const id of receipt.inboxes) waitUntil(workOff(ports, id));
  if (receipt.status >= 400) ports.logger.info("a network's event was rejected", { ...place, reason: receipt.text });
  const headers = {
    "content-type": receipt.type ?? "text/plain; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  };
  return new Response(receipt.text || null, { status: receipt.status, headers });
}

/**
 * @param work gets a signal that is aborted when the time is over
 * @throws HttpFailure 503 if the work takes longer than networks wait
 */
export function inTime<Value>(clock: Clock, work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
  const expired = (): HttpFailure => failure(503, "It could not be stored in time. Send it again.");
  return withDeadline({ clock, timeoutMs: answerWithinMs, expired }, work);
}

/** The request for the adapter. Reading its body may throw HttpFailure. */
export function toSent(
  request: Request,
  { method, maxBytes, signal }: { method: "GET" | "POST"; maxBytes: number; signal: AbortSignal },
): SentRequest {
  return {
    method,
    parameters: new URL(request.url).searchParams,
    headers: request.headers,
    read: async () => (method === "GET" ? new Uint8Array() : readBody(request, { maxBytes, signal })),
  };
}

/** If it fails, the work stays due, and the worker retries it. */
async function workOff({ workInbox, logger }: HookPorts, id: string): Promise<void> {
  await workInbox(id).catch((error: unknown) =>
    logger.error("received events could not be processed immediately; the worker retries", {
      inbox: id,
      error: String(error),
    }),
  );
}

async function readBody(request: Request, options: { maxBytes: number; signal: AbortSignal }): Promise<Uint8Array> {
  assertUnread(request);
  const read = await readBounded(request.body, options);
  if (!read.isWhole) throw failure(413, `The body is larger than ${options.maxBytes} bytes.`);
  return read.bytes;
}

function failure(status: number, message: string): HttpFailure {
  return new HttpFailure({ code: status === 503 ? "internal_error" : "invalid_request", status, message });
}
