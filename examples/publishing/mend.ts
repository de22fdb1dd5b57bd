/** `npx tsx examples/publishing/mend.ts`: live on one network, refused by another: change the text for that one and retry. */
import { randomBytes } from "node:crypto";
import { createSocialService } from "postrider";
import { bluesky } from "postrider/networks/bluesky";
import { mastodon } from "postrider/networks/mastodon";
import { createSandbox } from "postrider/sandbox";
import { memoryStorage } from "postrider/storage/memory";

const { http, untrustedHttp, ...simulated } = createSandbox();
const encryptionKey = randomBytes(32).toString("base64");
const ports = { storage: memoryStorage(), encryptionKey, http, untrustedHttp };
const social = createSocialService({ ...ports, networks: [bluesky(), mastodon()] });
const { handle, password } = simulated.bluesky.addAccount({ handle: "alice.sandbox.example" });
const { instance, access_token } = simulated.mastodon.addAccount({ username: "alice" });
const profiles = await Promise.all([
  social.profiles.connect({ network: "bluesky", credentials: { identifier: handle, app_password: password } }),
  social.profiles.connect({ network: "mastodon", credentials: { instance, access_token } }),
]);

// Mastodon refuses the next post only.
const answer = { status: 422, json: { error: "Validation failed: Text is not welcome here" } };
simulated.mastodon.faults.add({ kind: "refuse", operation: "commit", answer });
const body = { profile_ids: profiles.map(({ id }) => id), text: "Hills for sale", idempotency_key: "hills-4711" };
const post = await social.posts.create(body);
console.log(post.status);

// The text is live on Bluesky, so it stays. Mastodon gets its own text.
const mended = await social.posts.update(post.id, { networks: { mastodon: { text: "Hills" } } });
console.log(mended.status, JSON.stringify(mended.networks));

// Repeating the call with the same key starts no second retry.
const retried = await social.posts.retry(post.id, { idempotency_key: "hills-4711-retry-1" });
console.log(retried.status, simulated.mastodon.posts()[0]?.text);
