import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Libsql from "libsql";
import { Pool } from "pg";
import { beforeAll, expect, it } from "vitest";
import { postgresStorage } from "../../src/storage/postgres/index.ts";
import { numbered, type Statement } from "../../src/storage/sql/statement.ts";
import { type SqliteHandle, sqliteStorage } from "../../src/storage/sqlite/index.ts";
import type { Storage, Where } from "../../src/storage/storage.ts";
import type { BenchDatabase } from "../bench/database.ts";
import { longLists } from "../bench/fill-lists.ts";
import { startPostgres } from "../support/postgres.ts";
import { fillAll } from "./query-plans/fill-others.ts";
import { faultsOnPostgres, faultsOnSqlite, isOnPurpose, type PlanNode } from "./query-plans/judge.ts";
import { type Asked, createRecorder, placesThatAsk } from "./query-plans/recorder.ts";
import { askedByHand, playEverything } from "./query-plans/scenario.ts";

const rows = 100_000;
const recorder = createRecorder();
let questions: Asked[];

beforeAll(async () => {
  await playEverything(recorder);
  questions = [...recorder.asked(), ...Object.values(askedByHand).flat()]
    .filter((asked) => !isOnPurpose(asked))
    .map(aboutTheFilled);
}, 600_000);

/** The same question about the owner of most rows. */
function aboutTheFilled(asked: Asked): Asked {
  if (asked.call !== "find") return asked;
  const { where, some } = asked.query;
  return {
    ...asked,
    query: { ...asked.query, where: withOwners(where), ...(some && { some: { targets: withOwners(some.targets) } }) },
  };
}

const owners: Readonly<Record<string, string>> = {
  account_id: longLists.accountId,
  profile_id: longLists.profileId,
  webhook_id: longLists.webhookId,
  conversation_id: longLists.conversationId,
};

function withOwners(where: Where): Where {
  const named = Object.entries(where).map(([column, condition]) => [
    column,
    typeof condition === "string" ? (owners[column] ?? condition) : condition,
  ]);
  return Object.fromEntries(named);
}

function faultText(asked: Asked, found: readonly string[]): string {
  return `${found.join("; ")}: ${JSON.stringify(asked)}`;
}

/** What a question makes a storage send that reads. */
async function sentFor(storage: Storage, asked: Asked, sent: Statement[]): Promise<Statement[]> {
  sent.splice(0);
  if (asked.call === "find") await storage.find(asked.collection, asked.query);
  else if (asked.call === "claim") await storage.claim(asked.collection, asked.options);
  else if (asked.call === "claimPosts") await storage.claimPosts?.(asked.options);
  else await storage.nextDueAt(asked.until);
  return sent.splice(0).filter(({ text }) => /FROM/.test(text));
}

it("plays or lists every place in the sources that asks a storage something", () => {
  const left = placesThatAsk().filter((place) => !recorder.places.has(place));
  const counts: Record<string, number> = {};
  for (const place of left) {
    const [file = ""] = place.split(":");
    counts[file] = (counts[file] ?? 0) + 1;
  }
  // Some places are played in some runs only, so more may be listed than is left.
  const missing = Object.entries(counts).filter(([file, count]) => count > (askedByHand[file]?.length ?? 0));
  expect(missing, left.join(", ")).toEqual([]);
});

it("reads and sorts no whole collection on SQLite, nor other accounts' rows", async () => {
  const folder = mkdtempSync(join(tmpdir(), "postrider-plans-"));
  const file = join(folder, "social.db");
  const handle: SqliteHandle = new Libsql(file);
  const sent: Statement[] = [];
  const spied: SqliteHandle = {
    exec: (sql) => handle.exec(sql),
    prepare(text) {
      const statement = handle.prepare(text);
      const noted =
        <Answer>(run: (...values: unknown[]) => Answer) =>
        (...values: unknown[]) => {
          sent.push({ text, values: values as Statement["values"] });
          return run(...values);
        };
      return {
        run: noted((...values) => statement.run(...values)),
        get: noted((...values) => statement.get(...values)),
        all: noted((...values) => statement.all(...values)),
      };
    },
  };
  const storage = sqliteStorage(spied);
  await storage.migrate();
  const run: BenchDatabase["run"] = async (text, values = []) => void handle.prepare(text).run(...values);
  await fillAll({ name: "SQLite", storage: sqliteStorage(handle), run, remove: async () => undefined }, rows);
  const explainer: SqliteHandle = new Libsql(file);
  const faults: string[] = [];
  for (const isAnalyzed of [false, true]) {
    if (isAnalyzed) handle.exec("ANALYZE");
    for (const asked of questions) {
      for (const { text, values } of await sentFor(storage, asked, sent)) {
        const plan = explainer.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values) as { detail: string }[];
        const found = faultsOnSqlite(
          plan.map(({ detail }) => detail),
          asked,
        );
        if (found.length > 0) faults.push(faultText(asked, found));
      }
    }
  }
  explainer.close?.();
  handle.close?.();
  rmSync(folder, { recursive: true, force: true });
  expect(faults).toEqual([]);
}, 600_000);

it("reads and sorts no whole collection on Postgres, nor other accounts' rows", async () => {
  const server = await startPostgres();
  if (typeof server === "string") throw new Error(server);
  const pool = new Pool({ connectionString: server.url, max: 2 });
  pool.on("error", () => undefined);
  const sent: Statement[] = [];
  const spied = new Proxy(pool, {
    get(target, name) {
      if (name !== "query") return Reflect.get(target, name);
      return (query: { text: string; values?: Statement["values"] } | string, values?: Statement["values"]) => {
        const text = typeof query === "string" ? query : query.text;
        sent.push({ text, values: (typeof query === "string" ? values : query.values) ?? [] });
        return typeof query === "string" ? target.query(query, values) : target.query(query);
      };
    },
  });
  const storage = postgresStorage(spied);
  await storage.migrate();
  const run: BenchDatabase["run"] = async (text, values = []) => void (await pool.query(numbered(text), [...values]));
  await fillAll({ name: "Postgres", storage: postgresStorage(pool), run, remove: async () => undefined }, rows);
  await pool.query("VACUUM ANALYZE");
  const faults: string[] = [];
  for (const asked of questions) {
    for (const { text, values } of await sentFor(storage, asked, sent)) {
      const client = await pool.connect();
      await client.query("BEGIN");
      const { rows: answer } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
      const isCount = /COUNT\(\*\)/.test(text);
      const counted = isCount ? Number((await client.query(text, values)).rows[0]?.total) : 0;
      await client.query("ROLLBACK");
      client.release();
      const plan = answer[0]["QUERY PLAN"][0].Plan as PlanNode;
      const found = faultsOnPostgres(plan, Math.max(counted, plan["Actual Rows"]));
      if (found.length > 0) faults.push(faultText(asked, found));
    }
  }
  await pool.end();
  await server.remove();
  expect(faults).toEqual([]);
}, 600_000);
