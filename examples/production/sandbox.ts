/** `npx tsx examples/production/sandbox.ts`: simulated networks for several processes, to try the example. */
import { createSandbox, serveSandbox } from "postrider/sandbox";

const sandbox = createSandbox();
const { instance, access_token } = sandbox.mastodon.addAccount({ username: "alice" });
const ann = sandbox.mastodon.addAccount({ username: "ann" });
const { url } = await serveSandbox(sandbox.http, { port: Number(process.env.SANDBOX_PORT ?? 4700) });
console.log(`SOCIAL_SANDBOX_URL=${url}`);
console.log(JSON.stringify({ network: "mastodon", credentials: { instance, access_token } }));

console.log("Type a line, and ann writes it to alice:");
process.stdin.on("data", (line) => sandbox.mastodon.postAs(ann.external_id, { text: `@alice ${String(line).trim()}` }));
