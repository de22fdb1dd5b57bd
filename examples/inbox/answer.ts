/** `npx tsx examples/inbox/answer.ts`: a user mentions a profile and gets a reply. The network is simulated. */
import { randomBytes } from "node:crypto";
import { createSocialService } from "postrider";
import { mastodon } from "postrider/networks/mastodon";
import { createSandbox } from "postrider/sandbox";
import { memoryStorage } from "postrider/storage/memory";

const sandbox = createSandbox();
const { credentials, person } = sandbox.mastodon.people({ name: "alice" });

const { http, untrustedHttp } = sandbox;
const encryptionKey = randomBytes(32).toString("base64");
const networks = [mastodon({ scopes: ["publish", "inbox"] })];
const social = createSocialService({ storage: memoryStorage(), networks, encryptionKey, http, untrustedHttp });
social.on("message.received", ({ conversation, message }) => {
  console.log(`${conversation.kind} from ${conversation.participant.name}: ${message.text}`);
});

await social.profiles.connect({ network: "mastodon", credentials });
person("Ann").mention("do you ship to Norway?");
await social.runDue(); // A process that has called start() polls every minute or so.

const { conversations } = social.inbox;
const [conversation] = (await conversations.list({ status: "open", unread: true })).data;
if (conversation === undefined) throw new Error("There is no conversation.");
const reply = await conversations.reply(conversation.id, {
  text: "We do: four days, no customs.",
  idempotency_key: "ticket-4711-1",
});
const { unread_count } = await conversations.markRead(conversation.id);
console.log(`${reply.direction}: ${reply.text} (${unread_count} unread)`);
