/** Two servers, each on a port of its own: uploads and downloads through the handler, and what Node does for the same. */
import { createReadStream, createWriteStream, statSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { silentLogger } from "../support/logger.ts";
import { testKey } from "../support/service.ts";

const [folder = "", ...urls] = process.argv.slice(2);
const [core, http, node, memory, files] = (await Promise.all(urls.map((url) => import(url)))) as [
  typeof import("../../src/index.ts"),
  typeof import("../../src/http/index.ts"),
  typeof import("../../src/http/node.ts"),
  typeof import("../../src/storage/memory.ts"),
  typeof import("../../src/media/files.ts"),
];

const bareFile = join(folder, "bare");

const bare: RequestListener = async (request, response) => {
  if (request.method === "POST") {
    await pipeline(request, createWriteStream(bareFile, { flush: true }));
    response.end();
    return;
  }
  response.setHeader("content-length", statSync(bareFile).size);
  await pipeline(createReadStream(bareFile), response);
};

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const social = core.createSocialService({
  storage: memory.memoryStorage(),
  mediaStore: files.filesStore(join(folder, "media")),
  baseUrl: "http://localhost",
  media: { maxAccountBytes: 10 ** 12 },
  encryptionKey: testKey,
  logger: silentLogger,
});
const { key } = await social.keys.create();
const handler = http.createHandler(social, { limits: { read: 1_000_000 } });
const ours = await portOf(createServer(node.toNodeHandler(handler)));
const floor = await portOf(createServer(bare));

/** The most memory at any look since the last question, bytes. */
let most = 0;
setInterval(() => {
  most = Math.max(most, process.memoryUsage.rss());
}, 20).unref();

process.on("message", () => {
  globalThis.gc?.();
  const now = process.memoryUsage.rss();
  process.send?.({ most: Math.max(most, now), now });
  most = now;
});
process.send?.({ ours, floor, key });
