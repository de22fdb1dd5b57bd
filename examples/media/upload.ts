/** `npx tsx examples/media/upload.ts`: uploads an image, uses it in a draft, and fetches it as a network would. */
import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSocialService, SocialError } from "postrider";
import { createHandler } from "postrider/http";
import { filesStore } from "postrider/media/files";
import { bluesky } from "postrider/networks/bluesky";
import { createSandbox } from "postrider/sandbox";
import { memoryStorage } from "postrider/storage/memory";

const { http, untrustedHttp, ...simulated } = createSandbox(); // Without it the same code publishes for real.
const social = createSocialService({
  storage: memoryStorage(),
  networks: [bluesky()],
  encryptionKey: randomBytes(32).toString("base64"),
  mediaStore: filesStore(mkdtempSync(join(tmpdir(), "media-"))),
  baseUrl: "https://app.example.com/social",
  http,
  untrustedHttp,
});
const handler = createHandler(social, { basePath: "/social" });

const dot = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
const file = await social.media.upload(dot);
console.log("uploaded:", file.content_type, file.size_bytes, "bytes,", file.status);

const { handle, password } = simulated.bluesky.addAccount({ handle: "alice.sandbox.example" });
const credentials = { identifier: handle, app_password: password };
const profile = await social.profiles.connect({ network: "bluesky", credentials });
await social.posts.create({ profile_ids: [profile.id], text: "Hello", media: [file.url], draft: true });

const response = await handler(new Request(file.url));
console.log("fetched:", response.status, response.headers.get("content-type"));

for (const refused of [() => social.media.delete(file.url), () => social.media.upload(Buffer.from("<html></html>"))]) {
  const error = await refused().catch((reason: unknown) => reason);
  if (!SocialError.is(error)) throw error;
  console.log(`${error.code}:`, error.details[0]?.message ?? error.message);
}
