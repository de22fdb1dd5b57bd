import type { Attachment, InboxUpdate, NewMessage, Person, Thread } from "../networks/contract/inbox.ts";
import type { ThreadFact } from "../networks/contract/inbox-thread-facts.ts";
import { isReadableId, readableUrl } from "../networks/runtime/readable.ts";
import { cleanLine } from "../wire/clean-text.ts";
import type { Redact } from "../wire/describe-failure.ts";
import type { Json, JsonObject } from "../wire/json.ts";
import { storableJson, storableText } from "../wire/storable.ts";
import { isAboutThread } from "./thread-facts.ts";

/** Maximum lengths, characters. Networks allow far less. */
const longest = { text: 100_000, name: 300, handle: 500, emoji: 100, referral: 5_000, attachment: 5_000 };
const maxAttachments = 50;
const maxReactions = 1_000;

/**
 * An update whose texts and times can be stored and shown: text from a network or its users is cut and cleaned. Null:
 * its ids cannot be stored or requested.
 *
 * @param options.now the store's time, milliseconds; later times become this
 */
export function readableFact(fact: InboxUpdate, { redact, now }: { redact: Redact; now: number }): InboxUpdate | null {
  const at = readableTime(fact.at, now);
  if (fact.fact === "message") {
    const message = readableMessage(fact.message, redact, now);
    const thread = readableThread(fact.thread, redact);
    return message === null || thread === null ? null : { ...fact, at, message, thread };
  }
  if (isAboutThread(fact)) return readableThreadFact({ ...fact, at }, { redact, now });
  if (!isReadableId(fact.key)) return null;
  if (fact.fact === "edit") {
    const { attachments, ...edit } = fact;
    const files = attachments === undefined ? {} : { attachments: readableAttachments(attachments, redact) };
    return { ...edit, at, text: readableText(fact.text, redact), ...files };
  }
  if (fact.fact === "reaction") {
    const emoji = cleanLine(redact(fact.emoji), longest.emoji);
    return isReadableId(fact.from) ? { ...fact, at, emoji } : null;
  }
  if (fact.fact === "reactions") {
    const all = fact.all.slice(0, maxReactions).map(({ from, emoji }) => ({
      from: from === null || isReadableId(from) ? from : null,
      emoji: cleanLine(redact(emoji), longest.emoji),
    }));
    return { ...fact, at, all };
  }
  return { ...fact, at };
}

function readableThreadFact(fact: ThreadFact, { redact, now }: { redact: Redact; now: number }): InboxUpdate | null {
  if (!isReadableId(fact.thread) || !isReadableId(fact.person)) return null;
  if (fact.fact === "opens") return fact;
  if (fact.fact === "referral") {
    return { ...fact, referral: readableJson(fact.referral, longest.referral, redact) };
  }
  const until = readableTime(fact.until, now);
  return until === null ? null : { ...fact, until };
}

function readableMessage(message: NewMessage, redact: Redact, now: number): NewMessage | null {
  const { key, external_id, author, reply_to, ...others } = message;
  const sent_at = readableTime(message.sent_at, now);
  if (!isReadableId(key) || (external_id !== "" && !isReadableId(external_id)) || sent_at === null) return null;
  const text = readableText(message.text, redact);
  const attachments = readableAttachments(message.attachments, redact);
  return {
    ...others,
    key,
    external_id,
    sent_at,
    text,
    edited_at: readableTime(message.edited_at, now),
    // The network's own app shows content that its API does not return.
    attachments: text === null && attachments.length === 0 ? [{ type: "unsupported", url: null }] : attachments,
    ...(reply_to !== undefined && isReadableId(reply_to) && { reply_to }),
    author: { id: isReadableId(author.id) ? author.id : "", name: readableName(author.name, redact) },
  };
}

function readableThread(thread: Thread, redact: Redact): Thread | null {
  const { key, external_id, participant, url, referral } = thread;
  if (!isReadableId(key) || !isReadableId(external_id)) return null;
  return {
    ...thread,
    participant: readablePerson(participant, redact),
    url: readableUrl(url, redact),
    referral: referral === null ? null : readableJson(referral, longest.referral, redact),
  };
}

function readablePerson({ id, name, handle, avatar_url }: Person, redact: Redact): Person {
  return {
    id: isReadableId(id) ? id : "",
    name: readableName(name, redact),
    handle: handle === null ? null : cleanLine(redact(handle), longest.handle),
    avatar_url: readableUrl(avatar_url, redact),
  };
}

function readableName(name: string | null, redact: Redact): string | null {
  return name === null ? null : cleanLine(redact(name), longest.name) || null;
}

/** Keeps line breaks. */
function readableText(text: string | null, redact: Redact): string | null {
  return text === null ? null : storableText(redact(text.slice(0, longest.text)));
}

function readableAttachments(attachments: readonly Attachment[], redact: Redact): Attachment[] {
  return attachments.slice(0, maxAttachments).map(({ type, url, ...others }) => ({
    type: cleanLine(redact(type), 50),
    url: readableUrl(url, redact),
    ...readableJson(others, longest.attachment, redact),
  }));
}

/** Redacts secrets before it cuts, because half a secret would not be found. */
function readableJson(value: JsonObject, max: number, redact: Redact): JsonObject {
  return storableJson(withinLength(redactedIn(value, redact), max));
}

function redactedIn<Value extends Json>(value: Value, redact: Redact): Value {
  const within = (inner: Json): Json => {
    if (typeof inner === "string") return redact(inner);
    if (Array.isArray(inner)) return inner.map(within);
    if (typeof inner !== "object" || inner === null) return inner;
    return Object.fromEntries(Object.entries(inner).map(([name, field]) => [name, within(field)]));
  };
  return within(value) as Value;
}

/** If the whole is too long, texts are cut to this length, characters. */
const cutText = 1_000;

/** Keeps the fields that fit; of a text that is too long, its beginning. */
function withinLength(value: JsonObject, max: number): JsonObject {
  let left = max;
  const kept = Object.entries(value).flatMap(([name, field]) => {
    const isCut = typeof field === "string" && JSON.stringify(field).length > left;
    const short: Json = isCut ? `${field.slice(0, Math.min(cutText, Math.floor(left / 6)))}…` : field;
    const length = JSON.stringify([name, short]).length;
    if (length > left) return [];
    left -= length;
    return [[name, short] as const];
  });
  return Object.fromEntries(kept);
}

/** Limits a time to `now`: a message from the future would stay the newest. */
function readableTime(ms: number | null, now: number): number | null {
  return ms === null || !Number.isFinite(ms) || ms < 0 ? null : Math.floor(Math.min(ms, now));
}
