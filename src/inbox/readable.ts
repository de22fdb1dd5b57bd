import type { Attachment, Fact, NewMessage, Person, Thread } from "../networks/contract/inbox.ts";
import type { ThreadFact } from "../networks/contract/inbox-thread-facts.ts";
import { isReadableId, readableUrl } from "../networks/runtime/readable.ts";
import { cleanLine } from "../wire/clean-text.ts";
import type { Redact } from "../wire/describe-failure.ts";
import { storableJson, storableText } from "../wire/storable.ts";
import { isAboutThread } from "./thread-facts.ts";

/** Characters at most; networks allow far less. */
const longest = { text: 100_000, name: 300, handle: 500, emoji: 100, referral: 5_000, attachment: 5_000 };
const maxAttachments = 50;
const maxReactions = 1_000;

/**
 * A fact in texts and times that can be stored and shown: what a network, or
 * somebody on it, says is cut and cleaned. Null: it names nothing that could be
 * stored or asked for.
 *
 * @param options.now the store's time, milliseconds: nothing is later
 */
export function readableFact(fact: Fact, { redact, now }: { redact: Redact; now: number }): Fact | null {
  const at = readableTime(fact.at, now);
  if (fact.fact === "message") {
    const message = readableMessage(fact.message, redact, now);
    const thread = readableThread(fact.thread, redact);
    return message === null || thread === null ? null : { ...fact, at, message, thread };
  }
  if (isAboutThread(fact)) return readableThreadFact({ ...fact, at }, now);
  if (!isReadableId(fact.key)) return null;
  if (fact.fact === "edit") {
    const { attachments, ...edit } = fact;
    const files = attachments === undefined ? {} : { attachments: readableAttachments(attachments, redact) };
    return { ...edit, at, text: readableText(fact.text, redact), ...files };
  }
  if (fact.fact === "reaction") {
    const emoji = cleanLine(fact.emoji, longest.emoji);
    return isReadableId(fact.from) ? { ...fact, at, emoji } : null;
  }
  if (fact.fact === "reactions") {
    const all = fact.all.slice(0, maxReactions).map(({ from, emoji }) => ({
      from: from === null || isReadableId(from) ? from : null,
      emoji: cleanLine(emoji, longest.emoji),
    }));
    return { ...fact, at, all };
  }
  return { ...fact, at };
}

function readableThreadFact(fact: ThreadFact, now: number): Fact | null {
  if (!isReadableId(fact.thread) || !isReadableId(fact.person)) return null;
  if (fact.fact === "opens") return fact;
  if (fact.fact === "referral") {
    const isShort = JSON.stringify(fact.referral).length <= longest.referral;
    return isShort ? { ...fact, referral: storableJson(fact.referral) } : null;
  }
  const until = readableTime(fact.until, now);
  return until === null ? null : { ...fact, until };
}

function readableMessage(message: NewMessage, redact: Redact, now: number): NewMessage | null {
  const { key, external_id, author } = message;
  const sent_at = readableTime(message.sent_at, now);
  if (!isReadableId(key) || (external_id !== "" && !isReadableId(external_id)) || sent_at === null) return null;
  return {
    ...message,
    sent_at,
    edited_at: readableTime(message.edited_at, now),
    text: readableText(message.text, redact),
    attachments: readableAttachments(message.attachments, redact),
    author: { id: isReadableId(author.id) ? author.id : "", name: readableName(author.name, redact) },
  };
}

function readableThread(thread: Thread, redact: Redact): Thread | null {
  const { key, external_id, participant, url, referral } = thread;
  if (!isReadableId(key) || !isReadableId(external_id)) return null;
  const isShort = referral !== null && JSON.stringify(referral).length <= longest.referral;
  return {
    ...thread,
    participant: readablePerson(participant, redact),
    url: readableUrl(url, redact),
    referral: isShort ? storableJson(referral) : null,
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

/** Its lines stay as they are. */
function readableText(text: string | null, redact: Redact): string | null {
  return text === null ? null : storableText(redact(text.slice(0, longest.text)));
}

function readableAttachments(attachments: readonly Attachment[], redact: Redact): Attachment[] {
  const short = attachments.filter((each) => JSON.stringify(each).length <= longest.attachment);
  return short
    .slice(0, maxAttachments)
    .map((each) => ({ ...storableJson(each), type: cleanLine(each.type, 50), url: readableUrl(each.url, redact) }));
}

/** What lies ahead would stay the newest for ever. */
function readableTime(ms: number | null, now: number): number | null {
  return ms === null || !Number.isFinite(ms) || ms < 0 ? null : Math.floor(Math.min(ms, now));
}
