import { expect, it } from "vitest";
import { createHandler } from "../../src/http/index.ts";
import { inboxIdOf } from "../../src/inbox/rows.ts";
import { facebook } from "../../src/networks/facebook/index.ts";
import { mastodon } from "../../src/networks/mastodon/index.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import { createSocialService } from "../../src/service.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import type { CollectionName } from "../../src/storage/schema.ts";
import type { Operation, Row, Storage } from "../../src/storage/storage.ts";
import { type ManualClock, manualClock } from "../../src/testing/clock.ts";
import { png } from "../media/samples.ts";
import { allRows } from "../support/all-rows.ts";
import { dyingAt } from "../support/dying-writes.ts";
import { hostedFiles } from "../support/hosted-files.ts";
import { memoryStore, type WatchedStore } from "../support/hosting.ts";
import { silentLogger } from "../support/logger.ts";
import { testBaseUrl, testKey } from "../support/service.ts";

const app = { client_id: "2204567890123456", client_secret: "facebook-app-secret" };

interface World {
  clock: ManualClock;
  sandbox: Sandbox;
  kept: WatchedStore;
}

/** Two simulated networks, and a store for files. */
function openWorld(): World {
  const clock = manualClock();
  const kept = memoryStore();
  return { clock, kept, sandbox: createSandbox({ clock, hosts: [hostedFiles(kept.store, testBaseUrl)] }) };
}

/** A service with tenants on both networks. */
function openService({ clock, kept, sandbox } = openWorld()) {
  const storage = memoryStorage({ clock });
  const social = createSocialService({
    tenants: true,
    networks: [facebook({ app, scopes: ["publish", "inbox"] }), mastodon({ scopes: ["publish", "inbox"] })],
    encryptionKey: testKey,
    clock,
    storage,
    mediaStore: kept.store,
    baseUrl: testBaseUrl,
    trustedOrigins: ["https://host.example"],
    http: sandbox.http,
    untrustedHttp: sandbox.untrustedHttp,
    logger: silentLogger,
  });
  sandbox.facebook.sendHooksTo(createHandler(social));
  return { clock, storage, kept, sandbox, social };
}

type Opened = ReturnType<typeof openService>;

/** Another service in the same world, with a copy of this one's stored rows. */
async function copyOf({ clock, sandbox, storage, kept }: Opened): Promise<Opened> {
  const copy = openService({ clock, sandbox, kept: memoryStore() });
  const rows = Object.entries(await allRows(storage)) as [CollectionName, Row[]][];
  await copy.storage.write(
    rows.flatMap(([collection, found]) => found.map((row): Operation => ({ kind: "insert", collection, row }))),
  );
  for (const name of kept.names()) {
    const key = name.replaceAll("+", "/");
    const [about, body] = [await kept.store.head(key), await kept.store.read(key)];
    if (about === null || body === null) throw new Error(`${key} is not there.`);
    const remember = () => Promise.resolve();
    await copy.kept.store.put(key, body, { contentType: about.content_type, sizeBytes: about.size_bytes, remember });
  }
  return copy;
}

const aWhileMs = 20 * 60_000;

/** An account that has used every feature. */
async function fill({ clock, sandbox, social, storage }: Opened, accountId: string): Promise<void> {
  const account = social.forAccount(accountId);
  const page = sandbox.facebook.addPage({ name: accountId });
  const { instance, access_token } = sandbox.mastodon.addAccount({ username: accountId.replace("_", "") });
  const credentials = { access_token: page.access_token, client_id: app.client_id };
  const profiles = await clock.run(() =>
    Promise.all([
      account.profiles.connect({ network: "facebook", credentials }),
      account.profiles.connect({ network: "mastodon", credentials: { instance, access_token } }),
    ]),
  );
  const profile_ids = profiles.map(({ id }) => id);
  await social.keys.create({ account_id: accountId });
  await clock.run(async () => {
    await account.webhooks.create({ url: `https://hooks.example/${accountId}`, events: ["post.published"] });
    const { url } = await account.media.upload(png(8, 8));
    await account.posts.create({ profile_ids, text: `Out ${accountId}`, media: [url] });
    const later = await account.media.upload(png(9, 9));
    const scheduled_at = new Date(clock.now() + 86_400_000).toISOString();
    await account.posts.create({ profile_ids, text: `Later ${accountId}`, media: [later.url], scheduled_at });
    await account.posts.create({ profile_ids, text: `Draft ${accountId}`, draft: true });
    await account.connections.start({ network: "facebook", redirect_url: "https://host.example/back" });
  });
  const ann = sandbox.facebook.addFan("Ann");
  const post = sandbox.facebook.postAs(page.external_id, { message: "By hand" });
  sandbox.facebook.messageAs(ann, page.external_id, "Hello?");
  sandbox.facebook.commentAs(ann, post, "Nice");
  await clock.advance(aWhileMs);
  const { data } = await account.inbox.conversations.list();
  for (const { id } of data) await clock.run(() => account.inbox.conversations.reply(id, { text: "Thank you" }));
  await account.inbox.forget({ network: "facebook", person_id: "somebody" });
  await clock.advance(aWhileMs);
  await storage.write(profiles.flatMap(({ id }) => rowsThatAreRare(id)));
}

/** An update waiting for a message that never came, and a grant that several profiles share. */
function rowsThatAreRare(profileId: string): Operation[] {
  const stray = { id: `stray_${profileId}`, inbox_id: inboxIdOf(profileId), about: "k", digest: "d", private: {} };
  return [
    { kind: "insert", collection: "pending_updates", row: stray },
    { kind: "insert", collection: "grants", row: { id: profileId, grant_id: "g" } },
  ];
}

type Contents = Record<string, Row[]>;

/** Collections that no single account owns: registered apps, rate limits of apps, and deletion requests. */
const shared = ["apps", "app_limits", "deletions"];

async function contentsOf(storage: Storage): Promise<Contents> {
  return Object.fromEntries(Object.entries(await allRows(storage)).filter(([name]) => !shared.includes(name)));
}

/** The ids of its rows, by collection. */
function idsIn(contents: Contents): Record<string, string[]> {
  return Object.fromEntries(Object.entries(contents).map(([name, rows]) => [name, rows.map(({ id }) => id).sort()]));
}

it("erasing an account leaves none of its rows, all rows of the others, and its live posts", async () => {
  const opened = openService();
  const { clock, storage, kept, social, sandbox } = opened;
  await clock.run(() => social.start());
  await fill(opened, "acct_b");
  const [before, files] = [idsIn(await contentsOf(storage)), kept.names()];
  await fill(opened, "acct_a");
  const filled = Object.entries(idsIn(await contentsOf(storage)));
  expect(filled.filter(([name, ids]) => ids.length === before[name]?.length)).toEqual([]);
  await clock.run(() => social.accounts.delete("acct_a"));
  expect(idsIn(await contentsOf(storage))).toEqual(before);
  expect(kept.names()).toEqual(files);
  await clock.advance(26 * 3_600_000);
  expect(JSON.stringify(await contentsOf(storage))).not.toContain("acct_a");
  const shown = sandbox.mastodon.posts().map(({ text }) => text);
  expect(shown).toContain("Out acct_a");
  expect(shown).toContain("Later acct_b");
  expect(shown).not.toContain("Later acct_a");
});

it("an erasure is repeated after a death at any write, and then leaves nothing", async () => {
  const filled = openService();
  await filled.clock.run(() => filled.social.start());
  await fill(filled, "acct_a");
  await filled.social.stop();
  let deaths = 0;
  for (let isOver = false; !isOver; deaths += 1) {
    const { clock, storage, kept, social } = await copyOf(filled);
    expect(await contentsOf(storage)).toEqual(await contentsOf(filled.storage));
    expect(kept.names()).toEqual(filled.kept.names());
    const erase = () => clock.run(() => social.accounts.delete("acct_a"));
    isOver = await dyingAt(storage, deaths, erase);
    await clock.advance(60_000);
    await erase();
    const rows = Object.entries(await contentsOf(storage)).filter(([, found]) => found.length > 0);
    expect(rows).toEqual([]);
    expect(kept.names()).toEqual([]);
  }
  expect(deaths).toBeGreaterThan(20);
});

it("erasing an unknown account succeeds, and an invalid id is an error", async () => {
  const { social } = openService();
  await social.accounts.delete("acct_none");
  await expect(social.accounts.delete("")).rejects.toMatchObject({ code: "invalid_request" });
});
