/** Every filter of the long lists, and every pair of filters, in a store with many rows of one account. */
import type { SocialService } from "../../src/service.ts";
import { silentLogger } from "../support/logger.ts";
import { testKey } from "../support/service.ts";
import type { BenchOptions } from "./arguments.ts";
import { type Built, importBuilt } from "./built.ts";
import { type BenchDatabase, openPostgres, openSqlite } from "./database.ts";
import { fillLists, listedAt, longLists, oldNetwork } from "./fill-lists.ts";
import { cpuMs } from "./measure.ts";
import { type BenchResult, time } from "./result.ts";

/** Milliseconds. SQLite holds up the event loop meanwhile: of it counts what this process has worked. */
const goalsMs = { SQLite: 100, Postgres: 150 };
const calls = 5;

/** A filter: values that find many rows, few old ones, and none. */
type Filter = readonly (readonly [name: string, query: object])[];

const created = (from: number, until: number) => ({ created_after: listedAt(from), created_before: listedAt(until) });

const postFilters = (rows: number): Filter[] => [
  [
    ["a status", { status: ["published"] }],
    ["two statuses", { status: ["published", "failed"] }],
    ["a status of nothing", { status: ["publishing"] }],
  ],
  [
    ["a network", { network: ["bluesky"] }],
    ["two networks", { network: ["bluesky", "mastodon"] }],
    ["an old network", { network: [oldNetwork] }],
    ["a network of nothing", { network: ["youtube"] }],
  ],
  [
    ["a profile", { profile_id: longLists.profileId }],
    ["a profile of nothing", { profile_id: "prof_none" }],
  ],
  [
    ["a time", created(0, rows)],
    ["a time of nothing", created(-2, -1)],
  ],
];

const deliveryFilters: Filter[] = [
  [
    ["a status", { status: ["delivered"] }],
    ["a rare status", { status: ["failed"] }],
    ["a status of nothing", { status: ["pending"] }],
  ],
  [
    ["an event", { event: ["post.published"] }],
    ["a rare event", { event: ["profile.connected"] }],
    ["an event of nothing", { event: ["webhook.test"] }],
  ],
];

const conversationFilters: Filter[] = [
  [
    ["open", { status: "open" }],
    ["closed", { status: "closed" }],
  ],
  [
    ["a kind", { kind: ["dm"] }],
    ["a kind of nothing", { kind: ["mention"] }],
  ],
  [
    ["a network", { network: ["facebook"] }],
    ["a network of nothing", { network: ["bluesky"] }],
  ],
  [
    ["a profile", { profile_id: longLists.profileId }],
    ["a profile of nothing", { profile_id: "prof_none" }],
  ],
  [
    ["unread", { unread: true }],
    ["read", { unread: false }],
  ],
];

/** Nothing, each filter, and each pair of them. */
function queriesOf(filters: readonly Filter[]): (readonly [name: string, query: object])[] {
  const pairs = filters.flatMap((one, place) =>
    filters
      .slice(place + 1)
      .flatMap((other) =>
        one.flatMap(([name, query]) =>
          other.map(([otherName, otherQuery]) => [`${name} and ${otherName}`, { ...query, ...otherQuery }] as const),
        ),
      ),
  );
  return [["all", {}], ...filters.flat(), ...pairs];
}

interface Asked {
  name: string;
  ask(): Promise<unknown>;
}

function listsOf({ posts, inbox, webhooks }: SocialService, rows: number): Asked[] {
  const asked = (list: string, filters: readonly Filter[], ask: (query: object) => Promise<unknown>): Asked[] =>
    queriesOf(filters).map(([name, query]) => ({ name: `${list}: ${name}`, ask: () => ask(query) }));
  return [
    ...asked("posts", postFilters(rows), (query) => posts.list(query)),
    ...asked("deliveries", deliveryFilters, (query) => webhooks.deliveries.list(longLists.webhookId, query)),
    ...asked("conversations", conversationFilters, (query) => inbox.conversations.list(query)),
    ...asked("messages", [], (query) => inbox.conversations.messages(longLists.conversationId, query)),
  ];
}

export async function benchFilters({ rows }: BenchOptions): Promise<BenchResult[]> {
  const built = await importBuilt();
  const results: BenchResult[] = [];
  for (const open of [openSqlite, openPostgres]) results.push(...(await measureOn(await open(built), built, rows)));
  return results;
}

async function measureOn(database: BenchDatabase, built: Built, rows: number): Promise<BenchResult[]> {
  try {
    await fillLists(database, rows);
    await addEndpoint(database);
    // What autovacuum has done where rows are a day old. SQLite needs nothing.
    if (database.name === "Postgres") await database.run("VACUUM ANALYZE");
    const { storage, name } = database;
    const social = built.createSocialService({ storage, encryptionKey: testKey, logger: silentLogger, migrate: false });
    const measured: { name: string; ms: number }[] = [];
    for (const each of listsOf(social, rows))
      measured.push({ name: each.name, ms: await quickest(each.ask, name === "SQLite" ? cpuMs : wallMs) });
    const [slowest] = measured.sort((one, other) => other.ms - one.ms);
    return measured.slice(0, 8).map((each) => ({
      name: `${name}, ${rows.toLocaleString("en-US")}, ${each.name}`,
      ours: time(each.ms),
      floor: "",
      reached: time(each.ms),
      goal: `≤${goalsMs[name]} ms`,
      isMet: each.ms <= goalsMs[name],
      raw: each === slowest ? measured : each,
    }));
  } finally {
    await database.remove();
  }
}

const wallMs = (): number => performance.now();

async function quickest(ask: () => Promise<unknown>, now: () => number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let call = 0; call < calls; call++) {
    const startedAt = now();
    await ask();
    least = Math.min(least, now() - startedAt);
  }
  return least;
}

async function addEndpoint({ storage }: BenchDatabase): Promise<void> {
  const row = { id: longLists.webhookId, account_id: longLists.accountId, events: [], created_at: listedAt(0) };
  await storage.write([{ kind: "insert", collection: "endpoints", row }]);
}
