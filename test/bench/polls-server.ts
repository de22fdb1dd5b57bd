/** A network that has nothing new, in a process of its own, so that its work is not counted. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const server = createServer((request, response) => {
  request.resume();
  const body = request.url?.includes("getAuthorFeed") === true ? { feed: [] } : { notifications: [] };
  request.once("end", () => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body)));
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.once("disconnect", () => process.exit());
