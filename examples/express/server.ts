/**
 * `npx tsx examples/express/server.ts`: the REST API in an Express app. It prints
 * curl commands to try. The networks are simulated and the storage is in memory:
 * in production, use a real storage and no sandbox.
 */
import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import express from "express";
import { createSocialService } from "postrider";
import { createHandler } from "postrider/http";
import { toNodeHandler } from "postrider/http/node";
import { bluesky } from "postrider/networks/bluesky";
import { createSandbox } from "postrider/sandbox";
import { memoryStorage } from "postrider/storage/memory";

const sandbox = createSandbox();
const account = sandbox.bluesky.addAccount({ handle: "alice.sandbox.example" });
const { http, untrustedHttp } = sandbox;
const social = createSocialService({
  storage: memoryStorage(),
  networks: [bluesky()],
  encryptionKey: randomBytes(32).toString("base64"),
  http,
  untrustedHttp,
});
await social.start();

const credentials = { identifier: account.handle, app_password: account.password };
const profile = await social.profiles.connect({ network: "bluesky", credentials });
const { key } = await social.keys.create();

const app = express();
app.use("/social", toNodeHandler(createHandler(social, { basePath: "/social" })));
app.use(express.json()); // After it: requests to /social need no parser.
app.get("/", (_request, response) => response.send("The host's own page.\n"));

const server = app.listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/social/v1`;
  const post = JSON.stringify({ profile_ids: [profile.id], text: "Hello from Express" });
  console.log(`
curl -i ${url}/posts -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -H 'Idempotency-Key: hello-express' -d '${post}'

Run it twice: the second response is the first post. Then:

curl ${url}/posts -H 'Authorization: Bearer ${key}'
curl ${url}/openapi.json
`);
});

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, async () => {
    server.close();
    await social.stop(); // Finishes work in progress, or leaves it to the next process.
  });
}
