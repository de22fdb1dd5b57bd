import { isColumn } from "../storage/columns.ts";
import type { CollectionName } from "../storage/schema.ts";
import type { Operation, Storage } from "../storage/storage.ts";
import { fromRow, toChange, toRow } from "../storage/typed.ts";
import type { JsonObject } from "../wire/json.ts";
import { type Changes, type Draft, withLast } from "./changes.ts";
import type { ConversationRow, MessageRow } from "./rows.ts";

/** Messages per query in the search for one that is not deleted. */
const newestAtOnce = 20;

/** Sets `last_message` of conversations whose newest message was deleted to the one before it. */
export async function withNewestMessages<Changed extends Pick<Changes, "conversations" | "messages" | "withoutLast">>(
  storage: Storage,
  changes: Changed,
): Promise<Changed> {
  if (changes.withoutLast.length === 0) return changes;
  const changed = new Map(changes.messages.map(({ row }) => [row.id, row]));
  const newest = new Map(
    await Promise.all(changes.withoutLast.map(async (id) => [id, await newestMessage(storage, id, changed)] as const)),
  );
  const conversations = changes.conversations.map((draft) => {
    const last = newest.get(draft.row.id);
    return last === undefined ? draft : { ...draft, row: withLast(draft.row, last) };
  });
  return { ...changes, conversations };
}

/** The newest message that is not deleted, after its changes. */
async function newestMessage(
  storage: Storage,
  conversationId: string,
  changed: ReadonlyMap<string, MessageRow>,
): Promise<MessageRow | null> {
  const own = [...changed.values()].filter((row) => row.conversation_id === conversationId);
  for (let offset = 0; ; offset += newestAtOnce) {
    const { rows } = await storage.find("messages", {
      where: { conversation_id: conversationId, state: "live" },
      order: { column: "sent_at", direction: "desc" },
      limit: newestAtOnce,
      offset,
      isCounted: false,
    });
    const stored = rows.map((row) => changed.get(row.id) ?? fromRow<MessageRow>(row));
    const left = [...stored, ...own].filter(({ deleted_at }) => deleted_at === null);
    if (left.length > 0 || rows.length < newestAtOnce) return left.sort(newestFirst)[0] ?? null;
  }
}

function newestFirst(one: MessageRow, other: MessageRow): number {
  if (one.sent_at === other.sent_at) return one.id < other.id ? 1 : -1;
  return one.sent_at < other.sent_at ? 1 : -1;
}

/**
 * The operations that write the changed rows, each under the inbox's next `seq`. Every writer of a visible row sets a
 * new `seq`, so that an update whose `seq` matches may write whole rows. Replies that are being sent have no `seq` and
 * are not among these rows.
 */
export function rowOperations(
  { conversations, messages }: Pick<Changes, "conversations" | "messages">,
  seq: number,
): Operation[] {
  let next = seq;
  const operation = <Row extends ConversationRow | MessageRow>(
    collection: "conversations" | "messages",
    { row, before }: Draft<Row>,
  ): Operation => {
    next += 1;
    const numbered = { ...row, seq: next };
    if (before === null) return { kind: "insert", collection, row: toRow(numbered) };
    const change = changedFields(collection, toChange(numbered), toChange(before));
    return { kind: "update", collection, id: row.id, change, where: { seq: before.seq }, isComplete: true };
  };
  return [
    ...conversations.map((draft) => operation("conversations", draft)),
    ...messages.map((draft) => operation("messages", draft)),
  ];
}

/**
 * Of the columns only the changed ones, because indexes contain them; of the other fields all, so that the store need
 * not read the row. A loop, because it runs for every changed row.
 */
function changedFields(collection: CollectionName, row: JsonObject, before: JsonObject): JsonObject {
  const change: JsonObject = {};
  for (const [name, value] of Object.entries(row))
    if (value !== before[name] || !isColumn(collection, name)) change[name] = value;
  return change;
}
