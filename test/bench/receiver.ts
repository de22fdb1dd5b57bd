/**
 * A receiver in a process of its own, so that its work is not counted. It
 * answers with 200, below /hang never. Told to `report`, it sends when the
 * answered requests came, and lets go of the others.
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

let arrivals: number[] = [];
let hanging: ServerResponse[] = [];

const server = createServer((request, response) => {
  request.resume();
  if (request.url?.startsWith("/hang") === true) {
    hanging.push(response);
    return;
  }
  arrivals.push(Date.now());
  request.once("end", () => response.writeHead(200).end("taken"));
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));

process.on("message", () => {
  process.send?.(arrivals);
  for (const response of hanging) response.destroy();
  arrivals = [];
  hanging = [];
});
process.once("disconnect", () => process.exit());
