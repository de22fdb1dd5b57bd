/**
 * A receiver of webhooks: `npx tsx examples/webhooks/receive.ts`. It takes what
 * is signed, once. To show it, a service with simulated networks delivers to it.
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
 * Answers deliveries, for `http.createServer` or Express. Each event is handed
 * on once, although it may be delivered more often.
 */
export function webhookReceiver(
  options: () => VerifyOptions,
  onEvent: (event: WebhookEvent) => void | Promise<void>,
): RequestListener {
  /** In your database, written together with what the event makes you do. */
  const done = new Set<string>();

  async function statusFor(request: IncomingMessage): Promise<number> {
    // The bytes as they came: a body that was parsed and written again has another signature.
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk as Uint8Array);
    const event = await verify(Buffer.concat(chunks), String(request.headers["service-signature"]), options());
    if (event === null) return 400;
    // Also the header `Service-Delivery`: a delivery that is repeated has the same id.
    if (done.has(event.id)) return 200;
    await onEvent(event);
    done.add(event.id);
    return 204;
  }

  return (request, response) => {
    statusFor(request).then(
      (status) => response.writeHead(status).end(),
      // Anything but 2xx, and the event is delivered again later.
      () => response.writeHead(500).end(),
    );
  };
}

async function show(): Promise<void> {
  let secret = "";
  const receive = webhookReceiver(
    () => ({ secret }),
    ({ type, id }) => console.log(`taken: ${type} ${id}`),
  );
  const server = createServer((request, response) => {
    response.once("finish", () => console.log(`answered: ${response.statusCode}`));
    receive(request, response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const place = `127.0.0.1:${(server.address() as AddressInfo).port}`;

  const sandbox = createSandbox(); // Simulated networks. Without them the same code publishes for real.
  const social = createSocialService({
    storage: memoryStorage(),
    networks: [discord()],
    encryptionKey: randomBytes(32).toString("base64"),
    http: sandbox.http,
    allowHosts: [place], // Receivers are https addresses on the internet; this one is not.
  });
  await social.start();
  const endpoint = await social.webhooks.create({ url: `http://${place}`, events: ["post.published"] });
  secret = endpoint.secret;

  const channel_id = sandbox.discord.addChannel({ name: "announcements" });
  const bot_token = sandbox.discord.addBot({ username: "alice" });
  const profile = await social.profiles.connect({ network: "discord", credentials: { bot_token, channel_id } });
  await social.posts.create({ profile_ids: [profile.id], text: "Hello", idempotency_key: "hello-receiver" });
  await social.runDue(); // Waits until it is delivered; a server need not.

  console.log("once more, as after an answer that was lost:");
  const [delivery] = (await social.webhooks.deliveries.list(endpoint.id)).data;
  await social.webhooks.deliveries.retry(endpoint.id, delivery?.id ?? "");
  await social.runDue();

  console.log("signed with another secret:");
  secret = "whsec_of_somebody_else";
  await social.webhooks.test(endpoint.id);
  await social.stop();
  server.close();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await show();
