import { createQueue } from "../async/in-turn.ts";
import type { Part } from "../networks/contract/plan.ts";
import { readBackRules } from "../networks/contract/publish.ts";
import { breaksProfile } from "../profiles/broken.ts";
import { markNeedsAttention } from "../profiles/credentials.ts";
import type { IntentRow } from "../sending/intent.ts";
import { blocksLane } from "../sending/next-step.ts";
import { createPostPublisher, publisherOf } from "../sending/post-publisher.ts";
import { withoutAbsence } from "../sending/progress.ts";
import type { Failure } from "../sending/state.ts";
import type { SentOn, SubjectKind } from "../sending/subject-kind.ts";
import type { SendingContext, SubjectChange, SubjectRun } from "../sending/subject-run.ts";
import type { Storage } from "../storage/storage.ts";
import { fromRow, toChange } from "../storage/typed.ts";
import { keepWhile, onlyWhileHeld } from "../work/lease.ts";
import { freezeFiles, hasFilesToFreeze, partsOf } from "./files.ts";
import type { PublishingPorts } from "./ports.ts";
import { postIdsOf, type TargetRow, type TargetState, urlOf } from "./rows.ts";
import { settleTarget } from "./settle.ts";
import { isOpen } from "./status.ts";

/** Targets of one profile that are staged concurrently. */
const atOnce = 4;

/** Targets as a kind of subject. */
export function targetSubjects(ports: PublishingPorts): SubjectKind {
  return {
    collection: "targets",
    atOnce,
    isAwaited: false,
    // A target whose network is missing must be found, so that its wait is logged.
    goesOutOn: () => true,
    run(row, sending) {
      const target = fromRow<TargetRow>(row);
      const state = withoutAbsence(target.private, target.due_at, sending.lease.now());
      return createTargetRun({ ...target, private: state }, { ...sending, ports });
    },
    textsOf(row, { adapter }) {
      const parts = partsOf(fromRow<TargetRow>(row), adapter);
      const publisher = publisherOf(adapter);
      return (index) => {
        const part = parts[index];
        return part === undefined ? null : publisher.textForms(part, index);
      };
    },
    stageOf(row) {
      const { status, due_at } = fromRow<TargetRow>(row);
      if (isOpen(status) || due_at !== null) return "open";
      return status === "published" ? "ended" : "retryable";
    },
    findOccupiedSlot: (unresolved, on) => findSlotKeeper(ports.storage, unresolved, on),
  };
}

/**
 * The target that keeps the slot of posts. A target that was abandoned delays no others, although its response is still
 * missing.
 */
async function findSlotKeeper(
  storage: Storage,
  unresolved: readonly IntentRow[],
  { profile, adapter, now }: SentOn & { now: number },
): Promise<["posts", string] | null> {
  const ids = [...new Set(unresolved.map(({ subject_id }) => subject_id))];
  const targets = await storage.find("targets", { where: { id: { in: ids }, due_at: { not_null: true } } });
  const parts = new Map(targets.rows.map((row) => [row.id, partsOf(fromRow<TargetRow>(row), adapter)]));
  const keeper = unresolved.find((intent) => {
    const part = parts.get(intent.subject_id)?.[intent.part];
    if (part === undefined) return false;
    return blocksLane(intent, adapter.publish?.rules(profile, part) ?? readBackRules, now);
  });
  return keeper === undefined ? null : ["posts", keeper.subject_id];
}

/** The run of a target under its profile's lease. */
export function createTargetRun(row: TargetRow, sending: SendingContext & { ports: PublishingPorts }): SubjectRun {
  const { ports, lease } = sending;
  let target = row;
  // Concurrent uploads end in any order; a later write must not be overtaken by an earlier one.
  const inOrder = createQueue();

  async function write(): Promise<void> {
    const { due_at, error, post_ids, private: state } = target;
    // A target shows no URL before it is published.
    const url = target.status === "published" ? { url: urlOf(state) } : {};
    await onlyWhileHeld("profiles", () =>
      ports.storage.write([
        lease.check(),
        {
          kind: "update",
          collection: "targets",
          id: target.id,
          change: toChange({ due_at, error, post_ids, ...url, private: state }),
          // If the target has settled or been retried since, this write is out of date.
          where: { status: target.status },
        },
      ]),
    );
  }

  function remember(state: Partial<TargetState>): void {
    const next = { ...target.private, ...state };
    target = { ...target, private: next, post_ids: postIdsOf(next) };
  }

  function save({ state = {}, ...change }: SubjectChange & { state?: Partial<TargetState> }): Promise<void> {
    target = { ...target, ...change };
    remember(state);
    return inOrder(write);
  }

  async function settle(failure: Failure | null, dueAt: number | null = null): Promise<void> {
    const { live } = target.private;
    const isNews =
      isOpen(target.status) || postIdsOf(target.private).length > target.post_ids.length || failure === null;
    if (target.status === "published" || !isNews) return save({ due_at: dueAt });
    if (failure !== null && breaksProfile(failure.code)) {
      const { adapter, credentials } = sending;
      await markNeedsAttention(credentials.profile(), failure.message, { adapter, hold: lease, ports });
    }
    await settleTarget(
      ports,
      target,
      {
        status: failure === null ? "published" : "failed",
        live,
        error: failure === null ? null : { code: failure.code, message: failure.message },
        mayBeLive: failure?.mayBeLive ?? false,
        dueAt,
      },
      { guard: lease.check(), now: await lease.checkedNow() },
    );
  }

  let read: Part[] | null = null;
  function parts(): Part[] {
    read ??= partsOf(target, sending.adapter);
    return read;
  }

  async function prepare(): Promise<boolean> {
    const { freeze } = ports;
    if (freeze === null || !hasFilesToFreeze(target)) return false;
    const ended = new AbortController();
    try {
      const state = await keepWhile(lease, ports.clock, () => freezeFiles(freeze, target, ended.signal));
      await save({ state });
      read = null;
      return true;
    } finally {
      ended.abort();
    }
  }

  const run: SubjectRun = {
    ...sending,
    id: row.id,
    collection: "targets",
    createdAt: row.created_at,
    lane: "posts",
    sendUntil: null,
    guard: () => [],
    label: "target",
    adviceIfUnknown: "check the account first, then retry with force",
    count: () => target.private.parts?.length ?? null,
    publisherOf: (index, live = target.private.live) => createPostPublisher(run, { parts: parts(), index, live }),
    state: () => target.private,
    isOpen: () => isOpen(target.status),
    error: () => target.error,
    prepare,
    remember,
    save,
    settle,
  };
  return run;
}
