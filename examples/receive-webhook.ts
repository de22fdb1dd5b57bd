/**
 * A receiver of webhooks: `npx tsx examples/receive-webhook.ts`. It takes what
 * is signed, once, and shows that with deliveries that it sends to itself.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { sign, verify } from "postrider/webhook";

const secret = "whsec_shown_once_when_the_endpoint_was_made";
/** In your database: a delivery may come twice, and its id says so. */
const seen = new Set<string>();

const server = createServer(async (request, response) => {
  // The bytes as they came: a body that was parsed and written again has another signature.
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  const event = await verify(Buffer.concat(chunks), String(request.headers["service-signature"]), { secret });
  if (event === null) return void response.writeHead(400).end("not signed by us, or too old");
  const isNew = !seen.has(event.id);
  seen.add(event.id);
  if (isNew) console.log(`${event.type} ${event.id}`);
  response.writeHead(204).end();
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const body = JSON.stringify({ id: "dlv_1", type: "post.published", created_at: new Date().toISOString(), data: {} });
const timestamp = Math.floor(Date.now() / 1000);
const good = await sign(body, { secret, timestamp });
const forged = await sign(body, { secret: "whsec_somebody_else", timestamp });
const old = await sign(body, { secret, timestamp: timestamp - 3_600 });
for (const [what, signature] of Object.entries({ first: good, again: good, forged, old })) {
  const { status } = await fetch(url, { method: "POST", body, headers: { "Service-Signature": signature } });
  console.log(`${what}: ${status}`);
}
server.close();
