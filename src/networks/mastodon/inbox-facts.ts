import type { InboxContext, MessageFact, NewMessage } from "../contract/inbox.ts";
import { followedText } from "./html.ts";
import { attachedTo } from "./inbox-attachments.ts";
import { refOf } from "./inbox-reply.ts";
import type { InboxStatus } from "./inbox-status.ts";
import { isOwn, keyOf, type Place, personOf, placeOf, placeOfKnown } from "./inbox-thread.ts";
import { knownAccount } from "./known.ts";

/**
 * What statuses say of the account's inbox; nothing of those that are none of its.
 *
 * @param said what the list that they stand in says of them besides
 */
export async function factsOf(
  context: InboxContext,
  statuses: readonly InboxStatus[],
  said: Pick<NewMessage, "awaits_approval"> = {},
): Promise<MessageFact[]> {
  const known = await context.known(statuses.map(keyOf));
  const facts: MessageFact[] = [];
  for (const status of statuses) {
    const stored = known.get(keyOf(status));
    const place = stored === undefined ? await placeOf(context, status) : placeOfKnown(context, status, stored);
    if (place.isOurs) facts.push(withWords(toFact(context, status, place), said));
  }
  return facts;
}

function withWords(fact: MessageFact, said: Pick<NewMessage, "awaits_approval">): MessageFact {
  return { ...fact, message: { ...fact.message, ...said } };
}

function toFact(context: InboxContext, status: InboxStatus, { thread, answers }: Place): MessageFact {
  const edited_at = status.edited_at == null ? null : Date.parse(status.edited_at);
  return {
    fact: "message",
    at: edited_at ?? status.time,
    thread,
    message: {
      key: keyOf(status),
      external_id: status.id,
      own: isOwn(context, status),
      text: textOf(status),
      attachments: attachedTo(status),
      author: personOf(context, status.account),
      sent_at: status.time,
      edited_at,
      ...(answers !== undefined && { reply_to: answers }),
      ref: refOf(status, knownAccount(context.profile).account_id),
    },
  };
}

/** A content warning stands before the text that it hides. */
function textOf({ spoiler_text, content }: InboxStatus): string | null {
  const text = [spoiler_text, followedText(content ?? "").trim()]
    .filter((each) => each != null && each !== "")
    .join("\n\n");
  return text === "" ? null : text;
}
