/** `npm start`: the REST API in a Nest app, beside one of the app's own controllers. */
import "reflect-metadata";
import { randomBytes } from "node:crypto";
import { Body, Controller, Module, Post } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { createSocialService } from "postrider";
import { createHandler } from "postrider/http";
import { toNodeHandler } from "postrider/http/node";
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
await social.start();
const credentials = { identifier: account.handle, app_password: account.password };
const profile = await social.profiles.connect({ network: "bluesky", credentials });
const { key } = await social.keys.create();

@Controller()
class EchoController {
  @Post("echo")
  echo(@Body() body: object): object {
    return body;
  }
}

@Module({ controllers: [EchoController] })
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: ["warn", "error"] });
app.use("/social", toNodeHandler(createHandler(social, { basePath: "/social" })));
await app.listen(Number(process.env.PORT ?? 3000), "127.0.0.1");

const url = await app.getUrl();
const post = JSON.stringify({ profile_ids: [profile.id], text: "Hello from Nest" });
console.log(`
curl -i ${url}/social/v1/posts -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -H 'Idempotency-Key: hello-nest' -d '${post}'
curl -i ${url}/echo -X POST -H 'Content-Type: application/json' -d '{"own":"route"}'
`);

process.once("SIGTERM", async () => {
  await app.close();
  await social.stop();
});
