import type { SandboxPost } from "../../src/sandbox/network.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import { png } from "../media/samples.ts";
import { commitOf } from "../support/commit-watch.ts";
import { type FaultShares, spoil } from "./arena-faults.ts";
import type { Random } from "./random.ts";
import type { OpenVenue, VenueAccount, VenueReceiver } from "./venue.ts";

export interface SandboxVenueOptions {
  /** Of each kind. */
  accounts: number;
  /** One account of which nobody can tell what is on it. @default true */
  webhook?: boolean;
  faults: FaultShares;
  random: Random;
}

/** The simulated networks, which lose, delay and garble answers. */
export function sandboxVenue(options: SandboxVenueOptions): OpenVenue {
  return async (clock) => {
    const sandbox = createSandbox({ clock });
    return {
      http: sandbox.http,
      isCommit: (request) => commitOf(sandbox, request) !== null,
      accounts: [
        ...addAccounts(sandbox, options.accounts),
        ...(options.webhook === false ? [] : [addWebhook(sandbox)]),
      ],
      receiver: receiverIn(sandbox),
      picture: sandbox.media.put("picture.png", png(8, 8), { contentType: "image/png" }),
      spoil: () => spoil(sandbox, options.random, options.faults),
      close: async () => undefined,
    };
  };
}

export function receiverIn({ receivers }: Sandbox): VenueReceiver {
  return { url: receivers.url("proof"), taken: () => receivers.deliveries("proof") };
}

const lookAlike = "look-alike.sandbox.example";

/** `count` accounts of each kind. */
function addAccounts(sandbox: Sandbox, count: number): VenueAccount[] {
  const { bluesky, mastodon, discord } = sandbox;
  mastodon.addInstance({ host: lookAlike });
  mastodon.ignoreIdempotencyKeys(lookAlike);
  const bot_token = discord.addBot();
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  return [
    ...numbers.map((number): VenueAccount => {
      const { handle, password } = bluesky.addAccount({ handle: `alice${number}.sandbox.example` });
      const credentials = { identifier: handle, app_password: password };
      return account(`bluesky ${number}`, { network: "bluesky", credentials }, bluesky.posts);
    }),
    ...[undefined, lookAlike].flatMap((host) =>
      numbers.map((number): VenueAccount => {
        const given = { username: `alice${number}`, ...(host === undefined ? {} : { instance: host }) };
        const { instance, access_token } = mastodon.addAccount(given);
        const connection = { network: "mastodon" as const, credentials: { instance, access_token } };
        return account(`${instance} ${number}`, connection, mastodon.posts);
      }),
    ),
    ...numbers.map((number): VenueAccount => {
      const credentials = { bot_token, channel_id: discord.addChannel() };
      return {
        ...account(`discord bot ${number}`, { network: "discord", credentials }, discord.posts),
        threads: false,
      };
    }),
  ];
}

function addWebhook({ discord }: Sandbox): VenueAccount {
  const webhook_url = discord.addWebhook({ channel: discord.addChannel() });
  const connection = { network: "discord" as const, credentials: { webhook_url } };
  return { ...account("discord webhook", connection, discord.posts), threads: false, canBeAsked: false };
}

function account(name: string, connection: VenueAccount["connection"], posts: () => SandboxPost[]): VenueAccount {
  return { name, connection, posts: async () => posts(), threads: true, canBeAsked: true };
}
