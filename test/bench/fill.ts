import { emptyTargetState } from "../../src/publishing/rows.ts";
import type { SqliteHandle } from "../../src/storage/sqlite/index.ts";

/** Posts are this far apart, milliseconds. */
const betweenMs = 30_000;
const firstMs = Date.parse("2025-01-01T00:00:00Z");

export const times = {
  /** When the post with this number was created. */
  at: (number: number): string => new Date(firstMs + Math.floor(number) * betweenMs).toISOString(),
};

const statuses = [
  "published",
  "published",
  "published",
  "published",
  "published",
  "published",
  "published",
  "partially_published",
  "scheduled",
  "failed",
];
const networks = ["bluesky", "bluesky", "bluesky", "mastodon", "discord"];
const profiles = 100;

/** Posts of one account with a target each, and as many of a second account as a tenth of them; in one transaction. */
export function fillPosts(handle: SqliteHandle, rows: number): void {
  handle.exec("BEGIN");
  const post = handle.prepare(
    'INSERT INTO postrider_posts ("id", "account_id", "status", "target_networks", "created_at", "version", "data") VALUES (?, ?, ?, ?, ?, 1, ?)',
  );
  const target = handle.prepare(
    'INSERT INTO postrider_targets ("id", "account_id", "post_id", "profile_id", "network", "status", "position", "post_status", "created_at", "data") ' +
      "VALUES (?, ?, ?, ?, ?, 'published', 0, ?, ?, ?)",
  );
  const total = Math.floor(rows * 1.1);
  for (let number = 0; number < total; number++) {
    const account = number < rows ? "default" : "other";
    const place = number % rows;
    const id = `post_${String(number).padStart(26, "0")}`;
    const at = times.at(place);
    const status = statuses[place % statuses.length] ?? "published";
    // A profile posts on one network.
    const profile = (place * 7) % profiles;
    const network = networks[profile % networks.length] ?? "bluesky";
    post.run(id, account, status, network, at, postData(at));
    target.run(`tgt_${number}`, account, id, `prof_${profile}`, network, status, at, targetData(at));
  }
  handle.exec("COMMIT");
}

function postData(at: string): string {
  return JSON.stringify({
    text: "Three rows of blue hills, the furthest of them nearly white, and a bird above.",
    media: [],
    link: null,
    post_type: "post",
    title: null,
    thread: null,
    auto_thread: false,
    networks: {},
    published_at: at,
    source: "api",
    updated_at: at,
    private: { body: {}, waiting_since: null },
  });
}

function targetData(at: string): string {
  return JSON.stringify({
    profile_name: "Alice",
    post_ids: ["at://did:plc:ewvi7nxzyoun6zhxrhs64oiz/app.bsky.feed.post/3l2zpbbhuvw2h"],
    attempts: 1,
    url: "https://bsky.app/profile/alice.example.com/post/3l2zpbbhuvw2h",
    published_at: at,
    error: null,
    private: emptyTargetState(),
  });
}
