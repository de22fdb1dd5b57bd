import { randomBytes } from "node:crypto";
import { createSocialService } from "postrider";
import { bluesky } from "postrider/networks/bluesky";
import { createSandbox } from "postrider/sandbox";
import { memoryStorage } from "postrider/storage/memory";

const { http, untrustedHttp, ...simulated } = createSandbox(); // Without it the same code publishes for real.
const account = simulated.bluesky.addAccount({ handle: "alice.sandbox.example" });
const encryptionKey = randomBytes(32).toString("base64"); // Generate it once and store it as a secret.
const ports = { storage: memoryStorage(), encryptionKey, http, untrustedHttp };
const social = createSocialService({ ...ports, networks: [bluesky()] });

const credentials = { identifier: account.handle, app_password: account.password };
const profile = await social.profiles.connect({ network: "bluesky", credentials });
const body = { profile_ids: [profile.id], text: "Hello from postrider", idempotency_key: "hello-2026-11-21" };
const post = await social.posts.create(body);
console.log(post.status, post.targets[0]?.url);
