import { hash } from "node:crypto";
import type { NetworkId } from "../networks/contract/network-id.ts";
import type { Storage } from "../storage/storage.ts";
import type { InboxRow } from "./rows.ts";
import type { Conversation } from "./schema.ts";
import { isAboutThread } from "./thread-facts.ts";
import type { TimedFact } from "./timed-fact.ts";

/** An erased person, stored only as a hash. Messages that they wrote until `created_at` are not stored again. */
export type ForgottenRow = {
  /** `forgottenId`. */
  id: string;
  account_id: string;
  network: NetworkId;
  created_at: string;
};

/** The row's id for a person whose data an account has erased. */
export function forgottenId({
  account_id,
  network,
  person_id,
}: {
  account_id: string;
  network: string;
  person_id: string;
}): string {
  return hash("sha256", JSON.stringify([account_id, network, person_id]));
}

/**
 * The updates without what erased people wrote until their erasure, and without their names.
 *
 * @param given.isAnybody returns whether the account has erased any person. @default asks the store
 */
export async function withoutForgotten(
  storage: Storage,
  { account_id, network }: InboxRow,
  {
    facts,
    isAnybody = () => isAnybodyForgotten(storage, account_id),
  }: { facts: readonly TimedFact[]; isAnybody?: () => Promise<boolean> },
): Promise<readonly TimedFact[]> {
  const people = new Set(facts.flatMap(peopleIn));
  if (people.size === 0 || !(await isAnybody())) return facts;
  const idOf = (person_id: string): string => forgottenId({ account_id, network, person_id });
  const ids = [...people].map(idOf);
  const { rows } = await storage.find("forgotten", { where: { id: { in: ids } }, isCounted: false });
  if (rows.length === 0) return facts;
  const since = new Map(rows.map(({ id, created_at }) => [id, Date.parse(String(created_at))]));
  return facts.flatMap((fact) => allowed(fact, (person) => since.get(idOf(person)) ?? null));
}

/** True: the account has erased at least one person. Most have not, and this query is faster than that by persons. */
export async function isAnybodyForgotten(storage: Storage, account_id: string): Promise<boolean> {
  const { rows } = await storage.find("forgotten", { where: { account_id }, limit: 1, isCounted: false });
  return rows.length > 0;
}

function peopleIn(fact: TimedFact): string[] {
  if (fact.fact === "message") return [fact.message.author.id, fact.thread.participant.id];
  if (fact.fact === "reaction") return [fact.from];
  if (isAboutThread(fact)) return [fact.person];
  return fact.fact === "reactions" ? fact.all.flatMap(({ from }) => from ?? []) : [];
}

/** @param since returns when a person was erased, milliseconds; null: never */
function allowed(fact: TimedFact, since: (person: string) => number | null): TimedFact[] {
  const isForgotten = (person: string, at: number): boolean => at <= (since(person) ?? Number.NEGATIVE_INFINITY);
  if (fact.fact === "reaction") return isForgotten(fact.from, fact.at) ? [] : [fact];
  if (isAboutThread(fact)) return isForgotten(fact.person, fact.at) ? [] : [fact];
  if (fact.fact === "reactions") {
    const all = fact.all.filter(({ from }) => from === null || !isForgotten(from, fact.at));
    return [{ ...fact, all }];
  }
  if (fact.fact !== "message") return [fact];
  const { thread, message } = fact;
  const { participant } = thread;
  if (isForgotten(message.author.id, message.sent_at)) return [];
  // A person who writes again is stored again.
  if (since(participant.id) === null || message.author.id === participant.id) return [fact];
  if (thread.kind === "dm") return isForgotten(participant.id, message.sent_at) ? [] : [fact];
  return [{ ...fact, thread: { ...thread, ...withoutParticipant } }];
}

/** The participant's fields of a conversation with an erased person. */
export const withoutParticipant = {
  participant: { id: "", name: null, handle: null, avatar_url: null },
  url: null,
  referral: null,
} as const satisfies Partial<Conversation>;
