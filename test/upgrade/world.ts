import type { InboxScene } from "../../src/sandbox/inbox-scene.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import { type ManualClock, manualClock } from "../../src/testing/clock.ts";
import { png } from "../media/samples.ts";
import { inboxScenes } from "../prove/inbox-people.ts";
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
  scenes: readonly InboxScene[];
  /** What people do there, scene by scene. */
  deeds: readonly (Deed & { scene: InboxScene })[];
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
  const opened = inboxScenes.map((open) => open(sandbox, { name: "fox", isPostOld: false }));
  const deeds = opened.flatMap((scene) => deedsOf(scene).map((deed) => ({ ...deed, scene })));
  return { clock, sandbox, logins, picture, scenes: opened, deeds };

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
