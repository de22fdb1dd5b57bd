import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The simulated networks on a loopback port, for tests with several processes. */
export interface ServedSandbox {
  /** `http://127.0.0.1:<port>` */
  url: string;
  /** Closes the server and its connections. */
  close(): Promise<void>;
}

/** The header with the URL that the caller requested. */
const addressHeader = "x-sandbox-address";
/** Marks a request that was never sent, according to the failure script. */
const notSentHeader = "x-sandbox-not-sent";
const notSentStatus = 599;

/** Serves `http` on the loopback interface. A connection that the failure script breaks is really broken. */
export async function serveSandbox(http: typeof fetch, options: { port?: number } = {}): Promise<ServedSandbox> {
  const server = createServer((request, response) => {
    forward(http, request, response).catch((error: unknown) => {
      const code = notSentCode(error);
      if (code === null) response.destroy();
      else response.writeHead(notSentStatus, { [notSentHeader]: code }).end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The `fetch` of another process: forwards every request to the sandbox at `url`. */
export function remoteSandbox(url: string, loopbackFetch: typeof fetch): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const headers = new Headers(request.headers);
    headers.set(addressHeader, request.url);
    const body = request.body === null ? {} : { body: await request.arrayBuffer() };
    const { method, signal } = request;
    const response = await loopbackFetch(url, { method, headers, signal, redirect: "manual", ...body });
    const code = response.headers.get(notSentHeader);
    if (code === null) return response;
    throw new TypeError("fetch failed", { cause: Object.assign(new Error(`simulated ${code}`), { code }) });
  };
}

async function forward(http: typeof fetch, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const address = request.headers[addressHeader];
  if (typeof address !== "string") {
    response.writeHead(400).end(`The header ${addressHeader} is missing.`);
    return;
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (name !== addressHeader && name !== "host" && typeof value === "string") headers.set(name, value);
  }
  const { method = "GET" } = request;
  const hasBody = method !== "GET" && method !== "HEAD" && chunks.length > 0;
  const answer = await http(address, { method, headers, ...(hasBody ? { body: Buffer.concat(chunks) } : {}) });
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  // Forwards the body piece by piece: one that breaks off must break off here, too.
  for await (const chunk of answer.body ?? []) {
    await new Promise<void>((resolve, reject) => {
      response.write(chunk, (error) => (error == null ? resolve() : reject(error)));
    });
  }
  response.end();
}

function notSentCode(error: unknown): string | null {
  const cause = error instanceof Error ? error.cause : undefined;
  if (typeof cause !== "object" || cause === null || !("code" in cause)) return null;
  return typeof cause.code === "string" && cause.code !== "ECONNRESET" ? cause.code : null;
}
