/** `npx tsx examples/tenants/tenants.ts`: two tenants that cannot see each other's data. */
import { randomBytes } from "node:crypto";
import { createSocialService, SocialError } from "postrider";
import { bluesky } from "postrider/networks/bluesky";
import { createSandbox } from "postrider/sandbox";
import { memoryStorage } from "postrider/storage/memory";

const { http, untrustedHttp, ...simulated } = createSandbox(); // Without it the same code publishes for real.
const social = createSocialService({
  storage: memoryStorage(),
  networks: [bluesky()],
  encryptionKey: randomBytes(32).toString("base64"),
  tenants: true,
  http,
  untrustedHttp,
});

const alice = social.forAccount("acct_42");
const bob = social.forAccount("acct_43");

const { handle, password } = simulated.bluesky.addAccount({ handle: "alice.sandbox.example" });
const credentials = { identifier: handle, app_password: password };
const profile = await alice.profiles.connect({ network: "bluesky", credentials });
const post = await alice.posts.create({ profile_ids: [profile.id], text: "Hello", idempotency_key: "hello-4711" });
console.log("alice:", post.status);

try {
  await bob.posts.get(post.id);
} catch (error) {
  if (!SocialError.is(error)) throw error;
  console.log("bob:", error.code, error.status);
}
console.log("posts without an account:", "posts" in social);

// An API key belongs to one account.
const { key } = await social.keys.create({ account_id: "acct_42", scopes: ["read"] });
console.log("a key:", `${key.slice(0, 13)}…`);
