import { connect as connectPlain, isIP, type Socket } from "node:net";
import { type Deadline, withDeadline } from "../../async/deadline.ts";
import type { Clock } from "../../ports/clock.ts";
import { refusalOf } from "./addresses.ts";
import { codeOf, guardError, refused } from "./errors.ts";
import type { Target } from "./target.ts";

/** How long one address may take while there is another to try. */
const attemptTimeoutMs = 1_500;

/**
 * Opens a connection to one of the target's vetted addresses, in turn, and
 * finishes the TLS handshake. Not one byte of the request is sent before that,
 * so whatever this throws, nothing was sent.
 */
export async function connect(
  target: Target,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<Socket> {
  let failure: unknown;
  for (const [index, address] of target.addresses.entries()) {
    const isLast = index === target.addresses.length - 1;
    try {
      if (isLast) return await connectTo(address, target, signal);
      return await openWithin(
        { clock, timeoutMs: attemptTimeoutMs, expired: connectTimeout, signal },
        (attemptSignal) => connectTo(address, target, attemptSignal),
      );
    } catch (error) {
      signal.throwIfAborted();
      failure = error;
    }
  }
  throw failure;
}

/** As `withDeadline`; a connection that opens when nobody waits for it any more is closed. */
export async function openWithin(deadline: Deadline, open: (signal: AbortSignal) => Promise<Socket>): Promise<Socket> {
  let isGivenUp = false;
  const opened: Socket[] = [];
  try {
    return await withDeadline(deadline, async (signal) => {
      const socket = await open(signal);
      if (isGivenUp) socket.destroy();
      opened.push(socket);
      return socket;
    });
  } catch (error) {
    isGivenUp = true;
    for (const socket of opened) socket.destroy();
    throw error;
  }
}

export function connectTimeout(): Error {
  return guardError("CONNECT_TIMEOUT", "the connection timed out");
}

function connectTo(address: string, target: Target, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const socket = open(address, target);
    const stop = (): void => fail(signal.reason);
    const fail = (error: unknown): void => {
      signal.removeEventListener("abort", stop);
      socket.destroy();
      reject(error);
    };
    signal.addEventListener("abort", stop, { once: true });
    // Stays for the socket's life: an error without a listener would end the process.
    socket.on("error", (error) => fail(withoutAddress(error)));
    socket.once("close", () => fail(guardError("ECONNRESET", "the connection was closed")));
    socket.once("connect", () => {
      const refusal = target.allowed ? null : refusalOf(socket.remoteAddress ?? "");
      if (refusal) fail(refused(refusal));
    });
    socket.once(target.secure ? "secureConnect" : "connect", () => {
      if (socket.destroyed) return;
      signal.removeEventListener("abort", stop);
      resolve(socket);
    });
  });
}

function open(address: string, { hostname, port, secure }: Target): Socket {
  if (!secure) return connectPlain({ host: address, port });
  // By this way, as node:http and node:zlib in the files beside this one: importing the package does not load them.
  return process.getBuiltinModule("node:tls").connect({
    host: address,
    port,
    // The name's certificate is asked for and checked; SNI knows no literals and no final dot.
    servername: isIP(hostname) === 0 ? hostname.replace(/\.$/, "") : undefined,
    ALPNProtocols: ["http/1.1"],
    // Said outright, so that NODE_TLS_REJECT_UNAUTHORIZED cannot switch it off.
    rejectUnauthorized: true,
  });
}

/** Node's messages name the address that was resolved. */
function withoutAddress(error: Error): Error {
  const code = codeOf(error);
  if (code === "ETIMEDOUT") return connectTimeout();
  return code === null ? error : guardError(code, `the connection failed: ${code}`);
}
