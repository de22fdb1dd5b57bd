/** `npx tsx examples/servers/node.ts`: the REST API and a network's webhooks on Node's own `http`, called over loopback. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createSocialService } from "postrider";
import { createHandler } from "postrider/http";
import { toNodeHandler } from "postrider/http/node";
import { facebook } from "postrider/networks/facebook";
import { createSandbox } from "postrider/sandbox";
import { memoryStorage } from "postrider/storage/memory";

const { http, untrustedHttp, ...simulated } = createSandbox(); // Without it the same code uses the real network.
const app = { client_id: "2204567890123456", client_secret: "facebook-app-secret" }; // Known to the sandbox.
const social = createSocialService({
  storage: memoryStorage(),
  networks: [facebook({ app, scopes: ["publish", "inbox"] })],
  encryptionKey: randomBytes(32).toString("base64"),
  baseUrl: "https://app.example.com/social", // Facebook sends its webhooks below it.
  http,
  untrustedHttp,
});

const listener = toNodeHandler(createHandler(social, { basePath: "/social" }));
const server = createServer((request, response) => {
  // The handler reads the body itself: a webhook is signed over its raw bytes.
  if (request.url?.startsWith("/social/")) return void listener(request, response);
  response.end("The host's own page.\n");
});
await once(server.listen(0, "127.0.0.1"), "listening");
await social.start();

async function shutDown(): Promise<void> {
  server.close(); // Accepts no more requests.
  await social.stop(); // Finishes work in progress.
}
process.once("SIGTERM", shutDown);

// The sandbox's Facebook reaches the server as the real one would through your proxy.
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
simulated.facebook.sendHooksTo(async (request) => {
  const { pathname, search } = new URL(request.url);
  const { method, headers } = request;
  return fetch(origin + pathname + search, { method, headers, body: method === "POST" ? await request.text() : null });
});

const { key } = await social.keys.create();
const { access_token, external_id } = simulated.facebook.addPage({ name: "The Observatory" });
const response = await fetch(`${origin}/social/v1/profiles/connect`, {
  method: "POST",
  headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
  body: JSON.stringify({ network: "facebook", credentials: { access_token, client_id: app.client_id } }),
});
console.log("POST /social/v1/profiles/connect", response.status);
await social.runDue(); // Subscribes the Page to webhooks; a server does not need to wait for it.

const received = new Promise<void>((resolve) => {
  social.on("message.received", ({ conversation, message }) => {
    console.log(`${conversation.participant.name}: ${message.text}`);
    resolve();
  });
});
simulated.facebook.messageAs(simulated.facebook.addFan("Ann Lee"), external_id, "Are you open on Sundays?");
await received;
await shutDown();
