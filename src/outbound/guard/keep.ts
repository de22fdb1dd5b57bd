import type { Agent, RequestOptions } from "node:http";
import type { Socket } from "node:net";

/** How long an idle connection is kept, milliseconds. Many servers close it after 5 s. */
const keptMs = 4_000;
/** Maximum number of idle connections to one host. */
const maxKept = 8;

/** Opens a checked connection. */
type Open = (url: URL, signal: AbortSignal | null | undefined) => Promise<Socket>;

interface KeptRequest extends RequestOptions {
  vetted: { url: URL; signal: AbortSignal | null | undefined };
}

/**
 * Node's agent, which opens its connections through the guard. The address of a kept connection was checked when it
 * was opened.
 */
export function createKeepingAgent(open: Open): Agent {
  const { Agent } = process.getBuiltinModule("node:http");
  const agent = new Agent({ keepAlive: true, maxFreeSockets: maxKept, timeout: keptMs });
  function createConnection({ vetted }: KeptRequest, opened: (error: Error | null, socket?: Socket) => void): void {
    open(vetted.url, vetted.signal).then((socket) => opened(null, socket), opened);
  }
  return Object.assign(agent, { createConnection });
}

/** The options for a request on the agent's connection. */
export function keptBy(agent: Agent, url: URL, signal: AbortSignal | null | undefined): KeptRequest & { agent: Agent } {
  const secure = url.protocol === "https:";
  const port = Number(url.port || (secure ? 443 : 80));
  // The agent finds a kept connection by these; the protocol in the name separates https from http.
  return { agent, host: `${url.protocol}${url.hostname}`, port, vetted: { url, signal } };
}
