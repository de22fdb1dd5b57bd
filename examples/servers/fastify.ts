/** `npx tsx examples/servers/fastify.ts`: the REST API in a Fastify app, called once over loopback. */
import { randomBytes } from "node:crypto";
import fastify from "fastify";
import { createSocialService } from "postrider";
import { createHandler } from "postrider/http";
import { toNodeHandler } from "postrider/http/node";
import { bluesky } from "postrider/networks/bluesky";
import { createSandbox } from "postrider/sandbox";
import { memoryStorage } from "postrider/storage/memory";

const { http, untrustedHttp } = createSandbox(); // Simulated networks. Without it the same code publishes for real.
const social = createSocialService({
  storage: memoryStorage(),
  networks: [bluesky()],
  encryptionKey: randomBytes(32).toString("base64"),
  http,
  untrustedHttp,
});
await social.start();

const app = fastify();
const listener = toNodeHandler(createHandler(social, { basePath: "/social" }));
app.all(
  "/social/*",
  {
    // Before Fastify's own parser reads the body.
    onRequest(request, reply) {
      reply.hijack();
      return listener(request.raw, reply.raw);
    },
  },
  () => {},
);

const url = await app.listen({ port: 0, host: "127.0.0.1" });
const { key } = await social.keys.create();
const response = await fetch(`${url}/social/v1/networks`, { headers: { Authorization: `Bearer ${key}` } });
const { data } = (await response.json()) as { data: { name: string }[] };
console.log(response.status, data.map(({ name }) => name).join());

await app.close();
await social.stop();
