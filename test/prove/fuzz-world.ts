/** What the fuzzer sends to: a service with two accounts that must never see anything of each other. */
import { createHandler, type Handler } from "../../src/http/index.ts";
import { type Ids, idPrefixes } from "../../src/ports/ids.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import type { AccountModules } from "../../src/service.ts";
import { createSocialService } from "../../src/service.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { type ManualClock, manualClock } from "../../src/testing/clock.ts";
import type { CreatedEndpoint } from "../../src/webhooks/schema.ts";
import { connectBluesky, connectDiscord, connectMastodon, connectWebhook } from "../support/connect.ts";
import { testKey, testNetworks } from "../support/service.ts";
import { basePath } from "./fuzz-document.ts";
import { seededIds, seededRandom } from "./random.ts";

export const accounts = ["ours", "theirs"] as const;
export type Account = (typeof accounts)[number];

/** Who calls: an account's key, or one that is not to be taken. */
export const callers = ["ours", "theirs", "readOnly", "inboxOnly", "revoked", "spent"] as const;
export type CallerName = (typeof callers)[number];

export interface FuzzWorld {
  clock: ManualClock;
  handler: Handler;
  keys: Record<CallerName, string>;
  profileIds: Record<Account, string[]>;
  postIds: Record<Account, string[]>;
  webhookIds: Record<Account, string[]>;
  deliveryIds: Record<Account, string[]>;
  /** Where receivers answer. */
  receivers: string[];
  /** What connecting takes, of accounts that are there. */
  credentials: { network: string; credentials: Record<string, string> }[];
  /** Passwords and tokens: never in an answer. */
  secrets: string[];
  /** Posts by account and idempotency key. */
  keyed: Map<string, string>;
  /** What the service logged as an error since it was last emptied. */
  errors: string[];
}

/** Stands in all that an account has: texts, names, handles. */
export const markOf: Readonly<Record<Account, string>> = { ours: "canaryours", theirs: "canarytheirs" };

/** An idempotency key that both have used. */
export const sharedKey = "article-4700";

/** The same world each time: same time, same ids, same keys. */
export async function createFuzzWorld(): Promise<FuzzWorld> {
  const clock = manualClock();
  const sandbox = createSandbox({ clock });
  const storage = memoryStorage({ clock });
  const errors: string[] = [];
  const spent = { keyId: "" };
  const social = createSocialService({
    tenants: true,
    networks: testNetworks(),
    encryptionKey: testKey,
    clock,
    ids: countedIds(),
    http: sandbox.http,
    untrustedHttp: sandbox.untrustedHttp,
    logger: {
      debug() {},
      info() {},
      warn() {},
      error: (message, fields) => void errors.push(`${message} ${JSON.stringify(fields)}`),
    },
    storage: {
      ...storage,
      increment: (counter) =>
        spent.keyId !== "" && counter.key.includes(spent.keyId) ? Promise.resolve(1_000) : storage.increment(counter),
    },
  });
  const create = async (account_id: string, scopes?: ("read" | "inbox")[]) =>
    social.keys.create({ account_id, ...(scopes === undefined ? {} : { scopes }) });
  const keys = {
    ours: await create("ours"),
    theirs: await create("theirs"),
    readOnly: await create("ours", ["read"]),
    inboxOnly: await create("ours", ["inbox"]),
    revoked: await create("ours"),
    spent: await create("ours"),
  };
  await social.keys.revoke(keys.revoked.id);
  spent.keyId = keys.spent.id;
  sandbox.media.put("hills.png", tinyPng, { contentType: "image/png" });
  const credentials = createNewcomers(sandbox);
  const profileIds: FuzzWorld["profileIds"] = { ours: [], theirs: [] };
  const postIds: FuzzWorld["postIds"] = { ours: [], theirs: [] };
  const webhookIds: FuzzWorld["webhookIds"] = { ours: [], theirs: [] };
  const deliveryIds: FuzzWorld["deliveryIds"] = { ours: [], theirs: [] };
  const endpointSecrets: string[] = [];
  for (const account of accounts) {
    const modules = social.forAccount(account);
    for (const { id, secret } of await createEndpoints({ modules, sandbox, clock }, account)) {
      webhookIds[account].push(id);
      endpointSecrets.push(secret);
    }
    profileIds[account] = await connectProfiles({ social: modules, sandbox, clock }, account);
    postIds[account] = await createPosts({ modules, sandbox, clock }, account, profileIds[account]);
  }
  await clock.run(() => social.runDue());
  for (const account of accounts) {
    const { deliveries } = social.forAccount(account).webhooks;
    for (const id of webhookIds[account]) {
      deliveryIds[account].push(...(await deliveries.list(id)).data.map((delivery) => delivery.id));
    }
  }
  await clock.advance(120_000);
  return {
    clock,
    handler: createHandler(social, { basePath }),
    keys: Object.fromEntries(Object.entries(keys).map(([name, { key }]) => [name, key])) as FuzzWorld["keys"],
    profileIds,
    postIds,
    webhookIds,
    deliveryIds,
    receivers: ["first", "second"].map(sandbox.receivers.url),
    credentials,
    secrets: [
      ...credentials.flatMap((each) => [each.credentials.app_password, each.credentials.access_token]),
      ...Object.values(keys).map(({ key }) => key),
      ...endpointSecrets,
    ].filter((secret) => secret !== undefined),
    keyed: new Map(),
    errors,
  };
}

/** Ids from a counter and secrets from a seed, so that a request that is printed can be sent again. */
function countedIds(): Ids {
  let count = 0;
  return {
    create: (kind) => `${idPrefixes[kind]}${String(++count).padStart(26, "0")}`,
    bytes: seededIds(seededRandom(1)).bytes,
  };
}

/** Accounts that nobody has connected yet, and anybody may. */
function createNewcomers(sandbox: Sandbox): FuzzWorld["credentials"] {
  const { handle, password } = sandbox.bluesky.addAccount({ handle: "newcomer.sandbox.example" });
  const { instance, access_token } = sandbox.mastodon.addAccount({ username: "newcomer" });
  return [
    { network: "bluesky", credentials: { identifier: handle, app_password: password } },
    { network: "mastodon", credentials: { instance, access_token } },
  ];
}

type Connecting = { social: AccountModules; sandbox: Sandbox; clock: ManualClock };

/** The last of them is disconnected. */
async function connectProfiles(connecting: Connecting, account: Account): Promise<string[]> {
  const mark = markOf[account];
  const profiles = [
    await connectBluesky(connecting, `${mark}.sandbox.example`),
    await connectMastodon(connecting, mark),
    await connectDiscord(connecting),
    await connectWebhook(connecting),
    await connectBluesky(connecting, `${mark}gone.sandbox.example`),
  ];
  const ids = profiles.map(({ id }) => id);
  await connecting.clock.run(() => connecting.social.profiles.disconnect(ids.at(-1) ?? ""));
  return ids;
}

/** One that hears of everything, and one that hears of failures only. */
async function createEndpoints(
  { modules, sandbox, clock }: { modules: AccountModules; sandbox: Sandbox; clock: ManualClock },
  account: Account,
): Promise<CreatedEndpoint[]> {
  const { webhooks } = modules;
  const url = sandbox.receivers.url(markOf[account]);
  const all = await clock.run(() => webhooks.create({ url }));
  const failures = await clock.run(() =>
    webhooks.create({ url, events: ["post.failed"], description: markOf[account] }),
  );
  return [all, failures];
}

/** One that is published, one that waits, one that failed, one that did both, two drafts, and more that wait. */
async function createPosts(
  { modules, sandbox, clock }: { modules: AccountModules; sandbox: Sandbox; clock: ManualClock },
  account: Account,
  [first = "", second = "", third = ""]: readonly string[],
): Promise<string[]> {
  const { posts } = modules;
  const text = `${markOf[account]} says hello`;
  const ids: string[] = [];
  const create = async (body: Parameters<typeof posts.create>[0]): Promise<void> => {
    ids.push((await clock.run(() => posts.create(body))).id);
  };
  await create({ profile_ids: [first, second, third], text, idempotency_key: sharedKey });
  await create({ profile_ids: [first], text, scheduled_at: "2027-01-01T00:00:00Z" });
  const answer = { status: 400, json: { error: "InvalidRequest", message: "no" } };
  sandbox.bluesky.faults.add({ kind: "refuse", operation: "commit", answer });
  await create({ profile_ids: [first], text });
  sandbox.bluesky.faults.add({ kind: "refuse", operation: "commit", answer });
  await create({ profile_ids: [first, second], text });
  await create({ profile_ids: [first], text, draft: true });
  await create({ profile_ids: [first, third], text, draft: true, scheduled_at: "2027-01-01T00:00:00Z" });
  for (const scheduled_at of ["2027-01-01T00:00:00Z", "2027-01-02T00:00:00Z"]) {
    await create({ profile_ids: [second, third], text, scheduled_at });
  }
  return ids;
}

const tinyPng = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
