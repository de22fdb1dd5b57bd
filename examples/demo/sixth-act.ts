import { randomBytes, randomUUID } from "node:crypto";
import { type Clock, createSocialService } from "postrider";
import { createHandler } from "postrider/http";
import { facebook } from "postrider/networks/facebook";
import { mastodon } from "postrider/networks/mastodon";
import { remoteSandbox } from "postrider/sandbox";
import { memoryStorage } from "postrider/storage/memory";
import { blank, headline, line, marked, say, whoLength } from "./screen.ts";
import { demoBaseUrl } from "./service.ts";
import type { Stage } from "./stage.ts";

/** The app that the simulated Facebook knows. */
const app = { client_id: "2204567890123456", client_secret: "facebook-app-secret" };

/** How fast time runs while nothing is asked. */
const speed = 60;
/** Conversations. */
const expected = 3;

const question = "Is the fox's plate shown on Sundays, too?";
const answer = "It is, from ten to four.";

/** Somebody writes, comments and names the account; each is answered. True when each network shows each answer once. */
export async function sixthAct({ sandbox, world, clock, hurry }: Stage): Promise<boolean> {
  headline("6. Answered");
  const http = remoteSandbox(world.sandboxUrl, hurry.send);
  const social = createSocialService({
    storage: memoryStorage({ clock }),
    networks: [mastodon({ scopes: ["publish", "inbox"] }), facebook({ app, scopes: ["publish", "inbox"] })],
    encryptionKey: randomBytes(32).toString("base64"),
    clock,
    http,
    untrustedHttp: http,
    baseUrl: demoBaseUrl,
  });
  sandbox.facebook.sendHooksTo(createHandler(social, { basePath: new URL(demoBaseUrl).pathname }));
  say(
    "Somebody writes to an account on Mastodon and to a Page on Facebook, and comments there on a post. Mastodon's " +
      "list is read; Facebook sends by itself, and what it sends is verified and stored before it is answered.",
  );
  hurry.begin(speed);
  const onMastodon = sandbox.mastodon.people({ name: "frontdesk" });
  const onFacebook = sandbox.facebook.people({ name: "The Observatory" });
  await social.profiles.connect({ network: "mastodon", credentials: onMastodon.credentials });
  await social.profiles.connect({ network: "facebook", credentials: onFacebook.credentials });
  await social.start();
  await until(clock, async () => (await social.inbox.status()).data.some(({ hooks }) => hooks?.subscribed_at != null));
  onMastodon.person("Ann").mention(question);
  onFacebook.person("Ann").dm(question);
  onFacebook.person("Ann").comment(question);
  const { conversations } = social.inbox;
  await until(clock, async () => (await conversations.list({ unread: true })).pagination.total === expected);
  hurry.end();
  const open = (await conversations.list({ unread: true })).data;
  for (const { id, network, kind, participant, last_message } of open) {
    const sent = await conversations.reply(id, { text: answer, idempotency_key: randomUUID() });
    await conversations.markRead(id);
    line(`${network.padEnd(whoLength)}${kind} from ${participant.name}: ${last_message.text}`);
    line(`${"".padEnd(whoLength)}${sent.direction}: ${sent.text}`);
  }
  await social.stop();
  const shown = [...onMastodon.texts(), ...onFacebook.texts()].filter((text) => text.includes(answer)).length;
  const unread = (await conversations.list({ unread: true })).pagination.total;
  const isRight = open.length === expected && shown === expected && unread === 0;
  blank();
  line(marked(isRight, `${open.length} conversations, ${unread} of them unread; the networks show ${shown} answers.`));
  blank();
  return isRight;
}

/** Five seconds each, on the demo's clock: a list is read each minute or so. */
const maxWaits = 120;

async function until({ sleep }: Clock, isSo: () => Promise<boolean>): Promise<void> {
  for (let waits = 0; waits < maxWaits && !(await isSo()); waits++) await sleep(5_000);
}
