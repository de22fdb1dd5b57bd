import { isoTime } from "../ports/clock.ts";
import { withLast } from "./changes.ts";
import { withoutParticipant } from "./forgotten.ts";
import { isReactionOf } from "./reactions.ts";
import type { ConversationRow, MessageRow, ReplyState } from "./rows.ts";
import { readUpTo } from "./unread.ts";

/** A person whose data an account erases. */
export interface Person {
  /** Their id on the network. */
  id: string;
  /** Time of the erasure, milliseconds. */
  now: number;
}

const nobody = { id: null, name: null };

/** Replacements of the network's ids. */
function nameless(id: string): { key: string; external_id: string } {
  return { key: `forgotten:${id}`, external_id: "" };
}

/**
 * A message without a person's data. The same object: it has none.
 *
 * @param dms conversations in which all messages are from or to the person
 */
export function withoutPerson(
  row: MessageRow,
  { person, dms }: { person: Person; dms: ReadonlySet<string> },
): MessageRow {
  const isTheirs = row.author_id === person.id;
  const isCleared = row.text === null && row.attachments.length === 0 && row.private.ref === null;
  const emptied = isTheirs || (dms.has(row.conversation_id) && !isCleared) ? emptyMessage(row, person) : row;
  // On some networks message ids reveal the author.
  const unsigned = isTheirs ? { ...emptied, ...nameless(row.id), author: nobody, author_id: null } : emptied;
  return withoutAddressee(withoutReactions(unsigned, person), person);
}

function emptyMessage(row: MessageRow, { now }: Person): MessageRow {
  const { reactions, deleted_at } = row;
  return {
    ...row,
    text: null,
    attachments: [],
    reactions: reactions === null ? null : [],
    deleted_at: deleted_at ?? isoTime(now),
    private: { ...row.private, ref: null, reacted_at: {} },
  };
}

function withoutReactions(row: MessageRow, { id }: Person): MessageRow {
  const { reactions, private: state } = row;
  const others = Object.entries(state.reacted_at).filter(([name]) => !isReactionOf(id, name));
  const left = (reactions ?? []).filter(({ from }) => from !== id);
  const isSame = left.length === (reactions ?? []).length && others.length === Object.keys(state.reacted_at).length;
  if (isSame) return row;
  const reacted_at = Object.fromEntries(others);
  return { ...row, reactions: reactions === null ? null : left, private: { ...state, reacted_at } };
}

/** A reply without the person that it answers. */
function withoutAddressee(row: MessageRow, { id }: Person): MessageRow {
  const { reply } = row.private;
  if (reply?.to.author.id !== id) return row;
  const to: ReplyState["to"] = { ...reply.to, external_id: "", author: { id: "", name: null }, ref: null };
  return { ...row, private: { ...row.private, reply: { ...reply, to } } };
}

/** A conversation without its participant, if that is the person. The same object: it is not. */
export function withoutParticipantIn(row: ConversationRow, { id }: Person): ConversationRow {
  if (row.participant.id !== id) return row;
  const unnamed = { ...row, ...withoutParticipant, participant_id: "", ...nameless(row.id) };
  const shown = withLast(unnamed, null);
  return row.kind === "dm" ? { ...shown, ...readUpTo(shown, null) } : unnamed;
}
