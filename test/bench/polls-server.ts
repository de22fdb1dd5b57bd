/** A network that has nothing new, in a process of its own, so that its work is not counted. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const answers: readonly [string, object][] = [
  ["getAuthorFeed", { feed: [] }],
  ["listNotifications", { notifications: [] }],
  ["getLog", { logs: [] }],
];

const server = createServer((request, response) => {
  request.resume();
  const [, body] = answers.find(([method]) => request.url?.includes(method) === true) ?? [null, {}];
  request.once("end", () => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body)));
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.once("disconnect", () => process.exit());
