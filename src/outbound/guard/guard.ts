import type { Agent, ClientRequest, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Clock } from "../../ports/clock.ts";
import { connect, connectTimeout, openWithin } from "./connect.ts";
import { codeOf, fetchFailed, guardError, refused } from "./errors.ts";
import { createKeepingAgent, keptBy } from "./keep.ts";
import { type Outgoing, readRequest, redirected, redirectLocation, sentChunks } from "./request.ts";
import { createResolve } from "./resolve.ts";
import { toResponse } from "./response.ts";
import { namesIn, type Resolve, readAllowList, vetUrl } from "./target.ts";

/** How long looking the name up, connecting and the TLS handshake may take together. */
const connectTimeoutMs = 5_000;

export interface UntrustedHttpOptions {
  clock: Clock;
  /**
   * Looks a name up: all its addresses, in the order to try them.
   * @default the hosts file and the machine's DNS servers; names in `allow` as the machine looks them up
   */
  resolve?: Resolve;
  /**
   * Places that may be reached although they are not public: each entry is
   * `host:port`, for example `localhost:3000` or `10.0.0.7:8443`. It stands for
   * URLs with exactly this host and port, by https or by plain http; their
   * addresses are not vetted. It allows no other name of the same machine.
   * @default none
   */
  allow?: readonly string[];
  /**
   * True: a connection is kept for the next request to the same place, for some
   * seconds. The other side may close it at any moment; a request that finds it
   * closed is sent again on a new one. So only for requests that may come twice.
   * @default false
   */
  keepConnections?: boolean;
}

/** A `fetch` that can be called off when the connection is open and nothing has been sent yet. */
export type UntrustedHttp = (input: Parameters<typeof fetch>[0], init?: UntrustedInit) => Promise<Response>;

export interface UntrustedInit extends RequestInit {
  /**
   * Runs after the look-up, the connection and the TLS handshake, right before
   * the request's first byte; again if it is sent again, not for redirects.
   *
   * @throws to call the request off; the cause of the failure is what it threw
   */
  beforeFirstByte?: (() => void) | undefined;
}

/**
 * Makes the `fetch` for every address that a user, or a network's answer, gave
 * us. It reaches public addresses only, by https on port 443 only; a name is
 * looked up once and refused if any of its addresses is not public, and the
 * connection goes to the addresses that were vetted. Proxy settings in the
 * environment are not read.
 *
 * Unlike the global `fetch`: `redirect` is `manual` unless `init` (or a
 * `Request` that was passed) says otherwise; `follow` goes at most 3 hops, each
 * vetted again, never from https to http. `init.signal` covers everything to
 * the last byte of the answer's body. A body that is not read holds its
 * connection: read or cancel it.
 *
 * @throws the signal's reason when it is aborted; else `TypeError("fetch
 *   failed")`, whose `cause.code` is `ADDRESS_REFUSED` (the message names the
 *   class, never an address), `CONNECT_TIMEOUT` (5 s), `REDIRECT_REFUSED`,
 *   `REDIRECT_FAILED`, or Node's own. Nothing was sent when it is one of the
 *   first two.
 */
export function createUntrustedHttp(options: UntrustedHttpOptions): UntrustedHttp {
  const { clock } = options;
  const allow = readAllowList(options.allow ?? []);
  const rules = { resolve: options.resolve ?? createResolve({ clock, ownNames: namesIn(allow) }), allow };
  const agent = options.keepConnections === true ? createKeepingAgent(open) : null;

  return async (input, init) => {
    const given = input instanceof Request ? input : null;
    const signal = init?.signal ?? given?.signal;
    const redirect = init?.redirect ?? given?.redirect ?? "manual";
    let unsent: unknown = init?.body;
    const held: Held = [];
    try {
      const url = parseUrl(given?.url ?? String(input));
      const outgoing = await readRequest(given, init);
      unsent = outgoing.body;
      return await exchange(url, outgoing, { redirect, held, stops: { signal, check: init?.beforeFirstByte } });
    } catch (error) {
      for (const each of held) each.destroy();
      // One that is being sent is cancelled by its sender.
      if (unsent instanceof ReadableStream && !unsent.locked) unsent.cancel(error).catch(() => {});
      signal?.throwIfAborted();
      throw fetchFailed(error);
    }
  };

  /** Sends a request, and goes where its answer redirects to, as far as `redirect` lets it. */
  async function exchange(firstUrl: URL, first: Outgoing, { redirect, held, stops }: Exchange): Promise<Response> {
    let [url, outgoing, line] = [firstUrl, first, await lineTo(firstUrl, stops.signal)];
    for (let count = 1; ; count++) {
      if ("socket" in line) held.push(line.socket);
      const incoming = await sendUntilNew(outgoing, line, count === 1 ? stops : { ...stops, check: undefined });
      held.push(incoming);
      const to = redirect === "manual" ? null : redirectLocation(incoming, url);
      if (to === null) return toResponse(incoming, { url, method: outgoing.method, isRedirected: count > 1 });
      incoming.destroy();
      if (redirect === "error") throw guardError("REDIRECT_REFUSED", "redirected, which this request does not allow");
      outgoing = redirected(outgoing, { from: url, to, status: incoming.statusCode ?? 0, count });
      url = to;
      line = await lineTo(url, stops.signal).catch(afterRedirect);
    }
  }

  /** Opens a connection, unless connections are kept: then the agent does, when it has none left. */
  async function lineTo(url: URL, signal: AbortSignal | null | undefined): Promise<Line> {
    if (agent !== null) return { url, agent };
    return { url, socket: await open(url, signal) };
  }

  function open(url: URL, signal: AbortSignal | null | undefined): Promise<Socket> {
    const deadline = { clock, timeoutMs: connectTimeoutMs, expired: connectTimeout, signal };
    return openWithin(deadline, async (connectSignal) => {
      const target = await vetUrl(url, rules);
      return connect(target, { clock, signal: connectSignal });
    });
  }
}

/** Where a request goes, and on what: a connection of its own, or one of the agent's. */
type Line = { url: URL; socket: Socket } | { url: URL; agent: Agent };

function parseUrl(address: string): URL {
  if (!URL.canParse(address)) throw refused("not a valid address");
  return new URL(address);
}

/** The first request did go out, so codes that say "nothing was sent" would be wrong. */
function afterRedirect(error: unknown): never {
  throw guardError("REDIRECT_FAILED", `after a redirect: ${error instanceof Error ? error.message : String(error)}`);
}

/** What may end a request: before its first byte, and at any time. */
interface Stops {
  check: (() => void) | undefined;
  signal: AbortSignal | null | undefined;
}

/** Connections and answers: none of them stays open, whatever fails. */
type Held = { destroy(): unknown }[];

/** How a request is sent. */
interface Exchange {
  redirect: "manual" | "follow" | "error";
  held: Held;
  stops: Stops;
}

/** Sends one request; again, when a kept connection was closed by the other side before it answered. */
async function sendUntilNew(outgoing: Outgoing, line: Line, stops: Stops): Promise<IncomingMessage> {
  const { signal } = stops;
  for (;;) {
    const message = requestOn(line, outgoing, signal);
    try {
      const answer = await send(message, outgoing, stops);
      if ("socket" in line) answer.once("close", () => line.socket.destroy());
      return answer;
    } catch (error) {
      const isRepeatable = message.reusedSocket && !(outgoing.body instanceof ReadableStream);
      if (!isRepeatable || signal?.aborted) throw error;
    }
  }
}

function requestOn(line: Line, { method, headers }: Outgoing, signal?: AbortSignal | null): ClientRequest {
  const { url } = line;
  return process.getBuiltinModule("node:http").request({
    ...("socket" in line ? { createConnection: () => line.socket } : keptBy(line.agent, url, signal)),
    method,
    path: url.pathname + url.search,
    headers: { ...Object.fromEntries(headers), host: url.host },
  });
}

/** Waits for the head of the answer. */
function send(message: ClientRequest, outgoing: Outgoing, { check, signal }: Stops): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let incoming: IncomingMessage | undefined;
    const stop = (): void => void (incoming ?? message).destroy(signal?.reason);
    message.once("response", (answer) => {
      incoming = answer;
      // An error reaches whoever reads the body; without a listener it would be lost on the way there.
      answer.on("error", () => {});
      resolve(answer);
    });
    // Nobody asked for it, and without a listener the request would never end.
    message.once("upgrade", (_answer, socket) => {
      socket.destroy();
      reject(guardError("INVALID_STATUS", "answered with an unexpected status 101"));
    });
    message.on("error", (error) => reject(withoutPacket(error)));
    message.once("close", () => signal?.removeEventListener("abort", stop));
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted) stop();
    const fail = (error: unknown): void => {
      reject(withoutPacket(error));
      message.destroy();
    };
    // The connection is open now. Not even the head is written before the body is, or before it ends.
    message.once("socket", () => {
      try {
        check?.();
      } catch (error) {
        fail(error);
        return;
      }
      sendBody(outgoing, message).catch(fail);
    });
  });
}

async function sendBody({ body, headers }: Outgoing, message: ClientRequest): Promise<void> {
  if (!(body instanceof ReadableStream)) {
    message.end(body ?? undefined);
    return;
  }
  const reader = body.getReader();
  // Tells whoever feeds the stream that the rest is not wanted.
  message.once("close", () => void reader.cancel().catch(() => {}));
  await pipeline(Readable.from(sentChunks(reader, headers.get("content-length"))), message);
}

/** Node's parser errors carry the bytes that were received. Which system call failed says whether anything was sent. */
function withoutPacket(error: unknown): unknown {
  const code = codeOf(error);
  if (code === null || !(error instanceof Error)) return error;
  return Object.assign(guardError(code, error.message), "syscall" in error ? { syscall: error.syscall } : {});
}
