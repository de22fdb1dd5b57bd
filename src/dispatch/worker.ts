import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { ProfileRow } from "../profiles/rows.ts";
import { afterFault, workSubject } from "../sending/subject.ts";
import type { SubjectKind } from "../sending/subject-kind.ts";
import type { SubjectRun } from "../sending/subject-run.ts";
import { isConflictIn } from "../storage/storage.ts";
import { createDueWorker, type DueWorker } from "../work/due-worker.ts";
import { type Lease, LeaseLost } from "../work/lease.ts";
import { createClockJumps } from "./clock-jumps.ts";
import { careForLogin, destroyCredentials, isCaredFor, nextCare, readProfile } from "./login-care.ts";
import type { DispatchPorts } from "./ports.ts";
import { openSendingContext } from "./sending-context.ts";
import { dueNow, subjectsRead, type WaitingSubject, waitingOfKind, waitingSubjects } from "./waiting.ts";

/** Time between two reads of new subjects for which a caller waits, while other work runs, milliseconds. */
const lookForAwaitedMs = 1_000;
/** Pause of a profile whose network this service does not have, milliseconds. */
const withoutNetworkMs = 300_000;

/** The subjects processed under a lease, by id. */
type Touched = Map<string, SubjectRun["collection"]>;

/** Processes the due work of profiles: everything to publish on them, and the care of their access tokens. */
export function createProfileWorker(ports: DispatchPorts): DueWorker {
  const { storage, logger, kinds } = ports;
  const jumps = createClockJumps(ports);

  async function workClaimed(profile: ProfileRow, lease: Lease): Promise<void> {
    const touched: Touched = new Map();
    try {
      await workLease(profile, lease, touched);
    } catch (error) {
      if (error instanceof LeaseLost) await leaveToNextHolder(lease, touched);
      throw error;
    }
  }

  async function workLease(claimed: ProfileRow, lease: Lease, touched: Touched): Promise<void> {
    let profile = claimed;
    let isOld = false;
    for (;;) {
      const waiting = await waitingSubjects(ports, profile);
      const due = dueAmong(waiting, profile, lease.now());
      if (due.length === 0) {
        profile = await careForLogin(ports, lease, profile);
        if (await finish(lease, profile, waiting[0]?.dueAt ?? null)) return;
        profile = await readProfile(storage, lease.id);
      } else {
        if (isOld) profile = await readProfile(storage, lease.id);
        for (const { row, kind } of due) touched.set(row.id, kind.collection);
        const isAll = due.length === waiting.length && waiting.length < subjectsRead;
        if (await workDue(lease, profile, { due, isAll })) return;
      }
      // Publishing takes time and may refresh credentials.
      isOld = due.length > 0;
    }
  }

  /** Returns true if the profile was released. `isAll`: no other subject waits on it. */
  async function workDue(
    lease: Lease,
    profile: ProfileRow,
    { due, isAll }: { due: readonly WaitingSubject[]; isAll: boolean },
  ): Promise<boolean> {
    const adapter = ports.adapter(profile.network);
    if (adapter === undefined) return giveBackWithoutNetwork(lease, profile);
    const isSettled = await workSubjects(lease, { profile, adapter }, due);
    // A due refresh is not put off, because on a busy profile no better moment comes.
    // `finish` notices subjects that became due meanwhile.
    return isSettled && isAll && isCaredFor(profile, lease.now()) && finish(lease, profile, null);
  }

  /** False: more work became due meanwhile. */
  function giveBackWithoutNetwork(lease: Lease, { network }: ProfileRow): Promise<boolean> {
    logger.error("posts are waiting for a network that is missing from this service's networks", { network });
    return lease.release(lease.now() + withoutNetworkMs);
  }

  /** Returns true if none of them waits any longer. */
  async function workSubjects(
    lease: Lease,
    { profile, adapter }: { profile: ProfileRow; adapter: NetworkAdapter },
    subjects: readonly WaitingSubject[],
  ): Promise<boolean> {
    const sending = await openSendingContext(ports, lease, { profile, adapter, jumps });
    let isAll = true;
    const work = async ({ kind, row }: WaitingSubject): Promise<void> => {
      if (!(await isSettledBy(kind.run(row, sending)))) isAll = false;
    };
    const workKind = (kind: SubjectKind): Promise<void> =>
      sideBySide(
        subjects.filter((each) => each.kind === kind),
        kind.atOnce,
        work,
      );
    const ended = new AbortController();
    const others = allOf(kinds.filter(({ isAwaited }) => !isAwaited).map(workKind)).finally(() => ended.abort());
    const awaited = kinds
      .filter(({ isAwaited }) => isAwaited)
      .map(async (kind) => {
        await workKind(kind);
        if (kind.goesOutOn(adapter)) await workComing(profile, kind, { work, signal: ended.signal });
      });
    await allOf([others, ...awaited]);
    return isAll;
  }

  /** Processes new work while earlier work still runs, because that may take long. */
  async function workComing(
    profile: ProfileRow,
    kind: SubjectKind,
    { work, signal }: { work(subject: WaitingSubject): Promise<void>; signal: AbortSignal },
  ): Promise<void> {
    while (!signal.aborted) {
      await ports.clock.sleep(lookForAwaitedMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      const now = await storage.now();
      const due = (await waitingOfKind(ports, kind, profile)).filter(({ dueAt }) => dueAt <= now);
      await sideBySide(due, kind.atOnce, work);
    }
  }

  async function isSettledBy(run: SubjectRun): Promise<boolean> {
    const isOutdated = (error: unknown): boolean => isConflictIn(run.collection, error);
    try {
      return await workSubject(run);
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      // The subject was settled or retried meanwhile: the stored state decides how it continues.
      if (!isOutdated(error))
        await afterFault(run, error).catch((fault: unknown) => {
          if (!isOutdated(fault)) throw fault;
        });
      return false;
    }
  }

  /** Releases the profile. False: more work became due meanwhile, or the profile was disconnected. */
  async function finish(lease: Lease, profile: ProfileRow, dueAt: number | null): Promise<boolean> {
    if (lease.hasClockJumped())
      throw new LeaseLost("The clocks of this machine diverge; waiting work is checked again.");
    if (profile.status === "disconnected" && profile.private.secret !== null)
      await destroyCredentials(ports, lease, profile);
    const next = Math.min(dueAt ?? Number.POSITIVE_INFINITY, nextCare(profile, lease.now()));
    if (!(await lease.release(Number.isFinite(next) ? next : null))) return false;
    if (dueAt !== null) ports.wake(dueAt, lease.id);
    return true;
  }

  /**
   * Makes the subjects due for the profile's next holder, because this process may have written their state after
   * losing the lease.
   */
  async function leaveToNextHolder(lease: Lease, touched: Touched): Promise<void> {
    // Not the lease's time, which is wrong after a clock jump.
    const now = await storage.now();
    const rows = await Promise.all(
      [...touched].map(async ([id, collection]) => ({ collection, row: await storage.get(collection, id) })),
    );
    const operations = rows.flatMap(({ collection, row }) => {
      // A subject that is already due keeps its time, from which its delay is measured.
      if (row === null || (row.due_at !== null && Number(row.due_at) <= now)) return [];
      return [dueNow({ collection, id: row.id }, now)];
    });
    await storage.write([...operations, dueNow({ collection: "profiles", id: lease.id }, now)]);
  }

  return createDueWorker<ProfileRow>(ports, { collection: "profiles", work: workClaimed, ...jumps });
}

function dueAmong(waiting: readonly WaitingSubject[], profile: ProfileRow, now: number): readonly WaitingSubject[] {
  // Nothing can be sent on a disconnected profile, so all its subjects are due, to be settled.
  return profile.status === "disconnected" ? waiting : waiting.filter(({ dueAt }) => dueAt <= now);
}

/** Processes all items in their order, `atOnce` concurrently. */
async function sideBySide<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const runners = Array.from({ length: Math.min(atOnce, queue.length) }, async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  });
  await allOf(runners);
}

/** Waits for all, then throws the error of the first that failed. */
async function allOf(work: readonly Promise<void>[]): Promise<void> {
  const ends = await Promise.allSettled(work);
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}
