import { readBounded } from "../async/bounded-read.ts";
import type { NetworkResponse } from "../networks/contract/request.ts";
import type { Clock } from "../ports/clock.ts";
import { notSimulatedCode } from "../ports/simulated.ts";
import { describeFailure } from "../wire/describe-failure.ts";
import { parseNetworkJson } from "../wire/network-json.ts";
import { withRemedy } from "../wire/remedy.ts";
import { mapTexts } from "../wire/storable.ts";
import { userAgent } from "../wire/version.ts";
import type { EncodedBody } from "./body.ts";
import { allowHint, codeOf } from "./guard/errors.ts";
import type { UntrustedInit } from "./guard/guard.ts";
import { loadKy } from "./ky.ts";
import { isCertainlyNotSent } from "./not-sent.ts";
import { createRedaction } from "./redaction.ts";

/** One request and its response. */
export interface Exchange {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: EncodedBody;
  /** `fixed`: a host from the network's own data · `guarded`: a URL from a user or from a response. */
  trust: "fixed" | "guarded";
  /** Values that no message and no cause may contain, in addition to the `authorization`. */
  secrets?: readonly string[];
  /** Time limit from the call to the last byte of the response, milliseconds. */
  hardEndMs: number;
  /**
   * Runs right before the request is passed to `fetch`. With the guard, it also runs after the connection and its TLS
   * handshake, right before the first byte. The `fetch` for the networks' own hosts has no such hook.
   *
   * @throws to cancel the request, which then fails as `not_sent`
   */
  beforeSending?: () => void;
}

/** There was no response, or not a complete one. */
export class TransportFailure extends Error {
  override readonly name = "TransportFailure";
  /** `not_sent`: the request was certainly not sent · `timeout` and `unknown`: it may have taken effect. */
  readonly kind: "not_sent" | "timeout" | "unknown";

  constructor(kind: TransportFailure["kind"], message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.kind = kind;
  }
}

export interface Outbound {
  /**
   * Sends once, follows no redirect, and reads the whole response.
   *
   * @throws TransportFailure without a complete response
   */
  send(exchange: Exchange): Promise<NetworkResponse>;
  /** The time at a host, by the `Date` of its last response; our time before the first one. Milliseconds since 1970. */
  timeAt(host: string): number;
}

export interface OutboundPorts {
  /** For the networks' own hosts. */
  http: typeof fetch;
  /** For every URL from a user or from a network's response. */
  untrustedHttp: typeof fetch;
  clock: Clock;
}

/**
 * Maximum size of a response, bytes. A page of posts has some hundred kilobytes on any user's server; a hundred
 * messages of the maximum length on a network can have four times as much.
 */
const maxAnswerBytes = { guarded: 1024 * 1024, fixed: 4 * 1024 * 1024 };
/** No network's response has a dozen levels; a page of a hundred posts has about ten thousand values and keys. */
const maxAnswer = { depth: 64, values: 50_000 };

export function createOutbound(ports: OutboundPorts): Outbound {
  /** How far each host's clock is ahead of ours, milliseconds. */
  const offsets = new Map<string, number>();

  function noteTime(url: string, date: string | null): void {
    const at = Date.parse(date ?? "");
    if (Number.isFinite(at)) offsets.set(new URL(url).host, at - ports.clock.now());
  }

  return {
    timeAt: (host) => ports.clock.now() + (offsets.get(host) ?? 0),
    async send(exchange) {
      const deadline = new AbortController();
      const done = new AbortController();
      ports.clock.sleep(exchange.hardEndMs, done.signal).then(
        () => deadline.abort(new HardEnd()),
        () => undefined,
      );
      try {
        const response = await untilAborted(dispatch(exchange, ports, deadline.signal), deadline.signal);
        noteTime(exchange.url, response.headers.get("date"));
        const { status, headers } = response;
        const body = parseNetworkJson(await readAnswer(response, exchange.trust, deadline.signal), maxAnswer);
        // A success may contain new credentials, which are needed. A failure only repeats known ones.
        return { status, headers, body: status < 300 ? body : mapTexts(body, createRedaction(exchange)) };
      } catch (error) {
        // Ends what is still running, such as a file that is being read for the request.
        deadline.abort(error);
        throw transportFailure(error, exchange);
      } finally {
        done.abort("over");
        dropUnsent(exchange);
      }
    },
  };
}

/** Enforces the time limit even if a custom `fetch` ignores its signal. A later response is dropped. */
function untilAborted(work: Promise<Response>, signal: AbortSignal): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), {
      once: true,
    });
    work.then((response) => {
      if (signal.aborted) response.body?.cancel().catch(() => undefined);
      resolve(response);
    }, reject);
  });
}

/** Closes a file that was never read, which would hold its host's connection. */
function dropUnsent({ body }: Exchange): void {
  if (body === undefined || body.content instanceof Uint8Array) return;
  const { stream } = body.content;
  if (!stream.locked) stream.cancel().catch(() => undefined);
}

/**
 * Sends the request with ky. The streamed body is added last, since ky would buffer it for its retries, which are
 * disabled.
 */
async function dispatch(exchange: Exchange, ports: OutboundPorts, signal: AbortSignal): Promise<Response> {
  const ky = await loadKy().catch(callOff);
  // A `fetch` that ignores its signal would send it after the time limit.
  signal.throwIfAborted();
  const fetchOnce = exchange.trust === "fixed" ? ports.http : ports.untrustedHttp;
  const content = exchange.body?.content;
  return ky(exchange.url, {
    method: exchange.method,
    headers: {
      "user-agent": userAgent,
      accept: "application/json",
      ...exchange.headers,
      ...bodyHeaders(exchange.body),
    },
    // Retries and timeouts are done by this package, with its own clock.
    retry: 0,
    timeout: false,
    throwHttpErrors: false,
    fetch: (input) => {
      const { url, method, headers } = input as Request;
      const init: UntrustedInit = {
        method,
        headers,
        signal,
        redirect: "manual",
        ...(content === undefined ? {} : bodyOf(content)),
      };
      // A custom fetch ignores it.
      if (exchange.trust === "guarded" && exchange.beforeSending) init.beforeFirstByte = exchange.beforeSending;
      exchange.beforeSending?.();
      return fetchOnce(url, init);
    },
  });
}

/** Without ky, nothing was sent. */
function callOff(cause: unknown): never {
  throw new CalledOff("ky did not load", { cause });
}

function bodyHeaders(body: EncodedBody | undefined): Record<string, string> {
  if (body === undefined) return {};
  const length = body.content instanceof Uint8Array ? body.content.length : body.content.sizeBytes;
  return { "content-type": body.contentType, "content-length": String(length) };
}

function bodyOf(content: EncodedBody["content"]): RequestInit {
  if (content instanceof Uint8Array) return { body: content };
  return { body: content.stream, duplex: "half" };
}

async function readAnswer(response: Response, trust: Exchange["trust"], signal: AbortSignal): Promise<Uint8Array> {
  const maxBytes = maxAnswerBytes[trust];
  const { bytes, isWhole } = await readBounded(response.body, { maxBytes, signal });
  if (!isWhole) throw new Error(`the response is longer than ${maxBytes} bytes`);
  return bytes;
}

class HardEnd extends Error {
  override readonly name = "HardEnd";
}

/** The request was cancelled before it was sent; thrown by `beforeSending`. */
export class CalledOff extends Error {
  override readonly name = "CalledOff";
  /** Identifies it as the cause of another failure. */
  readonly code = "CALLED_OFF";
}

/** Determines from the error whether the request was sent. The kept cause contains no secret. */
function transportFailure(error: unknown, exchange: Exchange): TransportFailure {
  const host = new URL(exchange.url).host;
  const cause = describeFailure(error, createRedaction(exchange));
  const options = { cause };
  if (error instanceof HardEnd) {
    const message = `${host} did not respond within ${exchange.hardEndMs / 1000} s.`;
    return new TransportFailure("timeout", message, options);
  }
  if (isCertainlyNotSent(error)) {
    return new TransportFailure("not_sent", notSentMessage(host, cause), options);
  }
  return new TransportFailure("unknown", `The connection to ${host} broke off.`, options);
}

function notSentMessage(host: string, cause: Error): string {
  const refusal = refusalIn(cause);
  if (refusal !== null) return withRemedy(`${host} could not be reached (${refusal}).`, allowHint);
  const code = codeOf(cause.cause);
  if (code === "ENOTFOUND") return `The hostname ${host} did not resolve.`;
  if (code === notSimulatedCode) return `The sandbox simulates no host ${host}.`;
  return `${host} could not be reached.`;
}

/** The guard's reason for sending nothing; null: another error. */
function refusalIn({ cause }: Error): string | null {
  return cause instanceof Error && codeOf(cause) === "ADDRESS_REFUSED" ? cause.message : null;
}
