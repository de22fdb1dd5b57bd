/** `npx tsx examples/tenants/apps.ts`: each tenant uses its own app at LinkedIn, or a token that it already has. */
import { randomBytes } from "node:crypto";
import { createSocialService } from "postrider";
import { linkedin } from "postrider/networks/linkedin";
import { createSandbox } from "postrider/sandbox";
import { memoryStorage } from "postrider/storage/memory";

// In production: a table in your database.
const apps: Record<string, { client_id: string; client_secret: string }> = {
  acct_42: { client_id: "app-of-42", client_secret: "secret-of-42" },
  acct_43: { client_id: "app-of-43", client_secret: "secret-of-43" },
};

const { http, untrustedHttp, ...simulated } = createSandbox(); // Without it the same code uses the real network.
const social = createSocialService({
  storage: memoryStorage(),
  networks: [linkedin({ app: (accountId) => apps[accountId] ?? null })],
  encryptionKey: randomBytes(32).toString("base64"),
  tenants: true,
  baseUrl: "https://app.example.com/social",
  trustedOrigins: ["https://app.example.com"],
  http,
  untrustedHttp,
});

for (const accountId of Object.keys(apps)) {
  const { connections } = social.forAccount(accountId);
  const started = await connections.start({ network: "linkedin", redirect_url: "https://app.example.com/connected" });
  console.log(accountId, "connects through", new URL(started.authorization_url).searchParams.get("client_id"));
}

// A token that you already have needs no app.
const { access_token } = simulated.linkedin.addMember({ name: "Fay Doe" });
const { profiles } = social.forAccount("acct_44");
const profile = await profiles.connect({ network: "linkedin", credentials: { access_token } });
console.log("acct_44 by token:", profile.name, profile.status);
