/** `npx tsx examples/servers/hono.ts`: the REST API in a Hono app, called without a server. */
import { randomBytes } from "node:crypto";
import { Hono } from "hono";
import { createSocialService } from "postrider";
import { createHandler } from "postrider/http";
import { bluesky } from "postrider/networks/bluesky";
import { createSandbox } from "postrider/sandbox";
import { memoryStorage } from "postrider/storage/memory";

const sandbox = createSandbox(); // Simulated networks. Without it the same code publishes for real.
const account = sandbox.bluesky.addAccount({ handle: "alice.sandbox.example" });
const { http, untrustedHttp } = sandbox;
const social = createSocialService({
  storage: memoryStorage(),
  networks: [bluesky()],
  encryptionKey: randomBytes(32).toString("base64"),
  http,
  untrustedHttp,
});
const { key } = await social.keys.create();

const handler = createHandler(social, { basePath: "/social" });
const app = new Hono();
app.all("/social/*", ({ req }) => handler(req.raw));

// Serve it on any runtime: `export default app`, or on Node `createServer(toNodeHandler(app.fetch))`.
const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };

async function ask(method: string, path: string, body?: object): Promise<{ data: Record<string, unknown> }> {
  const response = await app.request(`/social${path}`, { method, headers, body: JSON.stringify(body) ?? null });
  console.log(method, path, response.status);
  return response.json() as Promise<{ data: Record<string, unknown> }>;
}

const credentials = { identifier: account.handle, app_password: account.password };
const { data } = await ask("POST", "/v1/profiles/connect", { network: "bluesky", credentials });
const [{ id }] = data.profiles as [{ id: string }];
const body = { profile_ids: [id], text: "Hello from Hono", idempotency_key: "hello-hono" };
const post = await ask("POST", "/v1/posts", body);
await ask("POST", "/v1/posts", body); // The same idempotency key: nothing is published twice.
console.log(post.data.status, sandbox.bluesky.posts().length, "time");
