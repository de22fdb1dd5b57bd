import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { ProfileFacts } from "../networks/contract/profile.ts";
import { readBackRules } from "../networks/contract/publish.ts";
import { openCredentials } from "../profiles/credentials.ts";
import { forgetGrant, isLastOnGrant } from "../profiles/grants.ts";
import { type ProfileRow, renewalOf } from "../profiles/rows.ts";
import { type IntentRow, unresolvedStates } from "../sending/intent.ts";
import { keepsSlot } from "../sending/next-step.ts";
import { withoutAbsence } from "../sending/progress.ts";
import { createCommitSlots, type Lane } from "../sending/slot.ts";
import { afterFault, workSubject } from "../sending/subject.ts";
import type { SubjectRun } from "../sending/subject-run.ts";
import { isConflictIn, type Operation } from "../storage/storage.ts";
import { fromRow, toChange } from "../storage/typed.ts";
import { waitsTrustedSince } from "../work/clock-jump.ts";
import { createDueWorker, type DueWorker } from "../work/due-worker.ts";
import { type Lease, LeaseLost, onlyWhileHeld } from "../work/lease.ts";
import type { PublishingPorts } from "./ports.ts";
import type { TargetRow } from "./rows.ts";
import { partsOf } from "./target-act.ts";
import { createTargetRun } from "./target-run.ts";

/** Targets of one profile that are staged side by side. */
const targetsAtOnce = 4;
/** Waiting targets of one profile that are read together. */
const targetsRead = 50;
/** Between two tries to renew an idle login, which has weeks for it, milliseconds. */
const renewAgainMs = 3_600_000;
/** Between two complaints about a network that is missing, milliseconds. */
const withoutNetworkMs = 300_000;

/** Works off what is due on profiles: their targets, and credentials that are to be destroyed. */
export function createWorker(ports: PublishingPorts): DueWorker {
  const { storage, logger } = ports;
  /** When this machine's clock was last seen to jump, by the store's time. */
  let jumpAt = 0;

  /** Waits that were counted by a clock which has since been set start again: everything that waits is looked at again. */
  async function afterJump(now: number): Promise<void> {
    jumpAt = now;
    const waiting = await storage.find("targets", { where: { due_at: { gte: now + 1 } } });
    const targets = waiting.rows.map((row) => fromRow<TargetRow>(row));
    const profileIds = new Set(targets.map(({ profile_id }) => profile_id));
    await storage.write([
      ...targets.map(({ id }) => dueNow("targets", id, now)),
      ...[...profileIds].map((id) => dueNow("profiles", id, now)),
    ]);
  }

  async function workClaimed(profile: ProfileRow, lease: Lease): Promise<void> {
    const touched = new Set<string>();
    try {
      await workLease(profile, lease, touched);
    } catch (error) {
      if (error instanceof LeaseLost) await leaveToNextHolder(lease, touched);
      throw error;
    }
  }

  async function workLease(claimed: ProfileRow, lease: Lease, touched: Set<string>): Promise<void> {
    let profile = claimed;
    let isOld = false;
    for (;;) {
      const waiting = await waitingTargets(lease.id);
      const now = lease.now();
      // What waits on a disconnected profile can never go out: all of it is due.
      const due = profile.status === "disconnected" ? waiting : waiting.filter(({ due_at }) => (due_at ?? now) <= now);
      if (due.length === 0) {
        profile = await renewIdle(lease, profile);
        if (await finish(lease, profile, waiting[0]?.due_at ?? null)) return;
      }
      if (isOld || due.length === 0) profile = await readProfile(lease.id);
      if (due.length > 0) {
        for (const { id } of due) touched.add(id);
        const adapter = ports.adapter(profile.network);
        if (adapter === undefined) {
          if (await giveBackWithoutNetwork(lease, profile)) return;
        } else if (await workTargets(lease, { profile, adapter }, due)) {
          const isAll = due.length === waiting.length && waiting.length < targetsRead;
          // Its renewal is due as well: where posts go out all the time, there is no better moment.
          const isRenewed = !isRenewalDue(profile, lease.now());
          // `finish` notices what has become due since.
          if (isAll && isRenewed && (await finish(lease, profile, null))) return;
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
  async function workTargets(
    lease: Lease,
    { profile, adapter }: { profile: ProfileRow; adapter: NetworkAdapter },
    targets: readonly TargetRow[],
  ): Promise<boolean> {
    const credentials = openCredentials(profile, { adapter, hold: lease, ports });
    const slots = createCommitSlots(await slotKeepers(lease, credentials.context.profile, adapter));
    const waitsSince = waitsTrustedSince(jumpAt, lease.now());
    const queue = [...targets];
    let unsettled = queue.length;
    const runners = Array.from({ length: Math.min(targetsAtOnce, queue.length) }, async () => {
      for (let target = queue.shift(); target !== undefined; target = queue.shift()) {
        const state = withoutAbsence(target.private, target.due_at, lease.now());
        const run = createTargetRun(
          { ...target, private: state },
          {
            ports,
            lease,
            adapter,
            credentials,
            slots,
            waitsSince,
          },
        );
        if (await isSettledBy(run)) unsettled -= 1;
      }
    });
    const ends = await Promise.allSettled(runners);
    for (const end of ends) if (end.status === "rejected") throw end.reason;
    return unsettled === 0;
  }

  async function isSettledBy(run: SubjectRun): Promise<boolean> {
    try {
      return await workSubject(run);
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      // The target has settled without our knowing, or was retried since: what is on record says how it goes on.
      if (!isConflictIn("targets", error)) await afterFault(run, error).catch(unlessOutdated);
      return false;
    }
  }

  /** A login that would expire when not used is renewed, whether or not anything is to be published. Returns the new profile. */
  async function renewIdle(lease: Lease, known: ProfileRow): Promise<ProfileRow> {
    if (!isRenewalDue(known, lease.now())) return known;
    const profile = await readProfile(lease.id);
    const adapter = ports.adapter(profile.network);
    if (adapter === undefined || !isRenewalDue(profile, lease.now())) return profile;
    try {
      await openCredentials(profile, { adapter, hold: lease, ports }).renew();
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      logger.warn("an idle login could not be renewed", { profile: profile.id, error: describe(error) });
    }
    return readProfile(lease.id);
  }

  /** Gives the profile back; false when something became due meanwhile, or the profile was disconnected. */
  async function finish(lease: Lease, profile: ProfileRow, dueAt: number | null): Promise<boolean> {
    if (lease.hasClockJumped()) throw new LeaseLost("The clocks of this machine part; what waits is looked at anew.");
    if (profile.status === "disconnected" && profile.private.secret !== null) await destroyCredentials(lease, profile);
    const next = Math.min(dueAt ?? Number.POSITIVE_INFINITY, nextRenewal(profile, lease.now()));
    if (!(await lease.release(Number.isFinite(next) ? next : null))) return false;
    if (dueAt !== null) ports.wake(dueAt, lease.id);
    return true;
  }

  async function destroyCredentials(lease: Lease, profile: ProfileRow): Promise<void> {
    const adapter = ports.adapter(profile.network);
    if (adapter?.connect.revoke !== undefined && (await isLastOnGrant(storage, profile.id))) {
      const { context } = openCredentials(profile, { adapter, hold: lease, ports });
      await adapter.connect.revoke(context).catch((error: unknown) => {
        if (error instanceof LeaseLost) throw error;
        logger.warn("the network was not told of a disconnection", { profile: profile.id, error: describe(error) });
      });
    }
    const change = toChange({
      private: { ...profile.private, secret: null, expires_at: null, refresh_at: null },
      token_expires_at: null,
    });
    const where = { epoch: lease.epoch, status: "disconnected" };
    await onlyWhileHeld("profiles", () =>
      storage.write([
        { kind: "update", collection: "profiles", id: profile.id, change, where },
        forgetGrant(profile.id),
      ]),
    );
  }

  /** What this process found out is on record; the profile's holder now must look at it again. */
  async function leaveToNextHolder(lease: Lease, touched: ReadonlySet<string>): Promise<void> {
    // Not by the lease, which goes by the time before a jump.
    const now = await storage.now();
    const operations = [...touched].map((id) => dueNow("targets", id, now));
    await storage.write([...operations, dueNow("profiles", lease.id, now)]);
  }

  /** What the profile has to do, now or later; the next first. */
  async function waitingTargets(profileId: string): Promise<TargetRow[]> {
    const found = await storage.find("targets", {
      where: { profile_id: profileId, due_at: { not_null: true } },
      order: { column: "due_at", direction: "asc" },
      limit: targetsRead,
      isCounted: false,
    });
    return found.rows.map((row) => fromRow<TargetRow>(row));
  }

  /** The target that keeps the commit slot of the posts. One that was given up keeps nobody waiting, though its answer is still missing. */
  async function slotKeepers(lease: Lease, profile: ProfileFacts, adapter: NetworkAdapter): Promise<Map<Lane, string>> {
    const found = await storage.find("intents", {
      where: { profile_id: lease.id, state: { in: unresolvedStates } },
    });
    if (found.rows.length === 0) return new Map();
    const intents = found.rows.map((row) => fromRow<IntentRow>(row));
    const subjects = [...new Set(intents.map(({ subject_id }) => subject_id))];
    const waiting = await storage.find("targets", { where: { id: { in: subjects }, due_at: { not_null: true } } });
    const targets = new Map(waiting.rows.map((row) => [row.id, fromRow<TargetRow>(row)]));
    const keeper = intents.find((intent) => {
      const target = targets.get(intent.subject_id);
      const part = target && partsOf(target, adapter)[intent.part];
      return (
        part !== undefined && keepsSlot(intent, adapter.publish?.rules(profile, part) ?? readBackRules, lease.now())
      );
    });
    return new Map(keeper === undefined ? [] : [["posts", keeper.subject_id]]);
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
      const waiting = await storage.find("targets", { where: { profile_id: id, due_at: { gte: now + 1 } } });
      return waiting.rows.map((target) => dueNow("targets", target.id, now));
    },
  });
}

function isRenewalDue(profile: ProfileRow, now: number): boolean {
  return (renewalOf(profile) ?? Number.POSITIVE_INFINITY) <= now;
}

/** When a profile's login is renewed next. One that is due could not be renewed just now. */
function nextRenewal(profile: ProfileRow, now: number): number {
  const at = renewalOf(profile) ?? Number.POSITIVE_INFINITY;
  return at > now ? at : now + renewAgainMs;
}

function unlessOutdated(error: unknown): void {
  if (!isConflictIn("targets", error)) throw error;
}

function dueNow(collection: "targets" | "profiles", id: string, now: number): Operation {
  return { kind: "update", collection, id, change: { due_at: now }, where: {} };
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
