import { createMessageRun } from "../inbox/message-run.ts";
import type { MessageRow } from "../inbox/rows.ts";
import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { ProfileFacts } from "../networks/contract/profile.ts";
import { readBackRules } from "../networks/contract/publish.ts";
import type { ProfileRow } from "../profiles/rows.ts";
import { type IntentRow, unresolvedStates } from "../sending/intent.ts";
import { keepsSlot } from "../sending/next-step.ts";
import { withoutAbsence } from "../sending/progress.ts";
import type { Lane } from "../sending/slot.ts";
import type { SubjectHands, SubjectRun } from "../sending/subject-run.ts";
import type { Storage, Where } from "../storage/storage.ts";
import { fromRow } from "../storage/typed.ts";
import type { Lease } from "../work/lease.ts";
import { partsOf } from "./parts.ts";
import type { PublishingPorts } from "./ports.ts";
import type { TargetRow } from "./rows.ts";
import { createTargetRun } from "./target-run.ts";

/** Something that is to go out on a profile, now or later. */
export interface WaitingSubject {
  collection: SubjectRun["collection"];
  id: string;
  /** Milliseconds. */
  due_at: number;
  run(hands: SubjectHands & { ports: PublishingPorts }): SubjectRun;
}

/** Waiting subjects of a kind that are read together, of one profile. */
export const subjectsRead = 50;

export function isTarget({ collection }: WaitingSubject): boolean {
  return collection === "targets";
}

/** What a profile has to do, now or later; the next first. */
export async function waitingSubjects(ports: PublishingPorts, profile: ProfileRow): Promise<WaitingSubject[]> {
  const [targets, replies] = await Promise.all([waitingTargets(ports, profile), waitingReplies(ports, profile)]);
  return [...targets, ...replies].sort((one, other) => one.due_at - other.due_at);
}

async function waitingTargets({ storage }: PublishingPorts, { id }: ProfileRow): Promise<WaitingSubject[]> {
  const rows = await readWaiting<TargetRow>(storage, "targets", id);
  return rows.map((target) => ({
    collection: "targets",
    id: target.id,
    due_at: target.due_at ?? 0,
    run(hands) {
      const state = withoutAbsence(target.private, target.due_at, hands.lease.now());
      return createTargetRun({ ...target, private: state }, hands);
    },
  }));
}

/** The answers among them. */
export async function waitingReplies(
  { storage, events, adapter }: PublishingPorts,
  { id, network }: ProfileRow,
): Promise<WaitingSubject[]> {
  if (adapter(network)?.inbox?.reply === undefined) return [];
  const rows = await readWaiting<MessageRow>(storage, "messages", id);
  return rows.map((message) => ({
    collection: "messages",
    id: message.id,
    due_at: message.due_at ?? 0,
    run: (hands) => createMessageRun(message, hands, { storage, events }),
  }));
}

async function readWaiting<Typed>(
  storage: Storage,
  collection: SubjectRun["collection"],
  profileId: string,
): Promise<Typed[]> {
  const found = await storage.find(collection, {
    where: { profile_id: profileId, due_at: { not_null: true } },
    order: { column: "due_at", direction: "asc" },
    limit: subjectsRead,
    isCounted: false,
  });
  return found.rows.map((row) => fromRow<Typed>(row));
}

/** What waits for a later moment than now, by a clock that may have been wrong. */
export async function readAhead(
  storage: Storage,
  where: Where,
  now: number,
): Promise<{ collection: SubjectRun["collection"]; id: string; profile_id: string }[]> {
  const read = async (collection: SubjectRun["collection"]) => {
    const found = await storage.find(collection, { where: { ...where, due_at: { gte: now + 1 } }, isCounted: false });
    return found.rows.map(({ id, profile_id }) => ({ collection, id, profile_id: String(profile_id) }));
  };
  return (await Promise.all([read("targets"), read("messages")])).flat();
}

/**
 * The target that keeps the commit slot of posts; what keeps a conversation's is read when a reply's turn comes. One that
 * was given up keeps nobody waiting, though its answer is still missing.
 */
export async function slotKeepers(
  { storage }: PublishingPorts,
  lease: Lease,
  { profile, adapter }: { profile: ProfileFacts; adapter: NetworkAdapter },
): Promise<Map<Lane, string>> {
  const found = await storage.find("intents", { where: { profile_id: lease.id, state: { in: unresolvedStates } } });
  if (found.rows.length === 0) return new Map();
  const intents = found.rows.map((row) => fromRow<IntentRow>(row));
  const ids = [...new Set(intents.map(({ subject_id }) => subject_id))];
  const targets = await storage.find("targets", { where: { id: { in: ids }, due_at: { not_null: true } } });
  const parts = new Map(targets.rows.map((row) => [row.id, partsOf(fromRow<TargetRow>(row), adapter)]));
  const keeper = intents.find((intent) => {
    const part = parts.get(intent.subject_id)?.[intent.part];
    if (part === undefined) return false;
    return keepsSlot(intent, adapter.publish?.rules(profile, part) ?? readBackRules, lease.now());
  });
  return keeper === undefined ? new Map() : new Map([["posts", keeper.subject_id]]);
}
