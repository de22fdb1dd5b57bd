/**
 * `npx tsx examples/production/web.ts`: the REST API, the callbacks of browser sign-ins and the networks' own
 * webhooks. Scheduled posts, retries, the inbox and your webhooks are left to worker.ts.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import express from "express";
import { type Authenticate, createHandler } from "postrider/http";
import { toNodeHandler } from "postrider/http/node";
import { basePath, close, required, social } from "./social.ts";

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
const expected = digest(`Bearer ${required("SOCIAL_API_TOKEN")}`);

/** Your own clients share one token. Replace it with your app's sessions, or leave it out and issue API keys. */
const authenticate: Authenticate = (request) => {
  const isOwn = timingSafeEqual(digest(request.headers.get("authorization") ?? ""), expected);
  return isOwn ? { account_id: "default", key_id: "own", scopes: ["read", "publish", "profiles", "inbox"] } : null;
};

const app = express();
app.use(basePath, toNodeHandler(createHandler(social, { basePath, authenticate })));
app.get("/healthz", (_request, response) => response.send("ok"));

const port = Number(process.env.PORT ?? 3000);
const server = app.listen(port, () => console.log(`The web process listens on port ${port}.`));

process.once("SIGTERM", () => {
  server.close(() => void close()); // First the requests in progress, then the service.
});
