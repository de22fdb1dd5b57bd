import type { CrashNetwork } from "./crash.ts";

const lookAlike = "look-alike.sandbox.example";

/** The three networks; discord in both of its ways. */
export const crashNetworks: readonly CrashNetwork[] = [
  {
    name: "bluesky",
    commit: "applyWrites",
    read: "getRecord",
    threads: true,
    canBeAsked: true,
    connect(sandbox) {
      const { handle, password } = sandbox.bluesky.addAccount({ handle: "alice.sandbox.example" });
      return { network: "bluesky", credentials: { identifier: handle, app_password: password } };
    },
    posts: (sandbox) => sandbox.bluesky.posts(),
    faults: (sandbox) => sandbox.bluesky.faults,
    lagReads: (sandbox, seconds) => sandbox.bluesky.lagReads(seconds),
  },
  {
    name: "mastodon",
    commit: "POST /api/v1/statuses",
    read: "GET /api/v1/accounts/:id/statuses",
    threads: true,
    canBeAsked: true,
    connect(sandbox) {
      const { instance, access_token } = sandbox.mastodon.addAccount({ username: "alice" });
      return { network: "mastodon", credentials: { instance, access_token } };
    },
    posts: (sandbox) => sandbox.mastodon.posts(),
    faults: (sandbox) => sandbox.mastodon.faults,
    lagReads: (sandbox, seconds) => sandbox.mastodon.lagReads(seconds),
  },
  {
    name: "mastodon look-alike that ignores keys",
    commit: "POST /api/v1/statuses",
    read: "GET /api/v1/accounts/:id/statuses",
    threads: true,
    canBeAsked: true,
    connect(sandbox) {
      sandbox.mastodon.addInstance({ host: lookAlike });
      sandbox.mastodon.ignoreIdempotencyKeys(lookAlike);
      const { instance, access_token } = sandbox.mastodon.addAccount({ username: "alice", instance: lookAlike });
      return { network: "mastodon", credentials: { instance, access_token } };
    },
    posts: (sandbox) => sandbox.mastodon.posts(),
    faults: (sandbox) => sandbox.mastodon.faults,
    lagReads: (sandbox, seconds) => sandbox.mastodon.lagReads(seconds),
  },
  {
    name: "discord bot",
    commit: "createMessage",
    read: "getMessages",
    threads: false,
    canBeAsked: true,
    connect(sandbox) {
      const bot_token = sandbox.discord.addBot();
      return { network: "discord", credentials: { bot_token, channel_id: sandbox.discord.addChannel() } };
    },
    posts: (sandbox) => sandbox.discord.posts(),
    faults: (sandbox) => sandbox.discord.faults,
    lagReads: (sandbox, seconds) => sandbox.discord.lagReads(seconds),
  },
  {
    name: "discord webhook",
    commit: "executeWebhook",
    read: null,
    threads: false,
    canBeAsked: false,
    connect(sandbox) {
      const webhook_url = sandbox.discord.addWebhook({ channel: sandbox.discord.addChannel() });
      return { network: "discord", credentials: { webhook_url } };
    },
    posts: (sandbox) => sandbox.discord.posts(),
    faults: (sandbox) => sandbox.discord.faults,
    lagReads: (sandbox, seconds) => sandbox.discord.lagReads(seconds),
  },
];
