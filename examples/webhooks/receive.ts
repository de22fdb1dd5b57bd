/**
 * A webhook receiver: `npx tsx examples/webhooks/receive.ts`. It accepts signed
 * events and handles each once. A service with simulated networks delivers to it.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { pathToFileURL } from "node:url";
import { createSocialService } from "postrider";
import { discord } from "postrider/networks/discord";
import { createSandbox } from "postrider/sandbox";
import { memoryStorage } from "postrider/storage/memory";
import { type VerifyOptions, verify, type WebhookEvent } from "postrider/webhook";

/**
 * A request listener for `http.createServer` or Express. It passes each event
 * to `onEvent` once, although the event may be delivered more often.
 */
export function webhookReceiver(
  options: () => VerifyOptions,
  onEvent: (event: WebhookEvent) => void | Promise<void>,
): RequestListener {
  /** In production: a table in your database, written in the transaction that handles the event. */
  const done = new Set<string>();

  async function statusFor(request: IncomingMessage): Promise<number> {
    // The raw body: a body that was parsed and serialized again has another signature.
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk as Uint8Array);
    const event = await verify(Buffer.concat(chunks), String(request.headers["service-signature"]), options());
    if (event === null) return 400;
    // A repeated delivery has the same id. The header `Service-Delivery` holds it, too.
    if (done.has(event.id)) return 200;
    await onEvent(event);
    done.add(event.id);
    return 204;
  }

  return (request, response) => {
    statusFor(request).then(
      (status) => response.writeHead(status).end(),
      // The event is delivered again after any status but 2xx.
      () => response.writeHead(500).end(),
    );
  };
}

async function show(): Promise<void> {
  let secret = "";
  const receive = webhookReceiver(
    () => ({ secret }),
    ({ type, id }) => console.log(`received: ${type} ${id}`),
  );
  const server = createServer((request, response) => {
    response.once("finish", () => console.log(`response: ${response.statusCode}`));
    receive(request, response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

  const sandbox = createSandbox(); // Simulated networks. Without it the same code publishes for real.
  const social = createSocialService({
    storage: memoryStorage(),
    networks: [discord()],
    encryptionKey: randomBytes(32).toString("base64"),
    http: sandbox.http,
    allowedHosts: [host], // Permits a receiver without https and outside the internet.
  });
  await social.start();
  const endpoint = await social.webhooks.create({ url: `http://${host}`, events: ["post.published"] });
  secret = endpoint.secret;

  const channel_id = sandbox.discord.addChannel({ name: "announcements" });
  const bot_token = sandbox.discord.addBot({ username: "alice" });
  const profile = await social.profiles.connect({ network: "discord", credentials: { bot_token, channel_id } });
  await social.posts.create({ profile_ids: [profile.id], text: "Hello", idempotency_key: "hello-receiver" });
  await social.runDue(); // Waits for the delivery; a server does not need it.

  console.log("delivered again, as after a lost response:");
  const [delivery] = (await social.webhooks.deliveries.list(endpoint.id)).data;
  await social.webhooks.deliveries.retry(endpoint.id, delivery?.id ?? "");
  await social.runDue();

  console.log("signed with another secret:");
  secret = "whsec_another";
  await social.webhooks.test(endpoint.id);
  await social.stop();
  server.close();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await show();
