import { bluesky } from "../../src/networks/bluesky/index.ts";
import type { NetworkAdapter } from "../../src/networks/contract/adapter.ts";
import { facebook } from "../../src/networks/facebook/index.ts";
import { mastodon } from "../../src/networks/mastodon/index.ts";
import { twitch } from "../../src/networks/twitch/index.ts";
import { sandboxApp as facebookApp } from "../../src/sandbox/facebook/logins.ts";
import type { InboxScene, OwnerWho, PersonWho, ScenePerson } from "../../src/sandbox/inbox-scene.ts";
import type { SandboxHost, SandboxPost } from "../../src/sandbox/network.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { sandboxApp as twitchApp } from "../../src/sandbox/twitch/logins.ts";

/** The sandbox's app, as an adapter's option. */
const idAndSecret = ({ client_id, client_secret }: { client_id: string; client_secret: string }) => ({
  client_id,
  client_secret,
});

/** A network with an inbox. */
export interface InboxNetwork {
  network: "bluesky" | "mastodon" | "facebook" | "twitch";
  adapter(): NetworkAdapter;
  host(sandbox: Sandbox): SandboxHost;
  /** Opens an account. */
  open(sandbox: Sandbox, options: { name: string; newerPosts?: number }): InboxScene;
}

export const inboxNetworks: readonly InboxNetwork[] = [
  {
    network: "bluesky",
    adapter: () => bluesky({ scopes: ["publish", "inbox"] }),
    host: (sandbox) => sandbox.bluesky,
    open: (sandbox, { name }) => sandbox.bluesky.people({ name }),
  },
  {
    network: "mastodon",
    adapter: () => mastodon({ scopes: ["publish", "inbox"] }),
    host: (sandbox) => sandbox.mastodon,
    open: (sandbox, { name }) => sandbox.mastodon.people({ name }),
  },
  {
    network: "facebook",
    adapter: () => facebook({ app: idAndSecret(facebookApp), scopes: ["publish", "inbox"] }),
    host: (sandbox) => sandbox.facebook,
    open: (sandbox, options) => sandbox.facebook.people(options),
  },
  {
    network: "twitch",
    adapter: () => twitch({ app: idAndSecret(twitchApp) }),
    host: (sandbox) => sandbox.twitch,
    open: (sandbox, { name }) => sandbox.twitch.people({ name }),
  },
];

/** A post by a person. */
export interface Written {
  text: string;
  /** The network's id of the message to which it replies. */
  reply_to?: string | undefined;
}

/** An account with posts, and people whose posts are public. */
export interface ListedScene extends InboxScene {
  person(name: string): PersonWho<"handle" | "mention" | "reply" | "unsend">;
  owner: OwnerWho<"reply">;
}

/** A network that is read from its lists alone. The account is `alice`. */
export interface ListedNetwork {
  network: "bluesky" | "mastodon";
  adapter(): NetworkAdapter;
  open(sandbox: Sandbox, options: { name: string }): ListedScene;
  /** How people name the account in a text. */
  name: string;
  /** Posts as the account with this id; returns the network's id of the post. */
  write(sandbox: Sandbox, by: string, written: Written): string;
  /** Hides a person's account with all their messages, or shows it again. */
  hide(sandbox: Sandbox, person: ScenePerson, isHidden: boolean): void;
  /** The operation that reads messages again. */
  reread: string;
  /** Every post on the network, read without the library. */
  posts(sandbox: Sandbox): readonly SandboxPost[];
}

export const listedNetworks: readonly ListedNetwork[] = [
  {
    network: "bluesky",
    adapter: () => bluesky({ scopes: ["publish", "inbox"] }),
    open: (sandbox, options) => sandbox.bluesky.people(options),
    name: "@alice.sandbox.example",
    write: (sandbox, by, written) => sandbox.bluesky.postAs(by, written),
    hide({ bluesky: there }, { handle = "" }, isHidden) {
      if (isHidden) there.takeDown(handle.slice(1));
      else there.restore(handle.slice(1));
    },
    reread: "getPosts",
    posts: (sandbox) => sandbox.bluesky.posts(),
  },
  {
    network: "mastodon",
    adapter: () => mastodon({ scopes: ["publish", "inbox"] }),
    open: (sandbox, options) => sandbox.mastodon.people(options),
    name: "@alice",
    write: (sandbox, by, written) => sandbox.mastodon.postAs(by, written),
    hide: ({ mastodon: there }, { id }, isHidden) => (isHidden ? there.suspend(id) : there.unsuspend(id)),
    reread: "GET /api/v1/statuses",
    posts: (sandbox) => sandbox.mastodon.posts(),
  },
];
