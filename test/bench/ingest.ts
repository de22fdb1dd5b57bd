/**
 * Messages that arrive, fifty in a write, against the bare inserts of the same rows: those of the messages, and of the
 * conversations that they begin. What ours does besides (it reads what is known, counts, moves the cursor) has no
 * counterpart; that it changes conversations that are there has one in the second result.
 */
import { createFairTurns } from "../../src/async/shares.ts";
import type { Draft } from "../../src/inbox/changes.ts";
import type { ConversationRow, InboxRow, MessageRow } from "../../src/inbox/rows.ts";
import type { TimedFact } from "../../src/inbox/timed-fact.ts";
import type { MessageFact } from "../../src/networks/contract/inbox.ts";
import { columnsOf } from "../../src/storage/columns.ts";
import { type CollectionSchema, collections } from "../../src/storage/schema.ts";
import type { Row } from "../../src/storage/storage.ts";
import { toRow } from "../../src/storage/typed.ts";
import type { Lease } from "../../src/work/lease.ts";
import type { BenchOptions } from "./arguments.ts";
import { importBuilt, importInternal } from "./built.ts";
import {
  type BenchDatabase,
  openPostgres,
  openSqlite,
  type PostgresDatabase,
  type SqliteDatabase,
} from "./database.ts";
import { type BenchResult, ratioOf } from "./result.ts";

const goal = 0.4;
const messages = 100_000;
const atOnce = 50;
/** Writes before the database is told to look at how its tables are filled. */
const beforeAnalyzing = 50;
/** Messages of one conversation come far apart. */
const threads = 10_000;
const firstMs = Date.parse("2026-01-01T00:00:00Z");

interface Writes extends Record<"messages" | "conversations", Row[]> {
  /** Conversations that are there, as they are to be. */
  changed: Row[];
}

export async function benchIngest({ pairs }: BenchOptions): Promise<BenchResult[]> {
  const built = await importBuilt();
  const results: BenchResult[] = [];
  for (const open of [
    async () => {
      const database = await openSqlite(built);
      return { database, insert: bareOnSqlite(database), analyze: async () => {} };
    },
    async () => {
      const database = await openPostgres(built);
      // What autovacuum does within a minute: a plan that was made for empty tables reads them whole.
      return { database, insert: bareOnPostgres(database), analyze: () => database.pool.query("ANALYZE") };
    },
  ]) {
    for (const isWithChanges of [false, true]) {
      const { database, insert, analyze } = await open();
      try {
        results.push(await benchOn(database, { insert, analyze }, { pairs, isWithChanges }));
      } finally {
        await database.remove();
      }
    }
  }
  return results;
}

async function benchOn(
  { name, storage }: BenchDatabase,
  { insert, analyze }: { insert: (rows: Writes) => Promise<void>; analyze: () => Promise<unknown> },
  { pairs, isWithChanges }: { pairs: number; isWithChanges: boolean },
): Promise<BenchResult> {
  const { createIngest } = await importInternal<typeof import("../../src/inbox/ingest.ts")>("src/inbox/ingest.ts");
  const { applyFacts } = await importInternal<typeof import("../../src/inbox/changes.ts")>("src/inbox/changes.ts");
  const { randomIds } = await importInternal<typeof import("../../src/ports/ids.ts")>("src/ports/ids.ts");
  const inbox = inboxRow("prof_ours");
  const created_at = new Date(firstMs).toISOString();
  await storage.write([
    { kind: "insert", collection: "inboxes", row: toRow(inbox) },
    {
      kind: "insert",
      collection: "profiles",
      row: { id: "prof_ours", account_id: "default", status: "connected", created_at },
    },
  ]);
  const lease = { id: inbox.id, epoch: 1, now: () => Date.now(), ensure: async () => {} } as unknown as Lease;
  const events = { emit() {}, isHeard: () => false };
  const ports = { storage, ids: randomIds, events, ingestInTurn: createFairTurns(2) };
  let ours = 0;
  let floor = 0;
  const reports = { reactions: { dm: null, comment: null, mention: null } };
  const ingest = createIngest(ports, { row: inbox, lease, reports });
  const begun = new Map<string, ConversationRow>();
  let rows: Writes = { messages: [], conversations: [], changed: [] };
  const pair = {
    async ours() {
      const facts = factsFrom(ours);
      ours += atOnce;
      await ingest({ facts, readAt: firstMs, state: (state) => state });
    },
    floor: () => insert(rows),
    calls: Math.ceil(messages / atOnce / pairs),
    warmUp: 20,
    isInTurns: true,
    prepare: [
      async () => {},
      async () => {
        const facts = factsFrom(floor);
        // Only what the facts are about, as ours reads it: a copy of all of them would be garbage for ours to collect.
        const known = facts.flatMap(({ thread }) => begun.get(thread.key) ?? []);
        const conversations = new Map(known.map((row) => [row.key, row]));
        const stored = { inbox: inboxRow("prof_floor"), conversations, messages: new Map() };
        const changes = applyFacts(stored, facts, {
          ids: randomIds,
          now: Date.now(),
          reports,
        });
        floor += atOnce;
        for (const { row } of changes.conversations) begun.set(row.key, row);
        const changed = changes.conversations.flatMap(({ row, before }) => (before === null ? [] : [toRow(row)]));
        rows = {
          messages: insertsOf<MessageRow>(changes.messages),
          conversations: insertsOf(changes.conversations),
          changed: isWithChanges ? changed : [],
        };
      },
    ] as const,
  };
  for (let first = 0; first < beforeAnalyzing; first++) {
    await pair.ours();
    await pair.prepare[1]();
    await pair.floor();
  }
  await analyze();
  const against = isWithChanges ? ", against inserts and changes" : "";
  return ratioOf(
    `${messages.toLocaleString("en-US")} messages taken in, ${atOnce} at once, on ${name}${against}`,
    pair,
    {
      goal,
      pairs,
    },
  );
}

function insertsOf<Kept extends ConversationRow | MessageRow>(drafts: readonly Draft<Kept>[]): Row[] {
  return drafts.flatMap(({ row, before }) => (before === null ? [toRow({ ...row, seq: 1 })] : []));
}

function inboxRow(profile_id: string): InboxRow {
  return {
    id: `inb_${profile_id}`,
    account_id: "default",
    profile_id,
    network: "facebook",
    external_id: profile_id,
    app_id: null,
    seq: 0,
    changed_at: firstMs,
    created_at: new Date(firstMs).toISOString(),
    due_at: null,
    lease_until: 0,
    epoch: 1,
    private: { connected_at: firstMs, sources: {}, pending_updates_until: firstMs },
  };
}

function factsFrom(start: number): (MessageFact & TimedFact)[] {
  return Array.from({ length: atOnce }, (_, place) => factOf(start + place));
}

function factOf(number: number): MessageFact & TimedFact {
  const person = { id: String(4_000_000 + (number % threads)), name: "Ann Lee", handle: null, avatar_url: null };
  const at = firstMs + number * 1_000;
  const message = { key: `dm:m_${number}`, external_id: `m_${number}`, text: "Do you ship to Norway, and until when?" };
  return {
    fact: "message",
    at,
    thread: {
      kind: "dm",
      key: `dm:${person.id}`,
      external_id: person.id,
      participant: person,
      url: null,
      referral: null,
    },
    message: { ...message, own: false, attachments: [], author: person, sent_at: at, edited_at: null },
  };
}

const tables = ["conversations", "messages"] as const;

/** A row as it is stored: its columns, and all else as JSON. */
function valuesOf(table: (typeof tables)[number], row: Row): (number | string | null)[] {
  const columns = columnsOf(table);
  const rest = Object.fromEntries(Object.entries(row).filter(([field]) => !columns.includes(field)));
  return [...columns.map((column) => (row[column] ?? null) as number | string | null), JSON.stringify(rest)];
}

function intoSql(table: (typeof tables)[number]): string {
  return `INSERT INTO "postrider_${table}" (${[...columnsOf(table), "data"].map((column) => `"${column}"`).join(", ")})`;
}

function marksOf(table: (typeof tables)[number]): string {
  return `(${Array.from({ length: columnsOf(table).length + 1 }, () => "?").join(", ")})`;
}

/** Prepared once, in one transaction. */
function bareOnSqlite({ handle }: SqliteDatabase): (rows: Writes) => Promise<void> {
  const statements = tables.map(
    (table) => [table, handle.prepare(`${intoSql(table)} VALUES ${marksOf(table)}`)] as const,
  );
  const sets = [...columnsOf("conversations"), "data"].map((column) => `"${column}" = ?`).join(", ");
  const change = handle.prepare(`UPDATE "postrider_conversations" SET ${sets} WHERE "id" = ?`);
  return async (rows) => {
    handle.exec("BEGIN IMMEDIATE");
    for (const [table, statement] of statements) for (const row of rows[table]) statement.run(...valuesOf(table, row));
    for (const row of rows.changed) change.run(...valuesOf("conversations", row), row.id);
    handle.exec("COMMIT");
  };
}

/** One statement for each table, in one transaction. */
function bareOnPostgres({ pool }: PostgresDatabase): (rows: Writes) => Promise<void> {
  return async (rows) => {
    const client = await pool.connect();
    await client.query("BEGIN");
    for (const table of tables) {
      if (rows[table].length === 0) continue;
      let count = 0;
      const marks = rows[table].map(() => marksOf(table).replaceAll("?", () => `$${++count}`)).join(", ");
      await client.query(
        `${intoSql(table)} VALUES ${marks}`,
        rows[table].flatMap((row) => valuesOf(table, row)),
      );
    }
    if (rows.changed.length > 0) await client.query(changeOnPostgres(rows.changed));
    await client.query("COMMIT");
    client.release();
  };
}

/** One statement for all. */
function changeOnPostgres(changed: readonly Row[]): { text: string; values: (number | string | null)[] } {
  const { columns } = collections.conversations as CollectionSchema;
  const names = [...columnsOf("conversations"), "data"];
  const typed = (name: string): string => (columns[name] === "integer" ? "::bigint" : "::text");
  let count = 0;
  const marks = changed.map(() => `(${names.map((name) => `$${++count}${typed(name)}`).join(", ")})`).join(", ");
  const sets = names.map((name) => `"${name}" = given."${name}"`).join(", ");
  const given = `(VALUES ${marks}) AS given (${names.map((name) => `"${name}"`).join(", ")})`;
  return {
    text: `UPDATE "postrider_conversations" AS stored SET ${sets} FROM ${given} WHERE stored."id" = given."id"`,
    values: changed.flatMap((row) => valuesOf("conversations", row)),
  };
}
