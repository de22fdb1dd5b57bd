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

/** Between two looks for what somebody waits for, while other work goes on, milliseconds. */
const lookForAwaitedMs = 1_000;
/** Between two complaints about a network that is missing, milliseconds. */
const withoutNetworkMs = 300_000;

/** What was worked on under a lease, by its id. */
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
      // Publishing may renew credentials, and takes time.
      isOld = due.length > 0;
    }
  }

  /** Whether the profile was given back. `isAll`: nothing else waits on it. */
  async function workDue(
    lease: Lease,
    profile: ProfileRow,
    { due, isAll }: { due: readonly WaitingSubject[]; isAll: boolean },
  ): Promise<boolean> {
    const adapter = ports.adapter(profile.network);
    if (adapter === undefined) return giveBackWithoutNetwork(lease, profile);
    const isSettled = await workSubjects(lease, { profile, adapter }, due);
    // Where posts go out all the time, there is no better moment for a login.
    // `finish` notices what has become due since.
    return isSettled && isAll && isCaredFor(profile, lease.now()) && finish(lease, profile, null);
  }

  /** False: something became due meanwhile. */
  function giveBackWithoutNetwork(lease: Lease, { network }: ProfileRow): Promise<boolean> {
    logger.error("posts are waiting for a network that is missing from this service's networks", { network });
    return lease.release(lease.now() + withoutNetworkMs);
  }

  /** Whether none of them waits any longer. */
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
      // It has settled without our knowing, or was retried since: what is on record says how it goes on.
      if (!isOutdated(error))
        await afterFault(run, error).catch((fault: unknown) => {
          if (!isOutdated(fault)) throw fault;
        });
      return false;
    }
  }

  /** Gives the profile back; false when something became due meanwhile, or the profile was disconnected. */
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

  /** What this process found out is on record; the profile's holder now must look at it again. */
  async function leaveToNextHolder(lease: Lease, touched: Touched): Promise<void> {
    // Not by the lease, which goes by the time before a jump.
    const now = await storage.now();
    const rows = await Promise.all(
      [...touched].map(async ([id, collection]) => ({ collection, row: await storage.get(collection, id) })),
    );
    const operations = rows.flatMap(({ collection, row }) => {
      // What is due already stays due since when it was: how long nobody could work on it is counted from there.
      if (row === null || (row.due_at !== null && Number(row.due_at) <= now)) return [];
      return [dueNow({ collection, id: row.id }, now)];
    });
    await storage.write([...operations, dueNow({ collection: "profiles", id: lease.id }, now)]);
  }

  return createDueWorker<ProfileRow>(ports, { collection: "profiles", work: workClaimed, ...jumps });
}

function dueAmong(waiting: readonly WaitingSubject[], profile: ProfileRow, now: number): readonly WaitingSubject[] {
  // What waits on a disconnected profile can never go out: all of it is due.
  return profile.status === "disconnected" ? waiting : waiting.filter(({ dueAt }) => dueAt <= now);
}

/** Works on so many at once, in their order, and on all of them. */
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

/** Waits for all of them, then throws what the first of those that failed has thrown. */
async function allOf(work: readonly Promise<void>[]): Promise<void> {
  const ends = await Promise.allSettled(work);
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}
