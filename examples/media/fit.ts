/** `npx tsx examples/media/fit.ts`: one image for two networks, one of which needs another format. */
import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSocialService } from "postrider";
import { ffmpegTransformer } from "postrider/media/ffmpeg";
import { filesStore } from "postrider/media/files";
import { sharpTransformer } from "postrider/media/sharp";
import { bluesky } from "postrider/networks/bluesky";
import { mastodon } from "postrider/networks/mastodon";
import { createSandbox } from "postrider/sandbox";
import { memoryStorage } from "postrider/storage/memory";
import sharp from "sharp";

const { http, untrustedHttp, ...simulated } = createSandbox(); // Without it the same code publishes for real.
const social = createSocialService({
  storage: memoryStorage(),
  networks: [bluesky(), mastodon()],
  encryptionKey: randomBytes(32).toString("base64"),
  mediaStore: filesStore(mkdtempSync(join(tmpdir(), "media-"))),
  mediaTransformers: [sharpTransformer(), ffmpegTransformer()],
  baseUrl: "https://app.example.com/social",
  http,
  untrustedHttp,
});

const { handle, password } = simulated.bluesky.addAccount({ handle: "alice.sandbox.example" });
const { instance, access_token } = simulated.mastodon.addAccount({ username: "alice" });
const profiles = [
  await social.profiles.connect({ network: "bluesky", credentials: { identifier: handle, app_password: password } }),
  await social.profiles.connect({ network: "mastodon", credentials: { instance, access_token } }),
];

const image = sharp({ create: { width: 1_200, height: 800, channels: 3, background: "#c0392b" } });
const { url } = await social.media.upload(await image.avif().toBuffer());
const body = { profile_ids: profiles.map(({ id }) => id), text: "Red", media: [url] };

for (const { network, media } of (await social.posts.validate(body)).targets) {
  for (const { action, before, after, reasons } of media) {
    console.log(`${network}: ${before.mime_type} → ${after?.mime_type} (${action})`, ...reasons);
  }
}
console.log((await social.posts.create(body)).status);
