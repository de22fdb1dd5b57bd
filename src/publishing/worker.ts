import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import { openCredentials } from "../profiles/credentials.ts";
import { endLookOf, loginDueOf, type ProfileRow, renewalOf } from "../profiles/rows.ts";
import { createCommitSlots } from "../sending/slot.ts";
import { afterFault, workSubject } from "../sending/subject.ts";
import type { SubjectRun } from "../sending/subject-run.ts";
import { isConflictIn, type Operation } from "../storage/storage.ts";
import { fromRow } from "../storage/typed.ts";
import { waitsTrustedSince } from "../work/clock-jump.ts";
import { createDueWorker, type DueWorker } from "../work/due-worker.ts";
import { type Lease, LeaseLost } from "../work/lease.ts";
import { destroyCredentials } from "./credentials-end.ts";
import type { PublishingPorts } from "./ports.ts";
import {
  isTarget,
  readAhead,
  slotKeepers,
  subjectsRead,
  type WaitingSubject,
  waitingReplies,
  waitingSubjects,
} from "./waiting.ts";
import { readWords } from "./words.ts";

/** Targets of one profile that are staged side by side. */
const targetsAtOnce = 4;
/** Answers of one profile that go out side by side. */
const repliesAtOnce = 4;
/** Between two looks for answers while uploads go on, milliseconds. */
const lookForRepliesMs = 1_000;
/** Between two tries to renew or look at an idle login, milliseconds: a renewal has weeks for it. */
const careAgainMs = 3_600_000;
/** Between two complaints about a network that is missing, milliseconds. */
const withoutNetworkMs = 300_000;

/** What was worked on under a lease, by its id. */
type Touched = Map<string, SubjectRun["collection"]>;

/** Works off what is due on profiles: their targets, and credentials that are to be destroyed. */
export function createWorker(ports: PublishingPorts): DueWorker {
  const { storage, logger } = ports;
  /** When this machine's clock was last seen to jump, by the store's time. */
  let jumpAt = 0;

  /** Waits that were counted by a clock which has since been set start again: everything that waits is looked at again. */
  async function afterJump(now: number): Promise<void> {
    jumpAt = now;
    const waiting = await readAhead(storage, {}, now);
    const profileIds = new Set(waiting.map(({ profile_id }) => profile_id));
    await storage.write([
      ...waiting.map(({ collection, id }) => dueNow(collection, id, now)),
      ...[...profileIds].map((id) => dueNow("profiles", id, now)),
    ]);
  }

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
      const now = lease.now();
      // What waits on a disconnected profile can never go out: all of it is due.
      const due = profile.status === "disconnected" ? waiting : waiting.filter(({ due_at }) => (due_at ?? now) <= now);
      if (due.length === 0) {
        profile = await lookAtEnded(lease, await renewIdle(lease, profile));
        if (await finish(lease, profile, waiting[0]?.due_at ?? null)) return;
      }
      if (isOld || due.length === 0) profile = await readProfile(lease.id);
      if (due.length > 0) {
        for (const { id, collection } of due) touched.set(id, collection);
        const adapter = ports.adapter(profile.network);
        if (adapter === undefined) {
          if (await giveBackWithoutNetwork(lease, profile)) return;
        } else if (await workSubjects(lease, { profile, adapter }, due)) {
          const isAll = due.length === waiting.length && waiting.length < subjectsRead;
          // Its renewal may be due as well: where posts go out all the time, there is no better moment.
          const isCaredFor = !isDue(loginDueOf(profile), lease.now());
          // `finish` notices what has become due since.
          if (isAll && isCaredFor && (await finish(lease, profile, null))) return;
        }
      }
      // Publishing may renew credentials, and takes time.
      isOld = due.length > 0;
    }
  }

  /** False: something became due meanwhile. */
  function giveBackWithoutNetwork(lease: Lease, { network }: ProfileRow): Promise<boolean> {
    logger.error("posts wait for a network that this service was created without", { network });
    return lease.release(lease.now() + withoutNetworkMs);
  }

  /** Whether none of them waits any longer. */
  async function workSubjects(
    lease: Lease,
    { profile, adapter }: { profile: ProfileRow; adapter: NetworkAdapter },
    subjects: readonly WaitingSubject[],
  ): Promise<boolean> {
    const credentials = openCredentials(profile, { adapter, hold: lease, ports });
    const hands = {
      ports,
      lease,
      adapter,
      credentials,
      slots: createCommitSlots(await slotKeepers(ports, lease, { profile: credentials.context.profile, adapter })),
      waitsSince: waitsTrustedSince(jumpAt, lease.now()),
      wordsOfOthers: (ids: readonly string[]) =>
        readWords(storage, { adapter, profile: credentials.context.profile }, ids),
    };
    let isAll = true;
    const work = async (subject: WaitingSubject): Promise<void> => {
      if (!(await isSettledBy(subject.run(hands)))) isAll = false;
    };
    const [targets, replies] = [subjects.filter(isTarget), subjects.filter((each) => !isTarget(each))];
    const ended = new AbortController();
    const posts = sideBySide(targets, targetsAtOnce, work).finally(() => ended.abort());
    const ends = await Promise.allSettled([posts, workReplies(profile, { replies, work, signal: ended.signal })]);
    for (const end of ends) if (end.status === "rejected") throw end.reason;
    return isAll;
  }

  /** Answers do not wait for uploads: those that are given meanwhile go out at once. */
  async function workReplies(
    profile: ProfileRow,
    given: { replies: readonly WaitingSubject[]; work(subject: WaitingSubject): Promise<void>; signal: AbortSignal },
  ): Promise<void> {
    const { work, signal } = given;
    await sideBySide(given.replies, repliesAtOnce, work);
    if (ports.adapter(profile.network)?.inbox?.reply === undefined) return;
    while (!signal.aborted) {
      await ports.clock.sleep(lookForRepliesMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      const now = await storage.now();
      const due = (await waitingReplies(ports, profile)).filter(({ due_at }) => due_at <= now);
      await sideBySide(due, repliesAtOnce, work);
    }
  }

  async function isSettledBy(run: SubjectRun): Promise<boolean> {
    try {
      return await workSubject(run);
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      // The target has settled without our knowing, or was retried since: what is on record says how it goes on.
      if (!isConflictIn(run.collection, error)) await afterFault(run, error).catch(unlessOutdated);
      return false;
    }
  }

  /** A login that would expire when not used is renewed, whether or not anything is to be published. Returns the new profile. */
  async function renewIdle(lease: Lease, known: ProfileRow): Promise<ProfileRow> {
    if (!isDue(renewalOf(known), lease.now())) return known;
    const profile = await readProfile(lease.id);
    const adapter = ports.adapter(profile.network);
    if (adapter === undefined || !isDue(renewalOf(profile), lease.now())) return profile;
    try {
      await openCredentials(profile, { adapter, hold: lease, ports }).renew();
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      logger.warn("an idle login could not be renewed", { profile: profile.id, error: describe(error) });
    }
    return readProfile(lease.id);
  }

  /** A login that should have ended is looked at, so that its owner hears of it before a post fails. Returns the new profile. */
  async function lookAtEnded(lease: Lease, known: ProfileRow): Promise<ProfileRow> {
    if (!isDue(endLookOf(known), lease.now())) return known;
    const profile = await readProfile(lease.id);
    if (ports.adapter(profile.network) === undefined || !isDue(endLookOf(profile), lease.now())) return profile;
    try {
      await ports.checkHeld(profile, lease);
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      logger.warn("a login that should have ended could not be looked at", {
        profile: profile.id,
        error: describe(error),
      });
    }
    return readProfile(lease.id);
  }

  /** Gives the profile back; false when something became due meanwhile, or the profile was disconnected. */
  async function finish(lease: Lease, profile: ProfileRow, dueAt: number | null): Promise<boolean> {
    if (lease.hasClockJumped()) throw new LeaseLost("The clocks of this machine part; what waits is looked at anew.");
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
      return [dueNow(collection, row.id, now)];
    });
    await storage.write([...operations, dueNow("profiles", lease.id, now)]);
  }

  async function readProfile(id: string): Promise<ProfileRow> {
    const row = await storage.get("profiles", id);
    if (row === null) throw new LeaseLost("The profile is gone from the store.");
    return fromRow(row);
  }

  return createDueWorker<ProfileRow>(ports, {
    collection: "profiles",
    work: workClaimed,
    afterJump,
    async afterLeaseAhead(id, now) {
      const waiting = await readAhead(storage, { profile_id: id }, now);
      return waiting.map((subject) => dueNow(subject.collection, subject.id, now));
    },
  });
}

function isDue(at: number | null, now: number): boolean {
  return at !== null && at <= now;
}

/** When a profile's login needs care next. What is due could not be done just now. */
function nextCare(profile: ProfileRow, now: number): number {
  const at = loginDueOf(profile) ?? Number.POSITIVE_INFINITY;
  return at > now ? at : now + careAgainMs;
}

function unlessOutdated(error: unknown): void {
  if (!isConflictIn("targets", error) && !isConflictIn("messages", error)) throw error;
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
  const ends = await Promise.allSettled(runners);
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}

function dueNow(collection: SubjectRun["collection"] | "profiles", id: string, now: number): Operation {
  return { kind: "update", collection, id, change: { due_at: now }, where: {} };
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
