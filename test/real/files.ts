import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Media files on loopback. */
export interface FileHost {
  /** `localhost:<port>`: the entry for `allowedHosts`. */
  host: string;
  put(name: string, bytes: Uint8Array, contentType: string): string;
  stop(): Promise<void>;
}

export async function startFileHost(): Promise<FileHost> {
  const files = new Map<string, { bytes: Uint8Array; contentType: string }>();
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? "");
    if (file === undefined) response.writeHead(404).end();
    else {
      response.writeHead(200, { "content-type": file.contentType, "content-length": file.bytes.length });
      response.end(request.method === "HEAD" ? undefined : file.bytes);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const host = `localhost:${(server.address() as AddressInfo).port}`;
  return {
    host,
    put(name, bytes, contentType) {
      files.set(`/${name}`, { bytes, contentType });
      return `http://${host}/${name}`;
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
