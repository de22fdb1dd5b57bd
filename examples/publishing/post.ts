/** `npx tsx examples/publishing/post.ts`: one post on three networks, with an image and an option for each network. */
import { randomBytes } from "node:crypto";
import { createSocialService } from "postrider";
import { bluesky } from "postrider/networks/bluesky";
import { discord } from "postrider/networks/discord";
import { mastodon } from "postrider/networks/mastodon";
import { createSandbox } from "postrider/sandbox";
import { memoryStorage } from "postrider/storage/memory";

const { http, untrustedHttp, ...simulated } = createSandbox(); // Without it the same code publishes for real.
const social = createSocialService({
  storage: memoryStorage(),
  networks: [bluesky(), mastodon(), discord()],
  encryptionKey: randomBytes(32).toString("base64"),
  http,
  untrustedHttp,
});

const atBluesky = simulated.bluesky.addAccount({ handle: "alice.sandbox.example" });
const atMastodon = simulated.mastodon.addAccount({ username: "alice" });
const profiles = await Promise.all([
  social.profiles.connect({
    network: "bluesky",
    credentials: { identifier: atBluesky.handle, app_password: atBluesky.password },
  }),
  social.profiles.connect({
    network: "mastodon",
    credentials: { instance: atMastodon.instance, access_token: atMastodon.access_token },
  }),
  social.profiles.connect({
    network: "discord",
    credentials: {
      bot_token: simulated.discord.addBot({ username: "alice" }),
      channel_id: simulated.discord.addChannel({ name: "announcements" }),
    },
  }),
]);

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const image = simulated.media.put("hills.png", Buffer.from(pixel, "base64"), { contentType: "image/png" });

const post = await social.posts.create({
  profile_ids: profiles.map(({ id }) => id),
  text: `Three rows of blue hills.\n\n${"The first is near, the second is far, and the third may be a cloud. ".repeat(8)}`,
  auto_thread: true,
  media: [{ url: image, alt: "Three rows of blue hills." }],
  networks: { mastodon: { visibility: "unlisted" }, discord: { text: "A text for Discord alone.", silent: true } },
  idempotency_key: "article-4711",
});

console.log(post.status);
for (const { network, status, post_ids } of post.targets) console.log(network, status, post_ids.length);
