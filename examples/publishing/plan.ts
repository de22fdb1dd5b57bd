/** `npx tsx examples/publishing/plan.ts`: a preview of a post, a refusal by the network, and a retry. */
import { randomBytes } from "node:crypto";
import { createSocialService } from "postrider";
import { mastodon } from "postrider/networks/mastodon";
import { createSandbox } from "postrider/sandbox";
import { memoryStorage } from "postrider/storage/memory";

const { http, untrustedHttp, ...simulated } = createSandbox();
const social = createSocialService({
  storage: memoryStorage(),
  networks: [mastodon()],
  encryptionKey: randomBytes(32).toString("base64"),
  http,
  untrustedHttp,
});
const { instance, access_token } = simulated.mastodon.addAccount({ username: "alice" });
const profile = await social.profiles.connect({ network: "mastodon", credentials: { instance, access_token } });

// Sends nothing. Without `auto_thread`, a text that is too long is an issue.
const text = "Three rows of blue hills. ".repeat(30).trim();
for (const auto_thread of [false, true]) {
  const plan = await social.posts.validate({ profile_ids: [profile.id], text, auto_thread });
  for (const { network, valid, parts, issues } of plan.targets) {
    console.log(network, valid, parts.length, "parts,", issues.map(({ code }) => code).join() || "no issues");
  }
}

// The network refuses the next post only.
const answer = { status: 422, json: { error: "Validation failed: Text is not welcome here" } };
simulated.mastodon.faults.add({ kind: "refuse", operation: "commit", answer });
await social.posts.create({ profile_ids: [profile.id], text: "Hello", idempotency_key: "hello-4711" });

const failed = await social.posts.list({ status: "failed", network: "mastodon" });
for (const { id, targets } of failed.data) {
  console.log(targets[0]?.error?.code, targets[0]?.error?.message);
  const { status } = await social.posts.retry(id);
  console.log("retried:", status);
}
