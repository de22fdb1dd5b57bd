/** Long lists of several accounts, the first of which has most of the rows, made of one row of each kind. */
import { isoTime } from "../../src/ports/clock.ts";
import { emptyTargetState } from "../../src/publishing/rows.ts";
import type { CollectionName } from "../../src/storage/schema.ts";
import type { Row } from "../../src/storage/storage.ts";
import { toRow } from "../../src/storage/typed.ts";
import type { BenchDatabase } from "./database.ts";
import { conversationRow, messageRow } from "./inbox-rows.ts";
import { multiplyRow, type RowCopy } from "./multiply.ts";

/** What the lists of the first account are asked for. */
export const longLists = {
  accountId: "default",
  /** It is addressed by half of the account's posts. */
  profileId: "prof_0",
  webhookId: "wh_0",
  conversationId: "cnv_0",
} as const;

/** A post in so many has other values than the most frequent ones. */
const rareEvery = 20;
/** Profiles of each account. */
const profiles = 50;
const otherAccounts = 20;
const firstMs = Date.parse("2025-01-01T00:00:00Z");
const betweenMs = 30_000;

/** When the row with this number was created. */
export const listedAt = (number: number): string => isoTime(firstMs + number * betweenMs);

const numbered = (prefix: string, number: number): string => `${prefix}_${String(number).padStart(26, "0")}`;

/** Three of five rows are of the first account. */
function accountOf(number: number): string {
  return number % 5 < 3 ? longLists.accountId : `other_${number % otherAccounts}`;
}

const rareStatuses = ["failed", "scheduled", "draft", "cancelled", "partially_published"];
const networks = ["bluesky", "mastodon", "discord", "facebook"];

/** A network that few old posts are on: the walk to them is long. */
export const oldNetwork = "pinterest";
const oldPosts = 40;

const isRare = (number: number): boolean => Math.floor(number / 5) % rareEvery === 0;

function statusOf(number: number): string {
  return isRare(number) ? (rareStatuses[Math.floor(number / 5 / rareEvery) % rareStatuses.length] ?? "") : "published";
}

interface Addressee {
  profile_id: string;
  network: string;
}

function addresseeOf(number: number, place: number): Addressee {
  const own = number % 2 === 0 ? place : 1 + (Math.floor(number / 2) % (profiles - 1)) + place;
  const isFirstAccount = accountOf(number) === longLists.accountId;
  const profile = isFirstAccount ? own : own + 1_000 + (number % otherAccounts) * 100;
  const network = number < oldPosts ? oldNetwork : (networks[own % networks.length] ?? "");
  return { profile_id: `prof_${profile}`, network };
}

/** One in three posts has two. */
function addresseesOf(number: number): Addressee[] {
  return [0, ...(number % 3 === 0 ? [1] : [])].map((place) => addresseeOf(number, place));
}

const postRow: Row = {
  id: "post_original",
  account_id: "original",
  status: "published",
  target_networks: "bluesky",
  created_at: listedAt(0),
  version: 1,
  text: "Three rows of blue hills, the furthest of them nearly white, and a bird above.",
  media: [],
  networks: {},
  private: { body: { profile_ids: ["prof_0"], media: [], networks: {} }, waiting_since: null },
};

const targetRow: Row = toRow({
  id: "tgt_original",
  account_id: "original",
  post_id: "post_original",
  profile_id: "prof_original",
  network: "bluesky",
  status: "published",
  position: 0,
  post_status: "published",
  created_at: listedAt(0),
  profile_name: "Alice",
  post_ids: ["at://did:plc:ewvi7nxzyoun6zhxrhs64oiz/app.bsky.feed.post/3l2zpbbhuvw2h"],
  attempts: 1,
  url: "https://bsky.app/profile/alice.example.com/post/3l2zpbbhuvw2h",
  private: emptyTargetState(),
});

const deliveryRow: Row = {
  id: "dlv_original",
  account_id: "original",
  webhook_id: "wh_original",
  event: "post.published",
  status: "delivered",
  attempts: 1,
  created_at: listedAt(0),
  response_status: 200,
  private: { body: JSON.stringify({ data: {} }) },
};

const originalConversation = { ...conversationRow("cnv_original", firstMs), account_id: "original", key: "original" };
const originals: readonly (readonly [CollectionName, Row])[] = [
  ["posts", postRow],
  ["targets", targetRow],
  ["deliveries", deliveryRow],
  ["conversations", toRow(originalConversation)],
  ["messages", toRow({ ...messageRow(originalConversation, firstMs), id: "msg_original", account_id: "original" })],
];

function postCopy(number: number): RowCopy {
  const target_networks = [...new Set(addresseesOf(number).map(({ network }) => network))].sort().join(",");
  const columns = { account_id: accountOf(number), status: statusOf(number), created_at: listedAt(number) };
  return { columns: { id: numbered("post", number), target_networks, ...columns } };
}

function targetCopies(number: number): RowCopy[] {
  return addresseesOf(number).map(({ profile_id, network }, position) => ({
    columns: {
      id: `${numbered("tgt", number)}_${position}`,
      account_id: accountOf(number),
      post_id: numbered("post", number),
      profile_id,
      network,
      position,
      post_status: statusOf(number),
      created_at: listedAt(number),
    },
  }));
}

const rareEvents = ["post.failed", "profile.connected", "profile.needs_attention"];

function deliveryCopy(number: number): RowCopy {
  const account_id = accountOf(number);
  return {
    columns: {
      id: numbered("dlv", number),
      account_id,
      webhook_id: account_id === longLists.accountId ? longLists.webhookId : `wh_${account_id}`,
      event: isRare(number) ? (rareEvents[number % rareEvents.length] ?? "") : "post.published",
      status: number % 777 === 0 ? "failed" : "delivered",
      created_at: listedAt(number),
    },
  };
}

function conversationCopy(number: number): RowCopy {
  const { profile_id } = addresseeOf(number, 0);
  return {
    columns: {
      id: number === 0 ? longLists.conversationId : numbered("cnv", number),
      account_id: accountOf(number),
      profile_id,
      key: `dm:${number}`,
      network: isRare(number) ? "twitch" : "facebook",
      kind: number % 7 === 0 ? "comment" : "dm",
      status: number % 333 === 0 ? "closed" : "open",
      unread_count: isRare(number) ? 2 : 0,
      last_at: listedAt(number),
      seq: number + 1,
      created_at: listedAt(number),
    },
  };
}

function messageCopy(number: number): RowCopy {
  const isFirst = accountOf(number) === longLists.accountId;
  return {
    columns: {
      id: numbered("msg", number),
      account_id: accountOf(number),
      profile_id: addresseeOf(number, 0).profile_id,
      conversation_id: isFirst ? longLists.conversationId : numbered("cnv", number),
      key: `dm:m_${number}`,
      sent_at: listedAt(number),
      seq: number + 1,
      created_at: listedAt(number),
    },
  };
}

/** Posts with their targets, deliveries and messages, so many of each, and a tenth as many conversations. */
export async function fillLists(database: BenchDatabase, rows: number): Promise<void> {
  await database.storage.write(originals.map(([collection, row]) => ({ kind: "insert", collection, row })));
  const copiesOf: Record<string, (number: number) => RowCopy[]> = {
    posts: (number) => [postCopy(number)],
    targets: targetCopies,
    deliveries: (number) => [deliveryCopy(number)],
    conversations: (number) => (number % 10 === 0 ? [conversationCopy(number / 10)] : []),
    messages: (number) => [messageCopy(number)],
  };
  for (const [collection, { id }] of originals) {
    const copies = copiesOf[collection];
    await multiplyRow(database, { collection, id }, copiesBelow(rows, copies ?? (() => [])));
  }
  await database.storage.write(originals.map(([collection, { id }]) => ({ kind: "delete", collection, id })));
}

function* copiesBelow(rows: number, copies: (number: number) => RowCopy[]): Iterable<RowCopy> {
  for (let number = 0; number < rows; number++) yield* copies(number);
}
