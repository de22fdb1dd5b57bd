import { readBounded } from "../async/bounded-read.ts";
import type { NetworkResponse } from "../networks/contract/request.ts";
import type { Clock } from "../ports/clock.ts";
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

/** One exchange with one address. */
export interface Exchange {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: EncodedBody;
  /** `fixed`: a host that the network's own data names · `guarded`: an address that a user or an answer gave us. */
  trust: "fixed" | "guarded";
  /** Besides what its `authorization` says: what no message and no cause may repeat. */
  secrets?: readonly string[];
  /** The whole exchange, from the call to the last byte of the answer, milliseconds. */
  hardEndMs: number;
  /**
   * Runs right before the request is handed over to be sent, and through the
   * guard once more when the connection is open and its TLS handshake done, as
   * the last thing before the first byte. What a `fetch` for the networks' own
   * hosts does in between is not known here.
   *
   * @throws to call it off; the exchange then fails as `not_sent`
   */
  beforeSending?: () => void;
}

/** No answer came, or not all of it. */
export class TransportFailure extends Error {
  override readonly name = "TransportFailure";
  /** `not_sent`: the request certainly never left · `timeout` and `unknown`: it may have been acted on. */
  readonly kind: "not_sent" | "timeout" | "unknown";

  constructor(kind: TransportFailure["kind"], message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.kind = kind;
  }
}

export interface Outbound {
  /**
   * Sends once, follows no redirect, and reads the answer whole.
   *
   * @throws TransportFailure when no complete answer came
   */
  send(exchange: Exchange): Promise<NetworkResponse>;
  /** What time it is at a host, by the `Date` of its last answer; ours where it has not answered yet. Milliseconds since 1970. */
  timeAt(host: string): number;
}

export interface OutboundPorts {
  /** For the networks' own hosts. */
  http: typeof fetch;
  /** For every address that a user or a network's answer gave us. */
  untrustedHttp: typeof fetch;
  clock: Clock;
}

/**
 * How long an answer may be, bytes. A page of posts takes some hundred
 * kilobytes on a server of anybody's; a hundred messages that others wrote to
 * a network's own limits can take four times as much.
 */
const maxAnswerBytes = { guarded: 1024 * 1024, fixed: 4 * 1024 * 1024 };
/** No network's answer has a dozen levels; a page of a hundred posts has about ten thousand values and keys. */
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
        // A success may well hold credentials, as those that replace the ones in use; a refusal only repeats them.
        return { status, headers, body: status < 300 ? body : mapTexts(body, createRedaction(exchange)) };
      } catch (error) {
        // Ends what is still going on, such as a file on its way into the request.
        deadline.abort(error);
        throw transportFailure(error, exchange);
      } finally {
        done.abort("over");
        dropUnsent(exchange);
      }
    },
  };
}

/** A host's own `fetch` may ignore its signal. The hard end holds all the same, and an answer that comes later is dropped. */
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

/** A file that nobody has begun to send would keep its host's connection open. */
function dropUnsent({ body }: Exchange): void {
  if (body === undefined || body.content instanceof Uint8Array) return;
  const { stream } = body.content;
  if (!stream.locked) stream.cancel().catch(() => undefined);
}

/** ky carries the request; the streamed body is put on at the end, since ky would buffer it for retries that we do not make. */
async function dispatch(exchange: Exchange, ports: OutboundPorts, signal: AbortSignal): Promise<Response> {
  const ky = await loadKy().catch(callOff);
  // A `fetch` that ignores its signal would send it after the hard end.
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
    // Repeating and waiting are done here, by our clock.
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
      // A host's own fetch ignores it.
      if (exchange.trust === "guarded" && exchange.beforeSending) init.beforeFirstByte = exchange.beforeSending;
      exchange.beforeSending?.();
      return fetchOnce(url, init);
    },
  });
}

/** Without ky nothing has left. */
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

/** The request was called off before it left; what `beforeSending` throws. */
export class CalledOff extends Error {
  override readonly name = "CalledOff";
  /** By which it is known as the cause of another failure. */
  readonly code = "CALLED_OFF";
}

/** What became of the request is read from the error itself; what is kept of it holds no secret. */
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
  if (codeOf(cause.cause) === "ENOTFOUND") return `The hostname ${host} did not resolve.`;
  return `${host} could not be reached.`;
}

/** The guard's own message for why it sent nothing; null: it was not the guard. */
function refusalIn({ cause }: Error): string | null {
  return cause instanceof Error && codeOf(cause) === "ADDRESS_REFUSED" ? cause.message : null;
}
