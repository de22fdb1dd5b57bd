import type { InboxKind, InboxReports, InboxUpdate } from "../networks/contract/inbox.ts";
import type { MessageRow } from "./rows.ts";

type Reacted = Extract<InboxUpdate, { fact: "reaction" | "reactions" }> & { at: number };

/** The name in `reacted_at` of a report of all reactions. */
const all = "";

/** The message's fields after a reaction; null: a newer one is known. At the same time, a removal wins. */
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
  // If a person can have only one reaction, a later one replaces it.
  const name = mode === "one" ? fact.from : `${fact.from}\n${fact.emoji}`;
  const known = state.reacted_at[name] ?? since;
  if (fact.at < known || (fact.at === known && !fact.gone && name in state.reacted_at)) return null;
  const others = before.filter(({ from, emoji }) => from !== fact.from || (mode === "many" && emoji !== fact.emoji));
  const next = fact.gone ? others : [...others, { from: fact.from, emoji: fact.emoji }];
  return { reactions: next, private: { ...state, reacted_at: { ...state.reacted_at, [name]: fact.at } } };
}

/** True: this name in `reacted_at` belongs to a reaction of the person. */
export function isReactionOf(person: string, name: string): boolean {
  return name === person || name.startsWith(`${person}\n`);
}

type Reactions = readonly { from: string | null; emoji: string | null }[];

function sameReactions(one: Reactions, other: Reactions): boolean {
  const sorted = (each: Reactions) => JSON.stringify(each.map(({ from, emoji }) => `${from} ${emoji}`).sort());
  return sorted(one) === sorted(other);
}
