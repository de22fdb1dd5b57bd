import type { Reply } from "../networks/contract/inbox.ts";
import { accessOf } from "../networks/runtime/inbox-access.ts";
import { isoTime } from "../ports/clock.ts";
import { factsOf, type ProfileRow } from "../profiles/rows.ts";
import { lastIntentsOf } from "../sending/last-intents.ts";
import { retryConflicts } from "../storage/conflict-retry.ts";
import type { Operation } from "../storage/storage.ts";
import { fromRow, toChange, toRow } from "../storage/typed.ts";
import { PublishingError, SocialError } from "../wire/errors.ts";
import { isOpenAt } from "./opening.ts";
import type { AnswerPorts } from "./ports.ts";
import { refusedReply, replyOutcome } from "./reply-outcome.ts";
import { lengthProblem, replyPost } from "./reply-post.ts";
import type { ConversationRow, MessageRow, ReplyState } from "./rows.ts";
import type { InboxMessage, ParsedReply } from "./schema.ts";
import { lookForRepeated } from "./second-look.ts";

/** A reply, and whether an earlier request created it. */
export interface Replied {
  /** The current state of the message in its thread. */
  message: InboxMessage;
  /** True: an earlier request with this key created it. */
  replayed: boolean;
}

/** A reply that cannot be sent within this time is not sent, because its caller waits or has gone, milliseconds. */
const sendWithinMs = 20_000;
/** Maximum number of conflicts with requests of the same key or with a reconnect. */
const maxConflicts = 10;
/** Maximum number of messages that are read to find the one to reply to. */
const newestRead = 20;

/**
 * Replies in a conversation within `sendWithinMs`, or not at all. Under one key the reply is sent once.
 *
 * @throws SocialError `publish_failed` with the network's reason if nothing was sent. With `timeout` as the detail's
 * code, the reply may have been sent, and the service still looks for it. `conflict` if the outcome cannot be determined
 */
export async function replyTo(
  ports: AnswerPorts,
  conversation: ConversationRow,
  { text, reply_to, by, idempotency_key: key = null }: ParsedReply,
): Promise<Replied> {
  const begun = await retryConflicts(
    async () => {
      const earlier = key === null ? null : await findByKey(ports, conversation.id, key);
      if (earlier?.state === "undecided") return { message: await soughtOnceMore(ports, earlier), replayed: true };
      if (earlier !== null && earlier.state !== "failed") return { message: earlier, replayed: true };
      return { message: await begin(ports, conversation, { text, key, earlier, reply_to, by }), replayed: false };
    },
    { max: maxConflicts },
  );
  return { message: await replyOutcome(ports, begun.message, conversation.network), replayed: begun.replayed };
}

async function findByKey({ storage }: AnswerPorts, conversation_id: string, key: string): Promise<MessageRow | null> {
  const where = { conversation_id, idempotency_key: key };
  const { rows } = await storage.find("messages", { where, limit: 1, isCounted: false });
  return rows[0] === undefined ? null : fromRow<MessageRow>(rows[0]);
}

/** Starts another look for an undecided reply if the pause since the last is over. Returns the message after that. */
async function soughtOnceMore({ storage }: AnswerPorts, message: MessageRow): Promise<MessageRow> {
  const operations = await lookForRepeated(storage, message, await storage.now());
  if (operations === null) return message;
  await storage.write(operations);
  return { ...message, state: "open" };
}

/**
 * Throws before anything is stored if the reply is not possible. Then one write stores the reply and makes its profile
 * due.
 */
async function begin(
  ports: AnswerPorts,
  conversation: ConversationRow,
  given: {
    text: string;
    key: string | null;
    earlier: MessageRow | null;
    reply_to: string | undefined;
    by: Reply["by"];
  },
): Promise<MessageRow> {
  const { storage } = ports;
  const { text, earlier, reply_to, by } = given;
  const profile = await usableProfile(ports, conversation);
  const answered = await (reply_to === undefined
    ? newestOf(ports, conversation)
    : named(ports, conversation, reply_to));
  const to = toAnswer(answered);
  const now = await storage.now();
  const isOpen = isOpenAt(conversation, now);
  refuseUnsendable(ports, profile, { text, kind: conversation.kind, to, by, isOpen });
  const last_intents_before_retry = earlier === null ? {} : await lastIntentsOf(storage, earlier.id);
  const reply = { ...newReply(now), to, kind: conversation.kind, by, is_open: isOpen, last_intents_before_retry };
  // In direct messages the network reports it, because networks differ in whether they show it.
  const shown = conversation.kind === "dm" ? null : answered.id;
  const message: MessageRow =
    earlier === null
      ? newAnswer(ports, { conversation, profile, now, reply, answered: shown, ...given })
      : {
          ...earlier,
          text,
          reply_to: shown,
          state: "open",
          sent_at: isoTime(now),
          due_at: now,
          private: { ...earlier.private, reply },
        };
  await storage.write([dueNow(profile, now), earlier === null ? insert(message) : tryAgain(message)]);
  return message;
}

function newReply(now: number): Omit<ReplyState, "to" | "kind" | "by" | "is_open"> {
  const at = isoTime(now);
  return {
    started_at: at,
    keyed_at: at,
    kept: {},
    live: [],
    last_intents_before_retry: {},
    patience: null,
    faulty_since: null,
    send_until: now + sendWithinMs,
    error: null,
  };
}

function newAnswer(
  { ids, adapter }: AnswerPorts,
  given: {
    conversation: ConversationRow;
    profile: ProfileRow;
    text: string;
    key: string | null;
    reply: ReplyState;
    /** The id of the message replied to, if the network shows it. */
    answered: string | null;
    now: number;
  },
): MessageRow {
  const { conversation, profile, text, key, reply, now } = given;
  const id = ids.create("message", now);
  const at = isoTime(now);
  const hasReactions = adapter(profile.network)?.inbox?.reports.reactions[conversation.kind] != null;
  return {
    id,
    account_id: conversation.account_id,
    profile_id: profile.id,
    conversation_id: conversation.id,
    // Until the network's key is known.
    key: `out:${id}`,
    external_id: "",
    direction: "outbound",
    state: "open",
    text,
    attachments: [],
    author: { id: profile.external_id, name: profile.name },
    author_id: profile.external_id,
    sent_at: at,
    edited_at: null,
    deleted_at: null,
    delivered_at: null,
    read_at: null,
    reactions: hasReactions ? [] : null,
    reply_to: given.answered,
    awaits_approval: false,
    due_at: now,
    seq: 0,
    idempotency_key: key,
    created_at: at,
    private: { ref: null, reply, unread_so_far: conversation.private.unread_so_far, said_at: now, reacted_at: {} },
  };
}

function dueNow({ id }: ProfileRow, now: number): Operation {
  return { kind: "update", collection: "profiles", id, change: { due_at: now }, where: { status: "connected" } };
}

function insert(message: MessageRow): Operation {
  return { kind: "insert", collection: "messages", row: toRow(message) };
}

function tryAgain({ id, ...change }: MessageRow): Operation {
  return { kind: "update", collection: "messages", id, change: toChange(change), where: { state: "failed" } };
}

async function usableProfile({ storage }: AnswerPorts, { network, profile_id }: ConversationRow): Promise<ProfileRow> {
  const row = await storage.get("profiles", profile_id);
  const profile = row === null ? null : fromRow<ProfileRow>(row);
  if (profile === null || profile.status === "disconnected")
    throw refusedReply(network, "profile_unavailable", "The profile is disconnected. Reconnect it to reply.");
  if (profile.status === "needs_attention")
    throw refusedReply(network, "reauthentication_required", profile.status_reason ?? "Reconnect the profile.");
  return profile;
}

/** @throws SocialError `invalid_request` if the conversation has no such message of another user */
async function named({ storage }: AnswerPorts, { id }: ConversationRow, messageId: string): Promise<MessageRow> {
  const row = await storage.get("messages", messageId);
  const message = row === null ? null : fromRow<MessageRow>(row);
  const isThere = message?.conversation_id === id && message.state === "live" && message.deleted_at === null;
  if (isThere && message.direction === "inbound") return message;
  const wrong = isThere
    ? "The account wrote it itself: choose a message of another user."
    : "This conversation has no such message, or it was deleted.";
  throw new SocialError("invalid_request", wrong, { details: [{ field: "reply_to", message: wrong }] });
}

function toAnswer({ external_id, author, sent_at, private: { ref } }: MessageRow): Reply["to"] {
  return { external_id, author: { id: author.id ?? "", name: author.name }, sent_at: Date.parse(sent_at), ref };
}

/** The newest message of another user that is not deleted. */
async function newestOf({ storage }: AnswerPorts, { id, network }: ConversationRow): Promise<MessageRow> {
  const { rows } = await storage.find("messages", {
    where: { conversation_id: id, state: "live", direction: "inbound" },
    order: { column: "sent_at", direction: "desc" },
    limit: newestRead,
    isCounted: false,
  });
  const newest = rows.map((row) => fromRow<MessageRow>(row)).find(({ deleted_at }) => deleted_at === null);
  if (newest === undefined)
    throw refusedReply(
      network,
      "unsupported",
      "No message of another user is left in it: there is nothing to reply to.",
    );
  return newest;
}

/** Throws if the reply cannot be sent. @throws SocialError `publish_failed`: nothing is stored */
function refuseUnsendable(ports: AnswerPorts, profile: ProfileRow, reply: Reply): void {
  const { network } = profile;
  const adapter = ports.adapter(network);
  if (adapter === undefined)
    throw refusedReply(network, "unsupported", "The network is not in this service's networks.");
  const facts = factsOf(profile);
  const { may, why } = accessOf(adapter, facts)[reply.kind];
  if (may !== "reply") throw refusedReply(network, "unsupported", why ?? "");
  try {
    const post = replyPost(reply, adapter, facts);
    const problem = lengthProblem(post, { adapter, profile: facts, kind: reply.kind });
    if (problem !== null) throw refusedReply(network, "invalid_request", `text: ${problem}`, "text");
  } catch (error) {
    throw PublishingError.is(error) ? refusedReply(network, error.code, error.message) : error;
  }
}
