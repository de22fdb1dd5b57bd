import type { InboxKind, InboxReports, InboxUpdate } from "../networks/contract/inbox.ts";
import type { MessageRow } from "./rows.ts";

type Reacted = Extract<InboxUpdate, { fact: "reaction" | "reactions" }> & { at: number };

/** In `reacted_at`: of all reactions together. */
const all = "";

/** What a reaction changes on a message; null: nothing, for something newer is known. A removal wins over what came at the same moment. */
export function react(
  { reactions, private: state }: MessageRow,
  fact: Reacted,
  mode: InboxReports["reactions"][InboxKind],
): Pick<MessageRow, "reactions" | "private"> | null {
  if (mode === null) return null;
  const before = reactions ?? [];
  const since = state.reacted_at[all] ?? 0;
  if (fact.fact === "reactions") {
    const isOlder = Object.values(state.reacted_at).some((at) => at > fact.at);
    if (isOlder || sameReactions(before, fact.all)) return null;
    return { reactions: fact.all.map((each) => ({ ...each })), private: { ...state, reacted_at: { [all]: fact.at } } };
  }
  // Where a person has one reaction, a later one takes the place of the former.
  const name = mode === "one" ? fact.from : `${fact.from}\n${fact.emoji}`;
  const known = state.reacted_at[name] ?? since;
  if (fact.at < known || (fact.at === known && !fact.gone && name in state.reacted_at)) return null;
  const others = before.filter(({ from, emoji }) => from !== fact.from || (mode === "many" && emoji !== fact.emoji));
  const next = fact.gone ? others : [...others, { from: fact.from, emoji: fact.emoji }];
  return { reactions: next, private: { ...state, reacted_at: { ...state.reacted_at, [name]: fact.at } } };
}

/** Is this name in `reacted_at` that of a reaction of theirs? */
export function isReactionOf(person: string, name: string): boolean {
  return name === person || name.startsWith(`${person}\n`);
}

type Reactions = readonly { from: string | null; emoji: string | null }[];

function sameReactions(one: Reactions, other: Reactions): boolean {
  const sorted = (each: Reactions) => JSON.stringify(each.map(({ from, emoji }) => `${from} ${emoji}`).sort());
  return sorted(one) === sorted(other);
}
