import { bluesky } from "../../src/networks/bluesky/index.ts";
import type { NetworkAdapter } from "../../src/networks/contract/adapter.ts";
import type { NetworkId } from "../../src/networks/contract/network-id.ts";
import { discord } from "../../src/networks/discord/index.ts";
import { facebook } from "../../src/networks/facebook/index.ts";
import { google_business } from "../../src/networks/google_business/index.ts";
import { instagram } from "../../src/networks/instagram/index.ts";
import { linkedin } from "../../src/networks/linkedin/index.ts";
import { mastodon } from "../../src/networks/mastodon/index.ts";
import { pinterest } from "../../src/networks/pinterest/index.ts";
import { threads } from "../../src/networks/threads/index.ts";
import { tiktok } from "../../src/networks/tiktok/index.ts";
import { twitch } from "../../src/networks/twitch/index.ts";
import { x } from "../../src/networks/x/index.ts";
import { youtube } from "../../src/networks/youtube/index.ts";
import { sandboxApp as facebookApp } from "../../src/sandbox/facebook/logins.ts";
import { sandboxApps as instagramApps } from "../../src/sandbox/instagram/logins.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";

/** A network whose accounts are connected in a browser. */
export interface Preparation {
  network: NetworkId;
  /** True: it fetches files from the host, which it cannot from a local machine. @default false */
  needsPublicHost?: true;
  /** Creates accounts in the simulated network, registers an app there, and makes the adapter with it. */
  prepare(sandbox: Sandbox, callback: string): NetworkAdapter;
}

const preparations: readonly Preparation[] = [
  {
    network: "mastodon",
    prepare(sandbox) {
      sandbox.mastodon.addAccount({ username: "alice" });
      return mastodon({ app: { name: "A host" } });
    },
  },
  {
    network: "discord",
    prepare(sandbox, callback) {
      const guild = sandbox.discord.addGuild({ name: "Bakers" });
      for (const name of ["news", "talk", "offers"]) sandbox.discord.addChannel({ guild, name });
      const app = { client_id: "app-1", client_secret: "app-secret-1" };
      const bot_token = sandbox.discord.addApp({ ...app, redirect_uris: [callback] });
      return discord({ app: { ...app, bot_token } });
    },
  },
  {
    network: "x",
    prepare(sandbox, callback) {
      sandbox.x.addAccount({ username: "carol", name: "Carol" });
      const app = { client_id: "app-1", client_secret: "app-secret-1" };
      sandbox.x.addApp({ ...app, redirect_uris: [callback] });
      return x({ app });
    },
  },
  {
    network: "youtube",
    prepare(sandbox, callback) {
      sandbox.youtube.addChannel({ title: "Dora" });
      const app = { client_id: "app-1", client_secret: "app-secret-1" };
      sandbox.youtube.addApp({ ...app, redirect_uris: [callback] });
      return youtube({ app });
    },
  },
  {
    network: "threads",
    needsPublicHost: true,
    prepare(sandbox, callback) {
      sandbox.threads.addAccount({ username: "freya", name: "Freya" });
      const app = { client_id: "1130245670000001", client_secret: "app-secret-1" };
      sandbox.threads.addApp({ ...app, redirect_uris: [callback] });
      return threads({ app });
    },
  },
  {
    network: "linkedin",
    prepare(sandbox, callback) {
      const { external_id } = sandbox.linkedin.addMember({ name: "Fay Doe" });
      for (const name of ["Bakers", "Millers"])
        sandbox.linkedin.addOrganization({ name, roles: { [external_id]: "ADMINISTRATOR" } });
      const app = { client_id: "app-1", client_secret: "app-secret-1" };
      sandbox.linkedin.addApp({ ...app, redirect_uris: [callback] }, "community_management");
      return linkedin({ app, product: "community_management" });
    },
  },
  {
    network: "tiktok",
    prepare(sandbox, callback) {
      sandbox.tiktok.addAccount({ username: "frida" });
      const app = { client_id: "app-1", client_secret: "app-secret-1" };
      sandbox.tiktok.addApp({ ...app, redirect_uris: [callback] });
      return tiktok({ app: { client_key: app.client_id, client_secret: app.client_secret } });
    },
  },
  {
    network: "instagram",
    needsPublicHost: true,
    prepare(sandbox, callback) {
      sandbox.instagram.addAccount({ username: "fenja", name: "Fenja" });
      sandbox.instagram.addCallback(callback);
      const { client_id, client_secret } = instagramApps.instagram;
      return instagram({ app: { instagram: { client_id, client_secret } } });
    },
  },
  {
    network: "facebook",
    prepare(sandbox, callback) {
      const add = (name: string, username?: string): string =>
        sandbox.facebook.addPage({ name, ...(username === undefined ? {} : { username }) }).external_id;
      const pages = [add("Bakery", "bakery"), add("Mill")];
      sandbox.facebook.addPerson({ name: "Fiona", pages, owned: [add("Farm")] });
      sandbox.facebook.addCallback(callback);
      const { client_id, client_secret } = facebookApp;
      return facebook({ app: { client_id, client_secret } });
    },
  },
  {
    network: "pinterest",
    needsPublicHost: true,
    prepare(sandbox, callback) {
      sandbox.pinterest.addAccount({ username: "gina" });
      const app = { client_id: "app-1", client_secret: "app-secret-1" };
      sandbox.pinterest.addApp({ ...app, redirect_uris: [callback] });
      return pinterest({ app });
    },
  },
  {
    network: "google_business",
    prepare(sandbox, callback) {
      sandbox.google_business.addPerson({ titles: ["Bakery", "Café"], hasGroup: true });
      const app = { client_id: "business-1", client_secret: "app-secret-1" };
      sandbox.google_business.addApp({ ...app, redirect_uris: [callback] });
      return google_business({ app });
    },
  },
  {
    network: "twitch",
    prepare(sandbox, callback) {
      sandbox.twitch.addChannel("hanna", { name: "Hanna" });
      const app = { client_id: "app-1", client_secret: "app-secret-1" };
      sandbox.twitch.addApp({ ...app, redirect_uris: [callback] });
      return twitch({ app });
    },
  },
  {
    // On a local machine a host needs no key and no URL: the network knows such apps.
    network: "bluesky",
    prepare(sandbox) {
      sandbox.bluesky.addAccount({ handle: "emil.sandbox.example" });
      return bluesky({ app: { name: "A host" } });
    },
  },
];

export function preparationOf({ network }: Pick<LoginRow, "network">): Preparation {
  const found = preparations.find((each) => each.network === network);
  if (found === undefined) throw new Error(`nothing is prepared for ${network}`);
  return found;
}

/** One way to connect accounts, by the steps of a user in a browser. */
export interface LoginRow {
  name: string;
  network: NetworkId;
  /** The input for the host's form. */
  fields: Readonly<Record<string, string>>;
  /** The link on the network's page that allows everything. */
  allow: string;
  /** A required right, without which nothing is connected. */
  scope: string;
  /** The accounts of the sign-in, as the host's page shows them. */
  offered: readonly string[];
  /** The accounts that stay ticked. */
  chosen: readonly string[];
  /** The profiles connected in the end. */
  connected: readonly string[];
  /** True: the network's page is valid for one visit, and expires on its own. @default false */
  isPageOnce?: true;
}

export const loginRows: readonly LoginRow[] = [
  {
    name: "Mastodon",
    network: "mastodon",
    fields: { instance: "@alice@mastodon.sandbox.example" },
    allow: "Allow as alice",
    scope: "write:media",
    offered: ["alice (alice@mastodon.sandbox.example)"],
    chosen: ["alice (alice@mastodon.sandbox.example)"],
    connected: ["alice"],
  },
  {
    name: "a Discord bot",
    network: "discord",
    fields: {},
    allow: "Allow as owner of Bakers",
    scope: "guilds",
    offered: ["Bakers #news", "Bakers #talk", "Bakers #offers"],
    chosen: ["Bakers #news", "Bakers #offers"],
    connected: ["Bakers #news", "Bakers #offers"],
  },
  {
    name: "a Discord webhook",
    network: "discord",
    fields: { as: "webhook" },
    allow: "Allow as owner of #talk",
    scope: "webhook.incoming",
    offered: ["Spidey Bot"],
    chosen: ["Spidey Bot"],
    connected: ["Spidey Bot"],
  },
  {
    name: "X",
    network: "x",
    fields: {},
    allow: "Allow as carol",
    scope: "tweet.write",
    offered: ["Carol (carol)"],
    chosen: ["Carol (carol)"],
    connected: ["Carol"],
  },
  {
    name: "YouTube",
    network: "youtube",
    fields: {},
    allow: "Allow as Dora",
    scope: "https://www.googleapis.com/auth/youtube.upload",
    offered: ["Dora (@dora)"],
    chosen: ["Dora (@dora)"],
    connected: ["Dora"],
  },
  {
    name: "Twitch",
    network: "twitch",
    fields: {},
    allow: "Allow as Hanna",
    scope: "channel:bot",
    offered: ["Hanna (hanna)"],
    chosen: ["Hanna (hanna)"],
    connected: ["Hanna"],
  },
  {
    name: "Threads",
    network: "threads",
    fields: {},
    allow: "Allow as Freya",
    scope: "threads_content_publish",
    offered: ["Freya (freya)"],
    chosen: ["Freya (freya)"],
    connected: ["Freya"],
  },
  {
    name: "LinkedIn",
    network: "linkedin",
    fields: {},
    allow: "Allow as Fay Doe",
    scope: "w_organization_social",
    offered: ["Fay Doe (fay-doe)", "Bakers (bakers)", "Millers (millers)"],
    chosen: ["Fay Doe (fay-doe)", "Bakers (bakers)"],
    connected: ["Fay Doe", "Bakers"],
  },
  {
    name: "TikTok",
    network: "tiktok",
    fields: {},
    allow: "Allow as frida",
    scope: "video.publish",
    offered: ["Frida (frida)"],
    chosen: ["Frida (frida)"],
    connected: ["Frida"],
  },
  {
    name: "Instagram",
    network: "instagram",
    fields: {},
    allow: "Allow as Fenja",
    scope: "instagram_business_content_publish",
    offered: ["Fenja (fenja)"],
    chosen: ["Fenja (fenja)"],
    connected: ["Fenja"],
  },
  {
    name: "Facebook",
    network: "facebook",
    fields: {},
    allow: "Allow as Fiona",
    scope: "pages_manage_posts",
    offered: ["Bakery (bakery)", "Mill", "Farm"],
    chosen: ["Bakery (bakery)", "Farm"],
    connected: ["Bakery", "Farm"],
  },
  {
    name: "Pinterest",
    network: "pinterest",
    fields: {},
    allow: "Allow as gina",
    scope: "pins:write",
    offered: ["gina (gina)"],
    chosen: ["gina (gina)"],
    connected: ["gina"],
  },
  {
    name: "Google Business Profile",
    network: "google_business",
    fields: {},
    allow: "Allow as manager1@gmail.example",
    scope: "https://www.googleapis.com/auth/business.manage",
    offered: ["Bakery", "Café"],
    chosen: ["Café"],
    connected: ["Café"],
  },
  {
    name: "Bluesky",
    network: "bluesky",
    fields: { handle: "emil.sandbox.example" },
    allow: "Allow as emil.sandbox.example",
    scope: "transition:generic",
    offered: ["emil.sandbox.example (emil.sandbox.example)"],
    chosen: ["emil.sandbox.example (emil.sandbox.example)"],
    connected: ["emil.sandbox.example"],
    isPageOnce: true,
  },
];
