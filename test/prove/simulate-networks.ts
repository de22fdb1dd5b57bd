import type { ConnectProfile } from "../../src/profiles/schema.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";

/** A kind of account on a network. */
export interface ProfileKind {
  name: string;
  threads: boolean;
  /** False: after a lost answer nobody can tell whether the post is there. */
  canBeAsked: boolean;
  connect(sandbox: Sandbox, name: string): ConnectProfile;
}

/** An instance of mastodon that ignores keys. */
export const lookAlike = "look-alike.sandbox.example";

export const profileKinds: readonly ProfileKind[] = [
  {
    name: "bluesky",
    threads: true,
    canBeAsked: true,
    connect(sandbox, name) {
      const { handle, password } = sandbox.bluesky.addAccount({ handle: `${name}.sandbox.example` });
      return { network: "bluesky", credentials: { identifier: handle, app_password: password } };
    },
  },
  {
    name: "mastodon",
    threads: true,
    canBeAsked: true,
    connect(sandbox, username) {
      const { instance, access_token } = sandbox.mastodon.addAccount({ username });
      return { network: "mastodon", credentials: { instance, access_token } };
    },
  },
  {
    name: "mastodon look-alike that ignores keys",
    threads: true,
    canBeAsked: true,
    connect(sandbox, username) {
      const { instance, access_token } = sandbox.mastodon.addAccount({ username, instance: lookAlike });
      return { network: "mastodon", credentials: { instance, access_token } };
    },
  },
  {
    name: "discord bot",
    threads: false,
    canBeAsked: true,
    connect(sandbox) {
      const bot_token = sandbox.discord.addBot();
      return { network: "discord", credentials: { bot_token, channel_id: sandbox.discord.addChannel() } };
    },
  },
  {
    name: "discord webhook",
    threads: false,
    canBeAsked: false,
    connect(sandbox) {
      const webhook_url = sandbox.discord.addWebhook({ channel: sandbox.discord.addChannel() });
      return { network: "discord", credentials: { webhook_url } };
    },
  },
];
