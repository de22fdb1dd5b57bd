/** `social.posts.list` on SQLite against the bare statements that it stands for, on the same handle. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import type { ListPosts } from "../../src/posts/schema.ts";
import type { SqliteHandle } from "../../src/storage/sqlite/index.ts";
import { silentLogger } from "../support/logger.ts";
import { testKey } from "../support/service.ts";
import type { BenchOptions } from "./arguments.ts";
import { importBuilt } from "./built.ts";
import { fillPosts, times } from "./fill.ts";
import { type BenchResult, ratioOf } from "./result.ts";

const goal = 0.8;

export async function benchList({ rows, pairs }: BenchOptions): Promise<BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), "postrider-bench-"));
  const handle: SqliteHandle = new Database(join(folder, "social.db"));
  try {
    const built = await importBuilt();
    const storage = built.sqliteStorage(handle);
    await storage.migrate();
    fillPosts(handle, rows);
    const social = built.createSocialService({
      storage,
      encryptionKey: testKey,
      logger: silentLogger,
    });
    const results: BenchResult[] = [];
    for (const { name, query, goal: wanted, ...given } of cases(rows)) {
      const bare = bareStatements(handle, { query, ...given });
      const list = async (): Promise<void> => void (await social.posts.list(query));
      // Long ones need no repetition to be told from each other.
      const startedAt = performance.now();
      await list();
      const calls = Math.max(1, Math.min(200, Math.round(100 / (performance.now() - startedAt))));
      const pair = { ours: list, floor: async () => bare(), calls, warmUp: 2 };
      results.push(await ratioOf(`list of ${rows.toLocaleString("en-US")}, ${name}`, pair, { goal: wanted, pairs }));
    }
    return results;
  } finally {
    handle.close?.();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface ListCase {
  name: string;
  query: ListPosts;
  /** The same as SQL. */
  where: string;
  values: (string | number)[];
  /** Where all that is asked stands in the targets, that is where one looks. */
  byTargets?: boolean;
  goal: number | null;
}

function cases(rows: number): ListCase[] {
  const far = Math.min(100_000, Math.floor(rows / 2));
  const network = { where: "AND network = ?", values: ["mastodon"], byTargets: true };
  const profile = { where: "AND profile_id = ?", values: ["prof_7"], byTargets: true };
  return [
    { name: "first page", query: {}, where: "", values: [], goal },
    { name: `offset ${far.toLocaleString("en-US")}`, query: { offset: far }, where: "", values: [], goal },
    { name: "status", query: { status: ["failed"] }, where: "AND status IN (?)", values: ["failed"], goal },
    { name: "network", query: { network: ["mastodon"] }, ...network, goal },
    { name: "profile", query: { profile_id: "prof_7" }, ...profile, goal },
    { name: "a quarter of the time", ...createdIn(rows / 2, rows / 4), goal },
    // Nothing is counted here, so what is left is making posts of rows.
    { name: "a hundred posts' time", ...createdIn(rows / 2, 100), goal: null },
  ];
}

function createdIn(from: number, length: number): Pick<ListCase, "query" | "where" | "values"> {
  const created = { created_after: times.at(from), created_before: times.at(from + length) };
  const values = [created.created_before, created.created_after];
  return { query: created, where: "AND created_at <= ? AND created_at >= ?", values };
}

/** Page, count and the page's targets, prepared once. */
function bareStatements(
  handle: SqliteHandle,
  { query, where, values, byTargets = false }: Omit<ListCase, "name" | "goal">,
): () => void {
  const [table, id] = byTargets ? ["postrider_targets", "post_id"] : ["postrider_posts", "id"];
  const matching = `FROM ${table} WHERE account_id = ? ${where}`;
  const ordered = `${matching} ORDER BY created_at DESC, ${id} DESC LIMIT 20 OFFSET ?`;
  const page = handle.prepare(
    byTargets
      ? `SELECT * FROM postrider_posts WHERE id IN (SELECT post_id ${ordered}) ORDER BY created_at DESC, id DESC`
      : `SELECT * ${ordered}`,
  );
  const count = handle.prepare(`SELECT COUNT(${byTargets ? "DISTINCT post_id" : "*"}) ${matching}`);
  const marks = Array.from({ length: 20 }, () => "?").join(", ");
  const targets = handle.prepare(`SELECT * FROM postrider_targets WHERE post_id IN (${marks})`);
  return () => {
    const found = page.all("default", ...values, query.offset ?? 0) as { id: string }[];
    count.all("default", ...values);
    const ids = found.map(({ id }) => id);
    targets.all(...Array.from({ length: 20 }, (_, place) => ids[place] ?? ""));
  };
}
