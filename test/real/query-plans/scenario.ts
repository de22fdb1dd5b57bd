/** Calls and work that between them ask a storage nearly everything that the library asks. */
import type { SocialService } from "../../../src/service.ts";
import { memoryStorage } from "../../../src/storage/memory.ts";
import { manualClock } from "../../../src/testing/clock.ts";
import { inboxBench } from "../../inbox/bench.ts";
import { png } from "../../media/samples.ts";
import { simulateInbox } from "../../prove/inbox-run.ts";
import { playScene } from "../../scenes/play.ts";
import { connectAll } from "../../support/connect.ts";
import { hostingBench, hourMs } from "../../support/hosting.ts";
import { listedNetworks } from "../../support/inbox-networks.ts";
import { createTestService } from "../../support/service.ts";
import type { Asked, Recorder } from "./recorder.ts";

const account = "default";
const sceneSeeds = [1, 2, 3, 4];

/** Plays it all on storages that are recorded. */
export async function playEverything(recorder: Recorder): Promise<void> {
  for (const seed of sceneSeeds) await playScene(seed, async (clock) => recorder.watch(memoryStorage({ clock })));
  await simulateInbox(1, recorder.watch);
  for (const network of listedNetworks) await playInbox(network, recorder);
  await playLists(recorder);
  await playMedia(recorder);
  await playRestored(recorder);
  await playRetention(recorder);
}

function stored(recorder: Recorder) {
  const clock = manualClock();
  return { clock, storage: recorder.watch(memoryStorage({ clock })) };
}

/** Somebody writes, is answered, is listed and forgotten; the account is erased. */
async function playInbox(network: (typeof listedNetworks)[number], recorder: Recorder): Promise<void> {
  const bench = await inboxBench(network, stored(recorder));
  const { social, clock, profile, ann } = bench;
  const post = await bench.publish("The hills today.");
  const first = await bench.writes({ text: `${network.name} Do you ship to Norway?` });
  await bench.writes({ text: `${network.name} Blue!`, reply_to: post || first });
  const [conversation] = (await social.inbox.conversations.list()).data;
  if (conversation === undefined) throw new Error(`On ${network.network} nothing came in.`);
  const { id } = conversation;
  const key = { idempotency_key: "a-key-of-eight" };
  await clock.run(() => social.inbox.conversations.reply(id, { text: "We do: four days.", ...key }));
  await clock.run(() => social.inbox.conversations.reply(id, { text: "We do: four days.", ...key }));
  await clock.run(() => social.inbox.conversations.reply(id, { text: "No customs." }));
  await social.inbox.conversations.markRead(id);
  await social.inbox.changes({ profile_id: profile.id });
  await clock.run(async () => {
    for await (const _ of social.inbox.follow({ after: {} })) break;
  });
  await bench.read();
  ann.unsend(first);
  await clock.advance(2 * hourMs);
  await listConversations(social, { profile_id: profile.id, participant_id: ann.id, id });
  await social.inbox.status();
  await clock.run(() => social.inbox.forget({ network: network.network, person_id: ann.id }));
  await clock.run(() => social.stop());
  await clock.run(() => social.accounts.delete(account));
}

async function listConversations(
  social: SocialService,
  { profile_id, participant_id, id }: { profile_id: string; participant_id: string; id: string },
): Promise<void> {
  const { conversations } = social.inbox;
  const page = { limit: 1 };
  const cursor = Buffer.from(JSON.stringify(["2030", "z", 1, 2])).toString("base64url");
  const filters = [
    { status: "open" },
    { kind: ["dm", "comment"] },
    { network: ["bluesky"] },
    { profile_id },
    { participant_id },
    { unread: true },
  ] as const;
  for (const place of [page, { ...page, cursor }]) {
    for (const one of [{}, ...filters])
      for (const other of filters) await conversations.list({ ...one, ...other, ...place } as object);
    await conversations.list(place);
    await conversations.messages(id, place);
  }
}

/** Every filter and pair of filters of posts and deliveries, and the other lists. */
async function playLists(recorder: Recorder): Promise<void> {
  const service = createTestService(stored(recorder));
  const { social, clock, sandbox } = service;
  const [bluesky, mastodon] = await connectAll(service);
  const endpoint = await clock.run(() => social.webhooks.create({ url: sandbox.receivers.url("a") }));
  const body = { profile_ids: [bluesky.id, mastodon.id], text: "Hills" };
  sandbox.bluesky.faults.add({ kind: "refuse", answer: { status: 400, json: {} }, operation: "commit" });
  const { id } = await clock.run(() => social.posts.create({ ...body, idempotency_key: "a-key-of-eight" }));
  await clock.run(() => social.posts.retry(id).catch(() => undefined));
  await clock.run(() => social.posts.create(body));
  await clock.run(async () => void (await social.runDue()));
  const cursor = Buffer.from(JSON.stringify(["2030", "z", 1, 2])).toString("base64url");
  const times = { created_after: "2020-01-01T00:00:00Z", created_before: "2030-01-01T00:00:00Z" };
  const filters = [
    { status: ["published"] },
    { status: ["published", "failed"] },
    { network: ["bluesky"] },
    { network: ["bluesky", "mastodon"] },
    { profile_id: bluesky.id },
    times,
  ];
  const logFilters = [{ status: ["delivered"] }, { status: ["delivered", "failed"] }, { event: ["post.published"] }];
  for (const place of [{ limit: 1 }, { limit: 1, cursor }]) {
    for (const one of [{}, ...filters])
      for (const other of [{}, ...filters]) await social.posts.list({ ...one, ...other, ...place } as object);
    for (const one of [{}, ...logFilters])
      for (const other of [{}, ...logFilters])
        await social.webhooks.deliveries.list(endpoint.id, { ...one, ...other, ...place } as object);
  }
  await social.webhooks.list({ limit: 1 });
  await social.profiles.list({ limit: 1, network: "bluesky", status: "connected" });
  await social.profiles.list({ reconnect_before: "2030-01-01T00:00:00Z" });
  await social.keys.create();
  await social.keys.list({ limit: 1 });
  await clock.run(() => social.webhooks.delete(endpoint.id));
}

/** Files are uploaded, listed, used, deleted, and swept. */
async function playMedia(recorder: Recorder): Promise<void> {
  const bench = hostingBench(stored(recorder));
  const { social, clock } = bench;
  const [profile] = await connectAll(bench);
  const { url } = await clock.run(() => social.media.upload(png(20, 10)));
  const other = await clock.run(() => social.media.upload(png(30, 10)));
  await clock.run(() => social.posts.create({ profile_ids: [profile.id], text: "Hills", media: [{ url }] }));
  await social.media.list({ limit: 1 });
  await clock.run(() => social.media.delete(other.url));
  for (let sweeps = 0; sweeps < 26; sweeps++) await bench.sweep();
  await clock.run(() => social.accounts.delete(account));
}

async function playRestored(recorder: Recorder): Promise<void> {
  const { social, clock } = createTestService(stored(recorder));
  await clock.run(() => social.start({ restoredFrom: new Date(clock.now() - 1_000) }));
  await clock.advance(2 * hourMs);
  await clock.run(() => social.stop());
}

/** One post fails, one is published; their records end. */
async function playRetention(recorder: Recorder): Promise<void> {
  const service = createTestService({ ...stored(recorder), retention: { posts_days: 60 } });
  const { social, clock, sandbox } = service;
  const [bluesky, mastodon] = await connectAll(service);
  sandbox.bluesky.faults.add({ kind: "refuse", answer: { status: 400, json: {} }, operation: "commit" });
  await clock.run(() => social.posts.create({ profile_ids: [bluesky.id, mastodon.id], text: "Hills" }));
  for (const days of [31, 31]) {
    await clock.advance(24 * days * hourMs);
    await clock.run(async () => void (await social.runDue()));
  }
}

type Found = Extract<Asked, { call: "find" }>;

const find = (collection: Found["collection"], query: Found["query"]): Found => ({ call: "find", collection, query });
const unlisted = { isCounted: false } as const;
const newest = { order: { column: "sent_at", direction: "desc" }, limit: 50, ...unlisted } as const;
const dueFirst = { column: "due_at", direction: "asc" } as const;

/** What the places ask that are not played, one entry for each, by file: what happens there is rare. */
export const askedByHand: Readonly<Record<string, readonly Found[]>> = {
  "src/accounts/deletions.ts": [
    find("grants", { where: { grant_id: "g" }, order: { column: "id", direction: "asc" }, limit: 100, ...unlisted }),
  ],
  "src/connections/callback.ts": [find("connections", { where: { state_hash: "s" }, limit: 1, ...unlisted })],
  "src/connections/start.ts": [
    find("connections", {
      where: { account_id: account, status: "pending", due_at: { gte: 1 } },
      limit: 1,
      order: dueFirst,
    }),
  ],
  "src/dispatch/clock-jumps.ts": [
    find("profiles", {
      where: { due_at: { gte: 1 } },
      order: { column: "due_at", direction: "desc" },
      limit: 100,
      ...unlisted,
    }),
  ],
  "src/dispatch/sending-context.ts": [find("targets", { where: { id: { in: ["a", "b"] } }, ...unlisted })],
  "src/hosting/derive.ts": [
    find("media", {
      where: { account_id: account, derivation: "d", status: { in: ["ready", "kept"] } },
      limit: 1,
      ...unlisted,
    }),
  ],
  "src/inbox/echoes.ts": [
    find("messages", {
      where: { conversation_id: "c", state: "live", direction: "outbound", sent_at: { gte: "2030" } },
      ...newest,
    }),
  ],
  "src/inbox/forgotten.ts": [find("forgotten", { where: { id: { in: ["a", "b"] } }, ...unlisted })],
  "src/inbox/hook-accounts.ts": [
    find("inboxes", {
      where: { app_id: "a", network: "facebook", account_id: { gte: "b" } },
      order: { column: "account_id", direction: "asc" },
      limit: 100,
      ...unlisted,
    }),
  ],
  "src/inbox/ingest.ts": [
    find("messages", { where: { profile_id: "p", key: { in: ["a", "b"] } }, ...unlisted }),
    find("messages", { where: { conversation_id: "c", state: "live", sent_at: { lte: "2030" } }, ...newest }),
  ],
  "src/inbox/pending-updates.ts": [
    find("pending_updates", { where: { inbox_id: "i", about: { in: ["a", "b"] } }, ...unlisted }),
  ],
  "src/inbox/reply-order.ts": [
    find("messages", { where: { id: { in: ["a", "b"] }, conversation_id: "c", state: "open" }, ...unlisted }),
    find("messages", {
      where: { conversation_id: "c", direction: "outbound", state: { in: ["open", "live", "undecided", "merged"] } },
      ...newest,
    }),
    find("intents", { where: { subject_id: { in: ["a", "b"] } }, ...unlisted }),
  ],
  "src/inbox/retention.ts": [
    find("messages", {
      where: { conversation_id: "c", state: "live", sent_at: { gte: "2030" } },
      ...newest,
      limit: 1,
    }),
  ],
  "src/inbox/second-look.ts": [find("intents", { where: { subject_id: "s", state: "undecided" }, ...unlisted })],
  "src/inbox/unsubscribe.ts": [
    find("inboxes", { where: { network: "facebook", external_id: "e", app_id: "a" }, ...unlisted }),
    find("profiles", {
      where: { id: { in: ["a", "b"] }, status: { in: ["connected", "needs_attention"] } },
      limit: 1,
      ...unlisted,
    }),
  ],
  "src/keys/keys.ts": [find("keys", { where: { hash: "h" }, limit: 1 })],
  "src/posts/retry.ts": [
    find("intents", { where: { subject_id: { in: ["a", "b"] }, state: { in: ["undecided", "absent"] } } }),
  ],
  "src/profiles/grants.ts": [
    find("grants", { where: { grant_id: "g" }, order: { column: "id", direction: "asc" }, ...unlisted }),
    find("profiles", {
      where: { id: { in: ["a", "b"] }, status: { in: ["connected", "needs_attention"] } },
      limit: 1,
      ...unlisted,
    }),
  ],
  "src/publishing/starter.ts": [
    find("posts", { where: { status: "scheduled", due_at: { lte: 1 } }, order: dueFirst, limit: 100, ...unlisted }),
  ],
  "src/sending/retention.ts": [find("intents", { where: { subject_id: { in: ["a", "b"] } }, ...unlisted })],
  "src/webhooks/bring-forward.ts": [
    find("endpoints", { where: {}, ...unlisted }),
    find("deliveries", { where: { webhook_id: "w", due_at: { gte: 1 } }, order: dueFirst, limit: 1, ...unlisted }),
    find("deliveries", {
      where: { webhook_id: "w", attempts: 2, due_at: { gte: 1 } },
      order: dueFirst,
      limit: 100,
      ...unlisted,
    }),
  ],
  "src/sending/record.ts": [
    find("publications", {
      where: { network: "bluesky", external_account_id: "e", network_post_id: "n" },
      limit: 1,
      ...unlisted,
    }),
  ],
};
