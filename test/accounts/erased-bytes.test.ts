import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHandler } from "../../src/http/index.ts";
import { inboxIdOf } from "../../src/inbox/rows.ts";
import { facebook } from "../../src/networks/facebook/index.ts";
import { mastodon } from "../../src/networks/mastodon/index.ts";
import type { Clock } from "../../src/ports/clock.ts";
import { createSandbox } from "../../src/sandbox/sandbox.ts";
import { createSocialService } from "../../src/service.ts";
import { openSqlite } from "../../src/storage/sqlite/driver.ts";
import { type SqliteHandle, sqliteStorage } from "../../src/storage/sqlite/index.ts";
import type { Operation, Storage } from "../../src/storage/storage.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { png } from "../media/samples.ts";
import { seededIds, seededRandom } from "../prove/random.ts";
import { allRows } from "../support/all-rows.ts";
import { hostedFiles } from "../support/hosted-files.ts";
import { memoryStore } from "../support/hosting.ts";
import { recordingLogger } from "../support/logger.ts";
import { testBaseUrl, testKey } from "../support/service.ts";

const app = { client_id: "2204567890123456", client_secret: "facebook-app-secret" };
const minuteMs = 60_000;

let folder: string;
let file: string;
let handles: SqliteHandle[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "postrider-erased-"));
  file = join(folder, "social.db");
  handles = [];
});

afterEach(() => {
  for (const handle of handles) handle.close?.();
  rmSync(folder, { recursive: true, force: true });
});

type OpenDatabase = new (file: string) => SqliteHandle;

/**
 * A driver of the name, if available: the built-in one exists from Node 22.13 on, better-sqlite3
 * belongs to the tests on real servers.
 */
function driver(name: "node:sqlite" | "better-sqlite3"): OpenDatabase | null {
  try {
    const loaded = createRequire(new URL("../real/package.json", import.meta.url))(name);
    const Opened: OpenDatabase = name === "node:sqlite" ? loaded.DatabaseSync : loaded;
    new Opened(":memory:").close?.();
    return Opened;
  } catch {
    return null;
  }
}

const drivers: readonly (readonly [name: string, database: OpenDatabase | null])[] = [
  ["a file name", null],
  ["a libsql handle", Database],
  ["a node:sqlite handle", driver("node:sqlite")],
  ["a better-sqlite3 handle", driver("better-sqlite3")],
];

/** All bytes on the disk: the database, its log, and the log's index. */
function onDisk(): string {
  const files = ["", "-wal", "-shm"].map((end) => file + end).filter((name) => existsSync(name));
  return Buffer.concat(files.map((name) => readFileSync(name))).toString("latin1");
}

function openStorage(Opened: OpenDatabase | null, clock: Clock): Storage {
  if (Opened === null) return sqliteStorage(file, { clock });
  const handle = new Opened(file);
  handles.push(handle);
  return sqliteStorage(handle, { clock });
}

/** The storage, and every text that was ever written to it. */
function noting(storage: Storage): { storage: Storage; written: Set<string> } {
  const written = new Set<string>();
  const write: Storage["write"] = (operations) => {
    for (const text of textsIn(operations)) written.add(text);
    return storage.write(operations);
  };
  return { storage: { ...storage, write }, written };
}

/** Texts that are long enough to be recognized. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return value.length >= 10 ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** A text that occurs nowhere else, and begins no other. */
const canary = (field: string): string => `canary of ${field}`;

/** Fields that an account or a user can fill, each with a canary. */
const ofAccount = [
  ...["text", "title", "alt", "link", "option", "thread", "source", "replaced draft", "scheduled"],
  ...[
    "post key",
    "endpoint address",
    "endpoint description",
    "receiver's answer",
    "page name",
    "redirect",
    "key of a reply",
  ],
];
const ofPerson = ["name", "message", "edited message", "comment", "reply", "referral", "waiting event", "stray"];

function openService(Opened: OpenDatabase | null, replaced: Partial<Storage> = {}) {
  const logger = recordingLogger();
  const clock = manualClock();
  const kept = memoryStore();
  const { storage, written } = noting({ ...openStorage(Opened, clock), ...replaced });
  const sandbox = createSandbox({ clock, hosts: [hostedFiles(kept.store, testBaseUrl)] });
  // Receivers with a response body of their own.
  const untrustedHttp: typeof fetch = async (input, init) => {
    const { hostname } = new URL(String(input));
    if (hostname !== "hooks.example") return sandbox.untrustedHttp(input, init);
    return new Response(canary("receiver's answer"), { status: 500 });
  };
  const social = createSocialService({
    tenants: true,
    networks: [facebook({ app, scopes: ["publish", "inbox"] }), mastodon({ scopes: ["publish", "inbox"] })],
    encryptionKey: testKey,
    clock,
    storage,
    ids: seededIds(seededRandom(51)),
    mediaStore: kept.store,
    baseUrl: testBaseUrl,
    trustedOrigins: ["https://host.example"],
    http: sandbox.http,
    untrustedHttp,
    logger,
  });
  sandbox.facebook.sendHooksTo(createHandler(social));
  return { clock, logger, storage, written, sandbox, social };
}

type Opened = ReturnType<typeof openService>;

/** An account whose every field is filled, and Ann, who has written to it; returns her id. */
async function fill({ clock, sandbox, social, storage }: Opened, accountId: string): Promise<string> {
  const account = social.forAccount(accountId);
  const page = sandbox.facebook.addPage({ name: canary("page name") });
  const { instance, access_token } = sandbox.mastodon.addAccount({ username: "alice" });
  const credentials = { access_token: page.access_token, client_id: app.client_id };
  const profiles = await clock.run(() =>
    Promise.all([
      account.profiles.connect({ network: "facebook", credentials }),
      account.profiles.connect({ network: "mastodon", credentials: { instance, access_token } }),
    ]),
  );
  const profile_ids = profiles.map(({ id }) => id);
  // Until Facebook sends events.
  await clock.advance(20 * minuteMs);
  await social.keys.create({ account_id: accountId });
  await clock.run(async () => {
    const description = canary("endpoint description");
    await account.webhooks.create({
      url: `https://hooks.example/${encodeURI(canary("endpoint address"))}`,
      description,
    });
    const { url } = await account.media.upload(png(8, 8));
    await account.posts.create(
      {
        profile_ids,
        text: canary("text"),
        title: canary("title"),
        media: [{ url, alt: canary("alt") }],
        networks: { mastodon: { spoiler_text: canary("option"), thread: [canary("text"), canary("thread")] } },
        idempotency_key: canary("post key"),
      },
      { source: canary("source") },
    );
    await account.posts.create({
      profile_ids,
      text: "Look",
      link: `https://shop.example/${encodeURI(canary("link"))}`,
    });
    const later = await account.media.upload(png(9, 9));
    const scheduled_at = new Date(clock.now() + 86_400_000).toISOString();
    await account.posts.create({ profile_ids, text: canary("scheduled"), media: [later.url], scheduled_at });
    // Longer than a page of the database.
    const draft = {
      profile_ids: profile_ids.slice(0, 1),
      text: `${canary("replaced draft")} `.repeat(500),
      draft: true,
    };
    const { id } = await account.posts.create(draft);
    await account.posts.update(id, { text: "A draft with other words" });
    const redirect_url = `https://host.example/${encodeURI(canary("redirect"))}`;
    await account.connections.start({ network: "facebook", redirect_url });
  });
  const ann = sandbox.facebook.addFan(canary("name"));
  const post = sandbox.facebook.postAs(page.external_id, { message: "By hand" });
  sandbox.facebook.messageAs(ann, page.external_id, canary("message"), canary("referral"));
  const comment = sandbox.facebook.commentAs(ann, post, canary("edited message"));
  // Less than an hour in all: after that, the hourly clean-up wipes what was replaced.
  await clock.advance(15 * minuteMs);
  sandbox.facebook.editComment(comment, canary("comment"));
  await clock.advance(15 * minuteMs);
  const { data } = await account.inbox.conversations.list();
  const dm = data.find(({ kind }) => kind === "dm")?.id ?? "";
  const reply = { text: canary("reply"), idempotency_key: canary("key of a reply") };
  await clock.run(() => account.inbox.conversations.reply(dm, reply));
  await storage.write(waitingRows(profile_ids[0] ?? "", ann));
  return ann;
}

/** An update waiting for a message that never came, and a grant that several profiles share. */
function waitingRows(profileId: string, person: string): Operation[] {
  const waiting = { inbox_id: inboxIdOf(profileId), created_at: "2026-11-01T00:00:00.000Z" };
  const said = (field: string) => ({ body: { sender: { id: person }, text: canary(field) } });
  const stray = { ...waiting, id: `stray_${profileId}`, about: "k", digest: "d", private: said("stray") };
  const event = { ...waiting, id: `hook_${profileId}`, event_id: "e", state: "new" };
  return [
    { kind: "insert", collection: "pending_updates", row: stray },
    { kind: "insert", collection: "hook_events", row: { ...event, private: said("waiting event") } },
    { kind: "insert", collection: "grants", row: { id: profileId, grant_id: `grant of ${profileId}` } },
  ];
}

/** Texts that have been written and are no longer in any row. */
async function gone({ storage, written }: Opened): Promise<string[]> {
  const rows = JSON.stringify(await allRows(storage));
  return [...written].filter((text) => !rows.includes(JSON.stringify(text).slice(1, -1)));
}

/** The fields whose canary is on the disk. */
function found(fields: readonly string[], disk = onDisk()): string[] {
  return fields.filter((field) => [canary(field), encodeURI(canary(field))].some((text) => disk.includes(text)));
}

/** Those of the texts that are on the disk. */
function foundTexts(texts: readonly string[], disk = onDisk()): string[] {
  return texts.filter((text) => disk.includes(JSON.stringify(text).slice(1, -1)));
}

describe.each(drivers)("a SQLite database opened by %s", (name, Opened) => {
  const isMissing = name !== "a file name" && Opened === null;

  it.skipIf(isMissing)("keeps nothing of a forgotten person in any of its files", async () => {
    const opened = openService(Opened);
    const { clock, social } = opened;
    await clock.run(() => social.start());
    const ann = await fill(opened, "acct_a");
    expect(found(ofPerson)).toEqual(ofPerson);
    await clock.run(() => social.forAccount("acct_a").inbox.forget({ network: "facebook", person_id: ann }));
    expect(found(ofPerson)).toEqual([]);
    expect(found(ofAccount)).toEqual(ofAccount.filter((field) => field !== "replaced draft"));
  });

  it.skipIf(isMissing)("keeps nothing of an erased account in any of its files", async () => {
    const opened = openService(Opened);
    const { clock, social } = opened;
    await clock.run(() => social.start());
    await fill(opened, "acct_a");
    const ofBoth = [...ofAccount, ...ofPerson];
    expect(found(ofBoth)).toEqual(ofBoth);
    await clock.run(() => social.accounts.delete("acct_a"));
    expect(found(ofBoth)).toEqual([]);
    const texts = await gone(opened);
    expect(texts.length).toBeGreaterThan(100);
    expect(foundTexts(texts)).toEqual([]);
  });
});

it("the service wipes within the hour the data that a reader held, and logs it until then", async () => {
  const opened = openService(null);
  const { clock, logger, social } = opened;
  await clock.run(() => social.start());
  await fill(opened, "acct_a");
  const reader = openSqlite(file);
  handles.push(reader);
  reader.exec("BEGIN");
  reader.prepare('SELECT COUNT(*) FROM "postrider_posts"').get();
  await clock.run(() => social.accounts.delete("acct_a"));
  expect(found(ofAccount)).not.toEqual([]);
  await clock.advance(61 * minuteMs);
  const warnings = (): string[] => logger.lines.filter((line) => line.includes("deleted data are still on disk"));
  const before = warnings();
  expect(before).not.toEqual([]);
  reader.exec("COMMIT");
  await clock.advance(61 * minuteMs);
  expect(found([...ofAccount, ...ofPerson])).toEqual([]);
  expect(warnings()).toEqual(before);
});

it("the service erases an account though the database cannot be wiped, and logs that every hour", async () => {
  const opened = openService(null, { wipeDeleted: () => Promise.reject(new Error("disk I/O error")) });
  const { clock, logger, social, storage } = opened;
  await clock.run(() => social.start());
  await fill(opened, "acct_a");
  await clock.run(() => social.accounts.delete("acct_a"));
  expect((await storage.find("posts", { where: {} })).rows).toEqual([]);
  await clock.advance(61 * minuteMs);
  expect(logger.lines.join()).toContain("disk I/O error");
});
