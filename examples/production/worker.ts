/** `npx tsx examples/production/worker.ts`: publishes scheduled posts, retries, reads the inbox and delivers webhooks. */
import { close, social } from "./social.ts";

social.on("post.published", ({ post }) => console.log(`Published ${post.targets[0]?.url}`));
social.on("message.received", ({ message }) => console.log(`Received ${message.text}`));

process.once("SIGTERM", () => void close());
await social.start();
console.log("The worker has started.");
