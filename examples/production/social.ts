/** The service, created from the environment. Every process imports this module. */
import { Pool } from "pg";
import { createSocialService } from "postrider";
import { bluesky } from "postrider/networks/bluesky";
import { facebook } from "postrider/networks/facebook";
import { mastodon } from "postrider/networks/mastodon";
import { remoteSandbox } from "postrider/sandbox";
import { postgresStorage } from "postrider/storage/postgres";

/** The value of a variable. An empty one counts as unset, as in a `.env` file that was not filled in. */
export function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === "") throw new Error(`The environment variable ${name} is not set.`);
  return value;
}

const pool = new Pool({ connectionString: required("DATABASE_URL") });
pool.on("error", console.error); // Without it, an idle connection that breaks ends the process.

const baseUrl = required("SOCIAL_BASE_URL");
/** Where the handler is mounted: the path of its public URL. */
export const basePath = new URL(baseUrl).pathname;

const client_id = required("FACEBOOK_APP_ID");
const client_secret = required("FACEBOOK_APP_SECRET");

const sandboxUrl = process.env.SOCIAL_SANDBOX_URL; // Only to try this example. In production leave it unset.
const simulated = sandboxUrl ? remoteSandbox(sandboxUrl, fetch) : undefined;

export const social = createSocialService({
  storage: postgresStorage(pool),
  encryptionKey: required("SOCIAL_ENCRYPTION_KEY").split(","), // The first key encrypts, all decrypt.
  networks: [
    bluesky({ scopes: ["publish", "inbox"] }), // Without an app: connected by an app password.
    mastodon({ app: { name: required("APP_NAME") }, scopes: ["publish", "inbox"] }),
    facebook({ app: { client_id, client_secret }, scopes: ["publish", "inbox"] }),
  ],
  baseUrl,
  trustedOrigins: [new URL(baseUrl).origin], // Your pages are on the same host.
  logger: console, // Or pino.
  http: simulated,
  untrustedHttp: simulated,
});

/** Finishes what this process is sending, and closes the connections. */
export async function close(): Promise<void> {
  await social.stop();
  await pool.end();
}
