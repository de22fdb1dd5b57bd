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

/** Time limit for the DNS lookup, the connection and the TLS handshake together. */
const connectTimeoutMs = 5_000;

export interface UntrustedHttpOptions {
  clock: Clock;
  /**
   * Resolves a name to all its addresses, in the order to try them.
   * @default the hosts file and the machine's DNS servers; names in `allow` with the machine's resolver
   */
  resolve?: Resolve;
  /**
   * Hosts that may be reached although they are not public: each entry is `host:port`, for example `localhost:3000`
   * or `10.0.0.7:8443`. It applies to URLs with exactly this host and port, by https or plain http; their addresses
   * are not checked. It allows no other name of the same machine.
   * @default none
   */
  allow?: readonly string[];
  /**
   * True: a connection is kept some seconds for the next request to the same host. The server may close it at any
   * moment; a request that finds it closed is sent again on a new one. So use it only for requests that may arrive
   * twice.
   * @default false
   */
  keepConnections?: boolean;
}

/** A `fetch` that can be cancelled after the connection is open and before anything is sent. */
export type UntrustedHttp = (input: Parameters<typeof fetch>[0], init?: UntrustedInit) => Promise<Response>;

export interface UntrustedInit extends RequestInit {
  /**
   * Runs after the DNS lookup, the connection and the TLS handshake, right before the request's first byte; again if
   * the request is resent, not for redirects.
   *
   * @throws to cancel the request; the failure's cause is the thrown error
   */
  beforeFirstByte?: (() => void) | undefined;
}

/**
 * Creates the `fetch` for every URL from a user or from a network's response. It reaches only public addresses, by
 * https on port 443. A name is resolved once and refused if any of its addresses is not public; the connection goes
 * to the checked addresses. Proxy settings in the environment are ignored.
 *
 * Unlike the global `fetch`: `redirect` is `manual` unless `init` (or a passed `Request`) sets it; `follow` follows
 * at most 3 redirects, checks each, and never goes from https to http. `init.signal` applies until the last byte of
 * the response's body. An unread body holds its connection: read or cancel it.
 *
 * @throws the signal's reason if it is aborted; otherwise `TypeError("fetch failed")`, whose `cause.code` is
 * `ADDRESS_REFUSED` (the message names the class, never an address), `CONNECT_TIMEOUT` (5 s), `REDIRECT_REFUSED`,
 * `REDIRECT_FAILED`, or Node's own. For the first two, nothing was sent.
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
      // A body that is being sent is cancelled by its sender.
      if (unsent instanceof ReadableStream && !unsent.locked) unsent.cancel(error).catch(() => {});
      signal?.throwIfAborted();
      throw fetchFailed(error);
    }
  };

  /** Sends a request and follows redirects, as far as `redirect` allows. */
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

  /** Opens a connection; with kept connections, the agent does so if it has none left. */
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

/** The URL and connection of a request: a separate connection, or one of the agent's. */
type Line = { url: URL; socket: Socket } | { url: URL; agent: Agent };

function parseUrl(address: string): URL {
  if (!URL.canParse(address)) throw refused("not a valid address");
  return new URL(address);
}

/** The first request was sent, so codes that mean "nothing was sent" would be wrong. */
function afterRedirect(error: unknown): never {
  throw guardError("REDIRECT_FAILED", `after a redirect: ${error instanceof Error ? error.message : String(error)}`);
}

/** What can stop a request: a check before its first byte, or a signal at any time. */
interface Stops {
  check: (() => void) | undefined;
  signal: AbortSignal | null | undefined;
}

/** Connections and responses to close if anything fails. */
type Held = { destroy(): unknown }[];

/** Settings of a request. */
interface Exchange {
  redirect: "manual" | "follow" | "error";
  held: Held;
  stops: Stops;
}

/** Sends one request; sends it again if the server closed a kept connection before it responded. */
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

/** Waits for the response headers. */
function send(message: ClientRequest, outgoing: Outgoing, { check, signal }: Stops): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let incoming: IncomingMessage | undefined;
    const stop = (): void => void (incoming ?? message).destroy(signal?.reason);
    message.once("response", (answer) => {
      incoming = answer;
      // The reader of the body gets the error; without a listener here it would be lost on the way.
      answer.on("error", () => {});
      resolve(answer);
    });
    // No upgrade was requested. Without a listener the request would never end.
    message.once("upgrade", (_answer, socket) => {
      socket.destroy();
      reject(guardError("INVALID_STATUS", "returned an unexpected status 101"));
    });
    message.on("error", (error) => reject(withoutPacket(error)));
    message.once("close", () => signal?.removeEventListener("abort", stop));
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted) stop();
    const fail = (error: unknown): void => {
      reject(withoutPacket(error));
      message.destroy();
    };
    // The connection is open now. Nothing is written before the body is, or before `end`.
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
  // Tells the source of the stream that the rest is not needed.
  message.once("close", () => void reader.cancel().catch(() => {}));
  await pipeline(Readable.from(sentChunks(reader, headers.get("content-length"))), message);
}

/** Removes the received bytes, which Node's parser errors contain. The failed system call shows whether anything was sent. */
function withoutPacket(error: unknown): unknown {
  const code = codeOf(error);
  if (code === null || !(error instanceof Error)) return error;
  return Object.assign(guardError(code, error.message), "syscall" in error ? { syscall: error.syscall } : {});
}
