/**
 * `npx tsx examples/connect/server.ts`: pages that connect profiles by OAuth.
 * The networks and their sign-in pages are simulated.
 */
import { randomBytes } from "node:crypto";
import express from "express";
import { createSocialService } from "postrider";
import { toNodeHandler } from "postrider/http/node";
import { discord } from "postrider/networks/discord";
import { mastodon } from "postrider/networks/mastodon";
import { createSandbox } from "postrider/sandbox";
import { memoryStorage } from "postrider/storage/memory";
import { createApp } from "./app.ts";

const port = Number(process.env.PORT ?? 3000);
const origin = `http://localhost:${port}`;
const baseUrl = `${origin}/social`;

const sandbox = createSandbox();
sandbox.mastodon.addAccount({ username: "alice" });
sandbox.discord.addChannel({ name: "news" });
sandbox.discord.addChannel({ name: "talk" });
const redirect_uris = [`${baseUrl}/connect/discord/callback`];
const app = { client_id: "my-app", client_secret: "my-secret" };
const bot_token = sandbox.discord.addApp({ ...app, redirect_uris });

const { http, untrustedHttp } = sandbox;
const social = createSocialService({
  storage: memoryStorage(),
  networks: [mastodon({ app: { name: "My app" } }), discord({ app: { ...app, bot_token } })],
  encryptionKey: randomBytes(32).toString("base64"),
  baseUrl, // Where the handler is mounted. The callback addresses are below it.
  trustedOrigins: [origin], // Origins that the callback may redirect to.
  http,
  untrustedHttp,
});
await social.start();

const host = express();
host.use("/simulated", toNodeHandler(sandbox.pages));
host.use(createApp({ social, origin, loginPage: (url) => `/simulated?at=${encodeURIComponent(url)}` }));
const server = host.listen(port, () => console.log(`Open ${origin}; the Mastodon server is mastodon.sandbox.example.`));

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, async () => {
    server.close();
    await social.stop();
  });
}
