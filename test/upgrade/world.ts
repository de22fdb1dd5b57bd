import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import { type ManualClock, manualClock } from "../../src/testing/clock.ts";
import { png } from "../media/samples.ts";
import { type Mailbox, mailboxes } from "../prove/inbox-people.ts";
import { type LeftCase, leftCases } from "./cases.ts";
import { type Deed, deedsOf } from "./people.ts";

/** Networks, accounts, files and people as they were when a version left its store: the same again each time. */
export interface LeftWorld {
  clock: ManualClock;
  sandbox: Sandbox;
  /** How to connect the account of each case: they do not wait for each other. */
  logins: ReadonlyMap<LeftCase, Login>;
  picture: string;
  /** One on each network that has an inbox. */
  mailboxes: readonly Mailbox[];
  /** What people do there, mailbox by mailbox. */
  deeds: readonly (Deed & { mailbox: Mailbox })[];
}

export interface Login {
  network: LeftCase["network"];
  credentials: Record<string, string>;
}

export function openLeftWorld(): LeftWorld {
  const clock = manualClock();
  const sandbox = createSandbox({ clock, seed: 16 });
  const bot_token = sandbox.discord.addBot();
  const logins = new Map<LeftCase, Login>();
  for (const [number, each] of leftCases.entries())
    logins.set(each, { network: each.network, credentials: login(each, number) });
  const picture = sandbox.media.put("picture.png", png(8, 8), { contentType: "image/png" });
  const opened = mailboxes.map((open) => open(sandbox, { name: "fox", isPostOld: false }));
  const deeds = opened.flatMap((mailbox) => deedsOf(mailbox).map((deed) => ({ ...deed, mailbox })));
  return { clock, sandbox, logins, picture, mailboxes: opened, deeds };

  function login({ network, isWebhook }: LeftCase, number: number): Record<string, string> {
    if (network === "bluesky") {
      const { handle, password } = sandbox.bluesky.addAccount({ handle: `alice${number}.sandbox.example` });
      return { identifier: handle, app_password: password };
    }
    if (network === "mastodon") {
      const { instance, access_token } = sandbox.mastodon.addAccount({ username: `alice${number}` });
      return { instance, access_token };
    }
    const channel = sandbox.discord.addChannel();
    if (isWebhook === true) return { webhook_url: sandbox.discord.addWebhook({ channel }) };
    return { bot_token, channel_id: channel };
  }
}
