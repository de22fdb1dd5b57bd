import type { IntentRow } from "../sending/intent.ts";
import type { Operation, Storage } from "../storage/storage.ts";
import { fromRow, toChange } from "../storage/typed.ts";
import type { Changes } from "./changes.ts";
import type { MessageRow } from "./rows.ts";

/** Pause between the end of a look for an undecided reply and the next look that its key may start, milliseconds. */
const betweenLooksMs = 60_000;
/**
 * How far a network's clock may differ from ours, plus how long a request may run after its reply's end, milliseconds.
 */
const aroundMs = 600_000;

/** The operations that start another look for an undecided reply, because its key was repeated; null: not now. */
export async function lookForRepeated(
  storage: Storage,
  message: MessageRow,
  now: number,
): Promise<readonly Operation[] | null> {
  const { undecided_at = 0 } = message.private.reply ?? {};
  // An erased reply has no text to look for.
  if (message.deleted_at !== null || now < undecided_at + betweenLooksMs) return null;
  const profile = await storage.get("profiles", message.profile_id);
  return profile?.status === "connected" ? lookOnceMore(storage, message, now) : null;
}

/**
 * The operations that start another look for undecided replies, because the network has reported messages of the
 * account itself. One of them may be the reply, sent minutes or hours ago.
 */
export async function lookForUndecided(
  storage: Storage,
  { messages }: Pick<Changes, "messages">,
  now: number,
): Promise<Operation[]> {
  const own = messages.flatMap(({ row, before }) => (before === null && row.direction === "outbound" ? [row] : []));
  if (own.length === 0) return [];
  const conversations = [...new Set(own.map(({ conversation_id }) => conversation_id))];
  const { rows } = await storage.find("messages", {
    where: { conversation_id: { in: conversations }, state: "undecided" },
    isCounted: false,
  });
  const sought = rows
    .map((row) => fromRow<MessageRow>(row))
    .filter((reply) => own.some((message) => mayBe(message, reply)));
  return (await Promise.all(sought.map((reply) => lookOnceMore(storage, reply, now)))).flat();
}

/** True: it was sent while the reply's request was running. The look itself compares text and parent. */
function mayBe(message: MessageRow, sought: MessageRow): boolean {
  const {
    created_at,
    deleted_at,
    private: { reply },
  } = sought;
  if (reply === undefined || deleted_at !== null || message.conversation_id !== sought.conversation_id) return false;
  const sentAt = Date.parse(message.sent_at);
  const begunAt = Date.parse(reply.started_at ?? created_at);
  return sentAt >= begunAt - aroundMs && sentAt <= reply.send_until + aroundMs;
}

async function lookOnceMore(storage: Storage, message: MessageRow, now: number): Promise<Operation[]> {
  const { id, profile_id, private: record } = message;
  const { rows } = await storage.find("intents", { where: { subject_id: id, state: "undecided" }, isCounted: false });
  const intents = rows.map((row): Operation => {
    const { private: intent, ...lost } = fromRow<IntentRow>(row);
    const again = { ...intent, outcome_before_retry: "undecided" as const, look_at: null, replay_at: null };
    const change = toChange({ state: "unknown", private: again });
    return { kind: "update", collection: "intents", id: lost.id, change, where: { state: "undecided" } };
  });
  const reply = record.reply && { ...record.reply, error: null };
  const change = toChange({ state: "open", due_at: now, private: { ...record, reply } });
  return [
    { kind: "update", collection: "messages", id, change, where: { state: "undecided" } },
    ...intents,
    { kind: "update", collection: "profiles", id: profile_id, change: { due_at: now }, where: {} },
  ];
}
