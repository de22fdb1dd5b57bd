/** `npx tsx examples/connect/ending.ts`: lists profiles that must be reconnected within a week; for a daily cron job. */
import { randomBytes } from "node:crypto";
import { createSocialService } from "postrider";
import { linkedin } from "postrider/networks/linkedin";
import { createSandbox } from "postrider/sandbox";
import { memoryStorage } from "postrider/storage/memory";

const { http, untrustedHttp, ...simulated } = createSandbox(); // Without it the same code asks the real network.
const encryptionKey = randomBytes(32).toString("base64");
const social = createSocialService({
  storage: memoryStorage(),
  networks: [linkedin()],
  encryptionKey,
  http,
  untrustedHttp,
});

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
const { access_token } = simulated.linkedin.addMember({ name: "Fay Doe" });
const credentials = { access_token, expires_at: inDays(5) };
await social.profiles.connect({ network: "linkedin", credentials });

const { data } = await social.profiles.list({ status: "connected", reconnect_before: inDays(7), limit: 100 });
for (const { name, network, reconnect_by } of data) {
  console.log(`${name} on ${network}: please reconnect by ${reconnect_by}`);
}
