import type { ConnectProfile } from "../../src/profiles/schema.ts";
import type { InstanceWays } from "../../src/sandbox/mastodon/ways.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { randomWays } from "../support/instance-ways.ts";
import type { Random } from "./random.ts";

/** A kind of account on a network. */
export interface ProfileKind {
  name: string;
  threads: boolean;
  /** False: after a lost answer nobody can tell whether the post is there. */
  canBeAsked: boolean;
  /** Its server has ways of its own. @default false */
  isSmall?: true;
  connect(sandbox: Sandbox, name: string): ConnectProfile;
}

/** The instance of a small server is named after its only account. */
const smallHost = (name: string): string => `${name}.small.example`;

/** Makes the instance on which the account of this name will be. */
export function addSmallServer(sandbox: Sandbox, name: string, random: Random): Partial<InstanceWays> {
  const ways = randomWays(random);
  sandbox.mastodon.addInstance({ host: smallHost(name), apiVersion: null, ...ways });
  return ways;
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
    name: "small server",
    threads: true,
    canBeAsked: true,
    isSmall: true,
    connect(sandbox, username) {
      const instance = smallHost(username);
      const { access_token } = sandbox.mastodon.addAccount({ username, instance });
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
