/** `npx tsx examples/rest/keys.ts`: creates an API key, uses it and revokes it; needs no server. */
import { randomBytes } from "node:crypto";
import { createSocialService } from "postrider";
import { createHandler } from "postrider/http";
import { bluesky } from "postrider/networks/bluesky";
import { createSandbox } from "postrider/sandbox";
import { memoryStorage } from "postrider/storage/memory";

const { http, untrustedHttp, ...simulated } = createSandbox(); // Without it the same code publishes for real.
const account = simulated.bluesky.addAccount({ handle: "alice.sandbox.example" });
const social = createSocialService({
  storage: memoryStorage(),
  networks: [bluesky()],
  encryptionKey: randomBytes(32).toString("base64"),
  http,
  untrustedHttp,
});
const credentials = { identifier: account.handle, app_password: account.password };
const profile = await social.profiles.connect({ network: "bluesky", credentials });
const handler = createHandler(social, { basePath: "/social" });

const { key, id } = await social.keys.create({ scopes: ["read", "publish"] }); // The key is shown only this once.

async function ask(method: string, path: string, body?: object): Promise<void> {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const request = new Request(`https://app.example.com/social${path}`, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  });
  const response = await handler(request);
  const { error } = (await response.json()) as { error?: { code: string } };
  console.log(method, path, response.status, response.headers.get("RateLimit-Limit"), error?.code ?? "ok");
}

const body = { profile_ids: [profile.id], text: "Hello", idempotency_key: "article-4711" };
await ask("POST", "/v1/posts", body);
await ask("POST", "/v1/posts", body); // The same idempotency key again: the first post.
await ask("GET", "/v1/posts?limit=20&offset=0");
await ask("POST", "/v1/posts", { ...body, idempotency_key: "article-4712", titel: "Hills" });
await ask("GET", "/v1/webhooks");
await social.keys.revoke(id); // Takes effect immediately, in every process.
await ask("GET", "/v1/posts");
