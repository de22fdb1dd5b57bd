import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { testCertificate, testKey } from "./certificate.ts";

export interface SecureServer {
  port: number;
  /** Method, host header and path of each request that arrived. */
  requests: string[];
  /** The names that clients requested a certificate for. */
  names: string[];
  close(): Promise<void>;
}

/** A server with the certificate of hooks.example.com, on 127.0.0.2: away from the traps. */
export async function startSecureServer(port = 0): Promise<SecureServer> {
  const requests: string[] = [];
  const names: string[] = [];
  const server = createServer({ key: testKey, cert: testCertificate }, (request, response) => {
    requests.push(`${request.method} ${request.headers.host} ${request.url}`);
    response.end("hello");
  });
  server.on("secureConnection", (socket) => names.push(String(socket.servername)));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.2", resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    names,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
