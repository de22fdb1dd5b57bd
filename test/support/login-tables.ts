import { createHandler } from "../../src/http/handler.ts";
import { bluesky } from "../../src/networks/bluesky/index.ts";
import type { NetworkAdapter } from "../../src/networks/contract/adapter.ts";
import type { Cost, NetworkSpec } from "../../src/networks/contract/spec.ts";
import { discord } from "../../src/networks/discord/index.ts";
import { facebook } from "../../src/networks/facebook/index.ts";
import { google_business } from "../../src/networks/google_business/index.ts";
import { instagram } from "../../src/networks/instagram/index.ts";
import { linkedin } from "../../src/networks/linkedin/index.ts";
import { mastodon } from "../../src/networks/mastodon/index.ts";
import { pinterest } from "../../src/networks/pinterest/index.ts";
import { postsQuota } from "../../src/networks/runtime/budgets.ts";
import { describeNetwork } from "../../src/networks/runtime/registry.ts";
import type { NetworkDescription } from "../../src/networks/runtime/schema.ts";
import type { Purpose } from "../../src/networks/shared/scopes.ts";
import { threads } from "../../src/networks/threads/index.ts";
import { tiktok } from "../../src/networks/tiktok/index.ts";
import { twitch } from "../../src/networks/twitch/index.ts";
import { x } from "../../src/networks/x/index.ts";
import { youtube } from "../../src/networks/youtube/index.ts";
import type { JsonObject } from "../../src/wire/json.ts";
import { table } from "./document-tables.ts";
import { ownPage } from "./login.ts";
import { createTestService } from "./service.ts";

const baseUrl = "https://app.example.com/social";
const server = "mastodon.sandbox.example";
const app = { client_id: "app", client_secret: "secret" };

/** One of the ways in which profiles of a network are connected in a browser. */
interface LoginWay {
  /** With an app. @param scopes not for networks that have no such setting */
  adapter(scopes: Purpose[]): NetworkAdapter;
  /** The setting of the adapter, or the field of `login`, that chooses this way. Absent: there is no other. */
  chosenBy?: string;
  login?: JsonObject;
}

const waysOf: Readonly<Record<string, readonly [LoginWay, ...LoginWay[]]>> = {
  bluesky: [{ adapter: (scopes) => bluesky({ app: { name: "A host" }, scopes }) }],
  mastodon: [{ adapter: (scopes) => mastodon({ app: { name: "A host" }, scopes }), login: { instance: server } }],
  discord: [
    { adapter: () => discord({ app: { ...app, bot_token: "bot" } }), chosenBy: 'as: "bot"', login: { as: "bot" } },
    { adapter: () => discord({ app }), chosenBy: 'as: "webhook"', login: { as: "webhook" } },
  ],
  x: [{ adapter: (scopes) => x({ app, scopes }) }],
  youtube: [{ adapter: (scopes) => youtube({ app, scopes }) }],
  instagram: [
    { adapter: (scopes) => instagram({ app: { instagram: app }, scopes }), chosenBy: "app.instagram" },
    { adapter: (scopes) => instagram({ app: { facebook: app }, scopes }), chosenBy: "app.facebook" },
  ],
  threads: [{ adapter: (scopes) => threads({ app, scopes }) }],
  facebook: [{ adapter: (scopes) => facebook({ app, scopes }) }],
  linkedin: [
    { adapter: (scopes) => linkedin({ app, scopes }), chosenBy: 'product: "self_serve"' },
    {
      adapter: (scopes) => linkedin({ app, scopes, product: "community_management" }),
      chosenBy: 'product: "community_management"',
    },
  ],
  tiktok: [{ adapter: (scopes) => tiktok({ app: { client_key: "app", client_secret: "secret" }, scopes }) }],
  pinterest: [{ adapter: () => pinterest({ app }) }],
  google_business: [{ adapter: (scopes) => google_business({ app, scopes }) }],
  twitch: [{ adapter: () => twitch({ app }) }],
};

/** A network as it is described where it has an app, so that its profiles can be connected in a browser. */
export function withLogin(description: NetworkDescription): NetworkDescription {
  const way = waysOf[description.network]?.[0];
  return way === undefined ? description : { ...description, login: describeNetwork(way.adapter(["publish"])).login };
}

/** For each network what its login page gets from the adapter, and what it charges: `x-login`. */
export async function loginTables(): Promise<Record<string, string>> {
  const tables: Record<string, string> = {};
  for (const [network, ways] of Object.entries(waysOf)) {
    const rows = (await Promise.all(ways.map(rowsOf))).flat();
    // All ways of a network come back to one address.
    const once = new Map([...rows, ...chargedRows(ways[0].adapter(["publish"]).spec)]);
    tables[`${network}-login`] = table(["setting", "value"], [...once]);
  }
  return tables;
}

type Row = [label: string, value: string];

async function rowsOf(way: LoginWay): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [purpose, scopes] of purposesOf(way)) {
    const asked = await askedFor(way, scopes);
    const callback = asked.callback.replace(baseUrl, "{baseUrl}").replace(server, "{server}");
    const label = way.chosenBy === undefined ? purpose : `${purpose}, \`${way.chosenBy}\``;
    rows.push(["callback address", `\`${callback}\``], [label, asked.scopes.map((scope) => `\`${scope}\``).join(" ")]);
  }
  return rows;
}

/** Only what the package can do: it reads no inbox where it has none. */
function purposesOf({ adapter }: LoginWay): [label: string, scopes: Purpose[]][] {
  const { spec, inbox } = adapter(["publish", "inbox"]);
  if (spec.post_types.length === 0) return [["scopes for the inbox", ["inbox"]]];
  const publishing: [string, Purpose[]] = ["scopes for publishing", ["publish"]];
  return inbox === undefined
    ? [publishing]
    : [publishing, ["scopes for publishing and the inbox", ["publish", "inbox"]]];
}

/** As the network gets it: in the address of its login page, or in the document about the app that it reads. */
async function askedFor(
  { adapter, login = {} }: LoginWay,
  scopes: Purpose[],
): Promise<{ callback: string; scopes: string[] }> {
  const asking = adapter(scopes);
  const { network } = asking.spec;
  const { social, clock } = createTestService({ networks: [asking], baseUrl });
  if (asking.connect.browser?.documents !== undefined) {
    const handler = createHandler(social, { basePath: "/social" });
    const request = new Request(`${baseUrl}/connect/${network}/client-metadata.json`);
    const response = await clock.run(() => handler(request));
    const { redirect_uris, scope } = (await response.json()) as { redirect_uris: [string]; scope: string };
    return { callback: redirect_uris[0], scopes: scope.split(" ") };
  }
  const page = await clock.run(() => social.connections.start({ network, redirect_url: ownPage, login }));
  const { redirect_uri, scope } = Object.fromEntries(new URL(page.authorization_url).searchParams);
  return { callback: String(redirect_uri), scopes: String(scope).split(/[ ,]/) };
}

const charged: Readonly<Record<Cost["for"], string>> = {
  post: "post",
  post_with_link: "post with a link",
  read: "post that is read back",
};

function chargedRows({ cost = [], budgets = [] }: Pick<NetworkSpec, "cost" | "budgets">): Row[] {
  const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 3 });
  const prices = cost.map(({ for: what, usd, as_of }) => `${dollars.format(usd)} for each ${charged[what]} (${as_of})`);
  const posts = postsQuota({ budgets });
  const quota = posts === null ? "" : `${posts.posts}, all profiles of the app together`;
  const rows: Row[] = [
    ["price", prices.join(", ")],
    ["posts a day", quota],
  ];
  return rows.filter(([, value]) => value !== "");
}
