import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { discord } from "../../src/networks/discord/index.ts";
import { mastodon } from "../../src/networks/mastodon/index.ts";
import type { AllowedHosts } from "../../src/outbound/guard/allowed-hosts.ts";
import { createSandbox } from "../../src/sandbox/sandbox.ts";
import { createSocialService, type SocialService } from "../../src/service.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { silentLogger } from "../support/logger.ts";

/** A port without a listener: an allowed request fails in another way than a refused one. */
const place = "127.0.0.1:1";

const clock = manualClock();
const sandbox = createSandbox({ clock });

function serviceWith(allowedHosts: AllowedHosts): SocialService {
  return createSocialService({
    storage: memoryStorage({ clock }),
    clock,
    networks: [discord(), mastodon()],
    http: sandbox.http,
    logger: silentLogger,
    allowedHosts,
  });
}

/** The uses for which the guard refuses the host. */
async function refusedUses(allowedHosts: AllowedHosts): Promise<string[]> {
  const { webhooks, posts, profiles } = serviceWith(allowedHosts);
  const webhook_url = sandbox.discord.addWebhook({ channel: sandbox.discord.addChannel() });
  const { id } = await profiles.connect({ network: "discord", credentials: { webhook_url } });
  const media = [{ url: `http://${place}/a.png` }];
  const credentials = { instance: `https://${place}`, access_token: "token" };
  const [hook, file, login] = await Promise.all([
    webhooks.create({ url: `http://${place}/` }).catch((error: unknown) => error),
    posts.validate({ profile_ids: [id], text: "x", media }),
    profiles.connect({ network: "mastodon", credentials }).catch((error: unknown) => error),
  ]);
  return Object.entries({ webhooks: hook, media: file, instances: login })
    .filter(([, outcome]) => inspect(outcome, { depth: 20 }).includes("address refused"))
    .map(([use]) => use);
}

it("an allowed receiver is reached beside the sandbox's own ports", async () => {
  const received: string[] = [];
  const receiver = createServer((request, response) => {
    received.push(String(request.headers["service-event"]));
    response.end();
  });
  await once(receiver.listen(0, "127.0.0.1"), "listening");
  const { port } = receiver.address() as AddressInfo;
  const place = `127.0.0.1:${port}`;
  const { http, untrustedHttp } = createSandbox();
  const ports = { storage: memoryStorage(), http, untrustedHttp, logger: silentLogger };
  const social = createSocialService({ ...ports, allowedHosts: [place] });
  const { id } = await social.webhooks.create({ url: `http://${place}/`, events: ["post.published"] });
  const result = await social.webhooks.test(id);
  receiver.close();
  expect(result).toMatchObject({ response_status: 200 });
  expect(received).toHaveLength(1);
});

describe("a private host is reached", () => {
  it.each<[string, AllowedHosts, string[]]>([
    ["for no use unless it is listed", [], ["webhooks", "media", "instances"]],
    ["for every use by a plain list", [place], []],
    ["only for webhooks", { webhooks: [place] }, ["media", "instances"]],
    ["only for media", { media: [place] }, ["webhooks", "instances"]],
    ["only for instances", { instances: [place] }, ["webhooks", "media"]],
  ])("%s", async (_, allowedHosts, refused) => {
    expect(await clock.run(() => refusedUses(allowedHosts))).toEqual(refused);
  });

  it("never by an entry that matches no host: the service is not created", () => {
    expect(() => serviceWith({ media: ["https://127.0.0.1:1"] })).toThrow("allowedHosts.media[0]");
  });
});
