/** A receiver in a process of its own, so that its work is not counted. Answers everything with 200; below /hang never. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const server = createServer((request, response) => {
  request.resume();
  if (request.url?.startsWith("/hang") === true) return;
  request.once("end", () => response.writeHead(200).end("taken"));
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.once("disconnect", () => process.exit());
