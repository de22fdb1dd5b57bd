/** The simulated networks in a process of their own, with accounts; told what each look at those on Mastodon finds. */
import type { MentionFlood } from "../../src/sandbox/mastodon/flood.ts";
import { createSandbox } from "../../src/sandbox/sandbox.ts";
import { serveSandbox } from "../../src/sandbox/serve.ts";

/** Where it is, and how its accounts are connected. */
export interface FloodServer {
  url: string;
  mastodon: { instance: string; access_token: string }[];
  bluesky: { identifier: string; app_password: string }[];
}

const accounts = 40;

const sandbox = createSandbox();
const numbers = Array.from({ length: accounts }, (_, number) => number);
const mastodon = numbers.map((number) => sandbox.mastodon.addAccount({ username: `account_${number}` }));
const bluesky = numbers.map((number) => sandbox.bluesky.addAccount({ handle: `account-${number}.sandbox.example` }));
const { url } = await serveSandbox(sandbox.http);
const server: FloodServer = {
  url,
  mastodon: mastodon.map(({ instance, access_token }) => ({ instance, access_token })),
  bluesky: bluesky.map(({ handle, password }) => ({ identifier: handle, app_password: password })),
};
process.send?.(server);
process.on("message", (flood: MentionFlood) => {
  for (const { external_id } of mastodon) sandbox.mastodon.flood(external_id, flood);
  process.send?.("done");
});
process.once("disconnect", () => process.exit());
