import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { PublishedPart } from "../networks/contract/plan.ts";
import { isoTime } from "../ports/clock.ts";
import type { ServiceEvents } from "../ports/events.ts";
import type { Failure } from "../sending/state.ts";
import { retryConflicts } from "../storage/conflict-retry.ts";
import type { Operation, Storage } from "../storage/storage.ts";
import { fromRow, toChange } from "../storage/typed.ts";
import { onlyWhileHeld } from "../work/lease.ts";
import { withMessage } from "./changes.ts";
import { messageChanged } from "./events.ts";
import { withReceiptTimes } from "./receipts.ts";
import { type ConversationRow, inboxIdOf, type MessageRow, type ReplyState, thisTry } from "./rows.ts";

/** Dependencies of the settling of replies. */
export interface ReplyPorts {
  storage: Storage;
  events: Pick<ServiceEvents, "emit">;
}

/** The operation that lets only the profile's holder write, and the time, milliseconds. */
interface Given {
  guard: Operation;
  now: number;
}

/** Maximum number of times that others may change the conversation meanwhile. */
const maxConflicts = 50;
/**
 * How far a network's clock may be ahead of ours, milliseconds. Until then, what the network shows of a reply is no
 * edit.
 */
const clockToleranceMs = 600_000;

/** Settles a reply that is live. If the inbox has already read it from the network, that row stays the visible one. */
export function settleLive(
  ports: ReplyPorts,
  adapter: NetworkAdapter,
  message: MessageRow,
  given: Given,
): Promise<void> {
  const published = liveOf(message);
  const key = keyOf(message, published, adapter);
  const attempt = async (): Promise<void> => {
    const { profile_id, conversation_id } = message;
    const found = await ports.storage.find("messages", { where: { profile_id, key }, limit: 1, isCounted: false });
    const [echo] = found.rows;
    if (echo !== undefined && echo.id !== message.id) return merge(ports, message, echo.id, given);
    const inboxId = inboxIdOf(profile_id);
    const [inbox, stored] = await Promise.all([
      ports.storage.get("inboxes", inboxId),
      ports.storage.get("conversations", conversation_id),
    ]);
    if (stored === null) throw new Error(`Conversation ${conversation_id} no longer exists in the store.`);
    const seq = Number(inbox?.seq ?? 0);
    const before = fromRow<ConversationRow>(stored);
    const settled = shownMessage(message, { key, published, seq: seq + 1, now: given.now });
    const shown = withReceiptTimes(settled, before.private.receipts ?? {});
    const { id: _, ...conversation } = { ...withMessage(before, shown), seq: seq + 2 };
    await onlyWhileHeld("profiles", () =>
      ports.storage.write([
        given.guard,
        {
          kind: "update",
          collection: "inboxes",
          id: inboxId,
          change: { seq: seq + 2, changed_at: given.now },
          where: { seq },
        },
        update("messages", shown, thisTry(message)),
        {
          kind: "update",
          collection: "conversations",
          id: before.id,
          change: toChange(conversation),
          where: { seq: before.seq },
        },
      ]),
    );
    ports.events.emit(messageChanged(shown));
  };
  return retryConflicts(attempt, { max: maxConflicts });
}

function liveOf({ id, private: { reply } }: MessageRow): PublishedPart {
  const [part] = reply?.live ?? [];
  if (part === undefined) throw new Error(`The reply ${id} is live but has no part.`);
  return part;
}

/** The message's key at the network. If the network returns no id, our own key stays. */
function keyOf({ id, key }: MessageRow, published: PublishedPart, { spec, inbox }: NetworkAdapter): string {
  if (inbox?.reply === undefined) throw new Error(`${spec.name} has no inbox for the reply ${id}.`);
  return published.id === null ? key : inbox.reply.keyOf({ ...published, id: published.id });
}

function shownMessage(
  message: MessageRow,
  { key, published, seq, now }: { key: string; published: PublishedPart; seq: number; now: number },
): MessageRow {
  return {
    ...message,
    key,
    external_id: published.id ?? "",
    state: "live",
    sent_at: isoTime(now),
    due_at: null,
    seq,
    private: {
      ...message.private,
      ref: published.ref,
      said_at: now + clockToleranceMs,
      reply: { ...ended(message), error: null },
    },
  };
}

async function merge({ storage }: ReplyPorts, message: MessageRow, shownId: string, { guard }: Given): Promise<void> {
  const reply = { ...ended(message), error: null, merged_into: shownId };
  const row: MessageRow = { ...message, state: "merged", due_at: null, private: { ...message.private, reply } };
  await onlyWhileHeld("profiles", () => storage.write([guard, update("messages", row, thisTry(message))]));
}

/** Settles a reply that was not sent, or whose outcome cannot be determined. */
export async function settleFailed(
  { storage }: ReplyPorts,
  message: MessageRow,
  { code, message: reason, mayBeLive }: Failure,
  { guard, now }: Given,
): Promise<void> {
  const state = mayBeLive ? "undecided" : "failed";
  const reply = {
    ...ended(message),
    error: { code, message: reason },
    ...(state === "undecided" && { undecided_at: now }),
  };
  const row: MessageRow = { ...message, state, due_at: null, private: { ...message.private, reply } };
  await onlyWhileHeld("profiles", () => storage.write([guard, update("messages", row, thisTry(message))]));
}

function ended({ id, private: { reply } }: MessageRow): ReplyState {
  if (reply === undefined) throw new Error(`The message ${id} is not a reply.`);
  return { ...reply, kept: {}, patience: null, faulty_since: null };
}

function update(collection: "messages", { id, ...row }: MessageRow, where: ReturnType<typeof thisTry>): Operation {
  return { kind: "update", collection, id, change: toChange(row), where };
}
