import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "pg";
import { afterAll, describe, expect, it } from "vitest";
import type { NetworkAdapter } from "../../src/networks/contract/adapter.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import type { SocialService } from "../../src/service.ts";
import { verify } from "../../src/signature/node.ts";
import { postgresStorage } from "../../src/storage/postgres/index.ts";
import { sqliteStorage } from "../../src/storage/sqlite/index.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { inboxAdapters } from "../prove/inbox-people.ts";
import { seededIds, seededRandom } from "../prove/random.ts";
import { startPostgres } from "../support/postgres.ts";
import { createProcess } from "../support/process.ts";
import { testBaseUrl, testNetworks } from "../support/service.ts";
import { leftCases } from "./cases.ts";
import { resend, sendHooksTo } from "./leaving-process.ts";
import { type Left, leftStores, postgresFile, readLeft, sqliteFile } from "./left.ts";
import { replyOf, shownAfter } from "./people.ts";
import { type LeftWorld, openLeftWorld } from "./world.ts";

const server = await startPostgres();
const skipped = typeof server === "string" ? ` (skipped: ${server})` : "";
const folder = mkdtempSync(join(tmpdir(), "postrider-upgrade-"));

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  if (typeof server !== "string") await server.remove();
});

const hourMs = 3_600_000;

/** Networks and store as they were left, and a service of today's code that goes on with them. */
interface GoingOn {
  world: LeftWorld;
  social: SocialService;
  /** Works for so long. */
  goOn(ms: number): Promise<void>;
}

async function openLeft(left: Left, networks: NetworkAdapter[], open: (world: LeftWorld) => Storage): Promise<GoingOn> {
  const world = openLeftWorld();
  const { clock, sandbox } = world;
  const opened = open(world);
  const storage = { ...opened, migrate: () => opened.migrate(), now: async () => clock.now() };
  takeHooks(sandbox);
  await clock.run(async () => {
    for (const step of left.steps) {
      await clock.sleep(step.at - clock.now());
      if ("deed" in step) world.deeds[step.deed]?.do();
      else expect((await resend(sandbox.http, step)).status, `${step.method} ${step.url}`).toBeLessThan(300);
    }
    await clock.sleep(left.leftAt - clock.now());
  });
  const service = { ids: seededIds(seededRandom(17)), networks, baseUrl: testBaseUrl };
  const process = createProcess({ clock, sandbox, storage, service });
  sendHooksTo(sandbox, process);
  const { social } = process;
  const goOn = (ms: number): Promise<void> =>
    clock.run(async () => {
      await social.start();
      await clock.sleep(ms);
      await social.stop();
    });
  return { world, social, goOn };
}

/** What networks sent has been taken already, and what they ask has been answered. */
function takeHooks({ facebook, twitch }: Sandbox): void {
  facebook.sendHooksTo(async ({ url }) => new Response(new URL(url).searchParams.get("hub.challenge")));
  twitch.sendHooksTo(async (request) => new Response(((await request.json()) as { challenge?: string }).challenge));
}

/** Everything is there once, and told once. */
async function judgePosts(left: Left, { world: { sandbox }, social, goOn }: GoingOn): Promise<void> {
  // Longer than what is scheduled lies ahead, and than all looks and deliveries take.
  await goOn(6 * hourMs);
  const shown = [sandbox.bluesky, sandbox.mastodon, sandbox.discord].flatMap((network) => network.posts());
  const ends = await Promise.all(
    leftCases.map(async ({ network, name, texts }, place) => {
      const { targets } = await social.posts.get(left.posts[place] ?? "");
      const times = texts.map((text) => shown.filter((post) => post.text === text).length);
      return { case: `${network}, ${name}`, ends: targets.map(({ status }) => status), times };
    }),
  );
  const expected = leftCases.map(({ network, name, texts, ends: end, times }) => ({
    case: `${network}, ${name}`,
    ends: [end],
    times: texts.map(() => times),
  }));
  expect(ends).toEqual(expected);
  const events = await Promise.all(
    sandbox.receivers
      .deliveries("upgrade")
      .map(({ body, signature, at }) => verify(body, signature, { secret: left.secret, now: at / 1_000 })),
  );
  expect(events).not.toContain(null);
  const settled = events.flatMap((event) => {
    const { type, data } = event as { type: string; data: { post?: { id: string } } };
    return data.post === undefined ? [] : [`${type} ${data.post.id}`];
  });
  const owed = leftCases.map(({ ends: status }, place) => `post.${status} ${left.posts[place]}`);
  expect(settled.sort()).toEqual(owed.sort());
}

/** Everything that people have written is there once, and so is each reply; who follows misses nothing. */
async function judgeInboxes(left: Left, { world, social, goOn }: GoingOn): Promise<void> {
  const { clock, deeds, scenes } = world;
  await goOn(hourMs / 2);
  for (const deed of deeds) if (deed.when === "later") deed.do();
  await goOn(hourMs / 2);
  const texts = await clock.run(() => allTexts(social));
  const shown = shownAfter(deeds);
  expect(Object.fromEntries(Object.keys(shown).map((says) => [says, timesIn(texts, says)]))).toEqual(shown);
  for (const { network, texts: there } of scenes) {
    const reply = replyOf(network);
    expect([timesIn(there(), reply), timesIn(texts, reply)], reply).toEqual([1, 1]);
  }
  const changed: string[] = [];
  for (const { profileId, seq } of left.inboxes) {
    const { messages } = await clock.run(() => social.inbox.changes({ profile_id: profileId, after: seq, limit: 100 }));
    changed.push(...messages.map(({ text }) => text ?? ""));
  }
  const news = shownAfter(deeds.filter(({ when }) => when !== "read"));
  expect(Object.fromEntries(Object.keys(news).map((says) => [says, timesIn(changed, says)]))).toEqual(news);
}

async function allTexts({ inbox: { conversations } }: SocialService): Promise<string[]> {
  const { data } = await conversations.list({ limit: 100 });
  const pages = await Promise.all(data.map(({ id }) => conversations.messages(id, { limit: 100 })));
  return pages.flatMap((page) => page.data.map(({ text }) => text ?? ""));
}

function timesIn(texts: readonly string[], says: string): number {
  return texts.filter((text) => text.includes(says)).length;
}

const parts = [
  { what: "posts, each there once and told once", networks: testNetworks, judge: judgePosts },
  { what: "inboxes, each message and reply there once", networks: inboxAdapters, judge: judgeInboxes },
];

describe.each(leftStores)("a store that version %s left in the middle of everything", (version) => {
  const left = readLeft(version);

  it.each(parts)("is finished on SQLite: $what", async ({ what, networks, judge }) => {
    const file = join(folder, `${version} ${what}.db`);
    copyFileSync(sqliteFile(version), file);
    await judge(left, await openLeft(left, networks(), ({ clock }) => clock.watch(sqliteStorage(file, { clock }))));
  });

  it.skipIf(skipped !== "").each(parts)(`is finished on Postgres: $what${skipped}`, async ({ networks, judge }) => {
    const pool = new Pool({ connectionString: typeof server === "string" ? "" : server.url, max: 4 });
    try {
      await pool.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
      await pool.query(readFileSync(postgresFile(version), "utf8"));
      await judge(left, await openLeft(left, networks(), ({ clock }) => clock.watch(postgresStorage(pool))));
    } finally {
      await pool.end();
    }
  });
});
