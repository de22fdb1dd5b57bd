/** Conversations and messages as they are listed, on SQLite, against the bare statements on the same handle. */
import { randomIds } from "../../src/ports/ids.ts";
import { toRow } from "../../src/storage/typed.ts";
import { silentLogger } from "../support/logger.ts";
import { testKey } from "../support/service.ts";
import type { BenchOptions } from "./arguments.ts";
import { importBuilt } from "./built.ts";
import { openSqlite } from "./database.ts";
import { conversationRow, messageRow } from "./inbox-rows.ts";
import { multiplyRow } from "./multiply.ts";
import { type BenchResult, ratioOf } from "./result.ts";

/** At most 1.3 times as long. */
const goal = 1 / 1.3;
const messagesEach = 10;
const firstMs = Date.parse("2025-01-01T00:00:00Z");

export async function benchInbox({ rows, pairs }: BenchOptions): Promise<BenchResult[]> {
  const built = await importBuilt();
  const database = await openSqlite(built);
  try {
    const { storage, handle } = database;
    const conversation = conversationRow("cnv_0", firstMs);
    await storage.write([
      { kind: "insert", collection: "conversations", row: toRow(conversation) },
      { kind: "insert", collection: "messages", row: toRow(messageRow(conversation, firstMs)) },
    ]);
    const conversations = Math.max(1, Math.floor(rows / messagesEach));
    await multiplyRow(database, { collection: "conversations", id: "cnv_0" }, conversationCopies(conversations));
    await multiplyRow(
      database,
      { collection: "messages", id: messageRow(conversation, firstMs).id },
      messageCopies(rows),
    );
    handle.exec("ANALYZE");
    const social = built.createSocialService({ storage, ids: randomIds, encryptionKey: testKey, logger: silentLogger });
    const page = (table: string, where: string, order: string) => ({
      rows: handle.prepare(`SELECT * FROM postrider_${table} WHERE ${where} ORDER BY ${order} DESC, id DESC LIMIT 20`),
      count: handle.prepare(`SELECT COUNT(*) FROM postrider_${table} WHERE ${where}`),
    });
    const all = page("conversations", "account_id = ?", "last_at");
    const open = page("conversations", "account_id = ? AND status = ?", "last_at");
    const inOne = page("messages", "conversation_id = ? AND state = ?", "sent_at");
    const named = rows.toLocaleString("en-US");
    const cases = [
      ["conversations, first page", () => social.inbox.conversations.list(), all, ["default"], goal],
      [
        "open conversations",
        () => social.inbox.conversations.list({ status: "open" }),
        open,
        ["default", "open"],
        goal,
      ],
      // So few that what is left is making messages of rows.
      ["messages of one", () => social.inbox.conversations.messages("cnv_1"), inOne, ["cnv_1", "live"], null],
    ] as const;
    const results: BenchResult[] = [];
    for (const [name, list, bare, values, wanted] of cases) {
      const pair = {
        ours: async () => void (await list()),
        async floor() {
          bare.rows.all(...values);
          bare.count.all(...values);
        },
        calls: 50,
        warmUp: 5,
      };
      results.push(await ratioOf(`inbox of ${named} messages, ${name}`, pair, { goal: wanted, pairs }));
    }
    return results;
  } finally {
    await database.remove();
  }
}

function at(number: number): string {
  return new Date(firstMs + number * 1_000).toISOString();
}

function* conversationCopies(count: number) {
  for (let number = 1; number < count; number++)
    yield {
      columns: {
        id: `cnv_${number}`,
        key: `dm:${number}`,
        last_at: at(number),
        created_at: at(number),
        seq: number + 1,
      },
    };
}

function* messageCopies(count: number) {
  for (let number = 1; number < count; number++)
    yield {
      columns: {
        id: `msg_${number}`,
        key: `dm:m_${number}`,
        seq: number + 1,
        sent_at: at(number),
        created_at: at(number),
        conversation_id: `cnv_${Math.floor(number / messagesEach)}`,
      },
    };
}
