import type { Clock } from "../clock.ts";
import type { Operation, Storage } from "../storage/storage.ts";
import { StorageConflict } from "../storage/storage.ts";
import { fromRow } from "../storage/typed.ts";
import type { ProfileRow } from "./rows.ts";

/** How long a claimed profile is held at first, milliseconds. */
export const leaseMs = 30_000;
/** What is left of a lease when a request that needs it reaches its hard end, milliseconds. */
const leaseMarginMs = 10_000;
/** Wall and monotonic clocks that part by more than this were tampered with, or the machine slept, milliseconds. */
export const mostDriftMs = 5_000;

/** Another process holds the profile, or may soon: nothing more may be sent or written for it. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/** The right to work off one profile, alone, until it ends. */
export interface Lease {
  profileId: string;
  epoch: number;
  /** The store's time, milliseconds; goes on with the monotonic clock. */
  now(): number;
  /** True when the machine's clocks part: it slept, or somebody set the time. Waits then start again. */
  hasDrifted(): boolean;
  /**
   * Makes sure that `ms` and a margin are left.
   *
   * @throws LeaseLost
   */
  ensure(ms: number): Promise<void>;
  /** Goes into every write of target state: it applies only while this lease is the newest. */
  check(where?: Record<string, string>): Operation;
  /** Gives the profile back. False when something became due meanwhile: look again first. */
  release(dueAt: number | null): Promise<boolean>;
  /** Gives the profile back and leaves what is due on it as it is. */
  giveBack(): Promise<void>;
}

export interface LeasePorts {
  storage: Storage;
  clock: Clock;
}

/** One moment on three clocks: the store's, which processes compare, and this machine's two. */
export interface StoreMoment {
  now: number;
  monotonic: number;
  wall: number;
}

/** Sampled before anything is claimed, so that a slow store makes a lease look shorter, never longer. */
export async function storeMoment({ storage, clock }: LeasePorts): Promise<StoreMoment> {
  const sampled = { monotonic: clock.monotonic(), wall: clock.now() };
  return { now: await storage.now(), ...sampled };
}

/**
 * Claims one profile, if nobody holds it.
 *
 * @param options `due`: only if something is due on it; its holder then takes that on
 */
export async function claimProfile(
  ports: LeasePorts,
  id: string,
  options: { due: boolean; moment: StoreMoment },
): Promise<{ profile: ProfileRow; lease: Lease } | null> {
  const { now } = options.moment;
  const row = await ports.storage.get("profiles", id);
  if (row === null) return null;
  const known = fromRow<ProfileRow>(row);
  const taken = { epoch: known.epoch + 1, lease_until: now + leaseMs };
  const change = options.due ? { ...taken, due_at: taken.lease_until } : taken;
  const free = { epoch: known.epoch, lease_until: { lte: now } };
  const where = options.due ? { ...free, due_at: { lte: now } } : free;
  try {
    await ports.storage.write([{ kind: "update", collection: "profiles", id, change, where }]);
  } catch (error) {
    if (error instanceof StorageConflict) return null;
    throw error;
  }
  const profile = { ...known, ...change };
  return { profile, lease: createLease(profile, options.moment, ports) };
}

/** The lease of a row that has just been claimed. */
export function createLease(row: ProfileRow, moment: StoreMoment, ports: LeasePorts): Lease {
  const { storage, clock } = ports;
  let seenDueAt = row.due_at;
  let until = row.lease_until;
  /** The longest that anybody here has asked for; requests side by side must not shorten each other's. */
  let asked = until;

  // Whole milliseconds, which is what rows hold; a monotonic clock may be finer.
  const now = (): number => Math.floor(moment.now + clock.monotonic() - moment.monotonic);
  const hasDrifted = (): boolean => {
    const wall = clock.now() - moment.wall;
    return Math.abs(wall - (clock.monotonic() - moment.monotonic)) > mostDriftMs;
  };

  return {
    profileId: row.id,
    epoch: row.epoch,
    now,
    hasDrifted,
    async ensure(ms) {
      // A clock that jumped makes our reckoning of the lease worthless.
      if (hasDrifted()) throw new LeaseLost("The clocks of this machine part; the profile is given up.");
      const wanted = now() + ms + leaseMarginMs;
      if (until >= wanted) return;
      if (now() >= until) throw new LeaseLost("The lease has ended.");
      asked = Math.max(asked, wanted);
      const extended = asked;
      const change = { lease_until: extended };
      await onlyWhileHeld(() =>
        storage.write([{ kind: "update", collection: "profiles", id: row.id, change, where: { epoch: row.epoch } }]),
      );
      until = Math.max(until, extended);
    },
    check: (where = {}) => ({
      kind: "check",
      collection: "profiles",
      id: row.id,
      where: { epoch: row.epoch, ...where },
    }),
    async release(dueAt) {
      try {
        await storage.write([
          {
            kind: "update",
            collection: "profiles",
            id: row.id,
            change: { due_at: dueAt, lease_until: 0 },
            where: { epoch: row.epoch, due_at: seenDueAt },
          },
        ]);
        return true;
      } catch (error) {
        if (!(error instanceof StorageConflict)) throw error;
        const current = await storage.get("profiles", row.id);
        const profile = current === null ? null : fromRow<ProfileRow>(current);
        if (profile?.epoch !== row.epoch) throw new LeaseLost("Another process has claimed the profile.");
        seenDueAt = profile.due_at;
        return false;
      }
    },
    async giveBack() {
      const where = { epoch: row.epoch };
      await onlyWhileHeld(() =>
        storage.write([{ kind: "update", collection: "profiles", id: row.id, change: { lease_until: 0 }, where }]),
      );
    },
  };
}

/** Turns the conflict of a write that carries `lease.check()` or its `where` into LeaseLost. */
export async function onlyWhileHeld(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (error instanceof StorageConflict && error.operation.collection === "profiles") {
      throw new LeaseLost("Another process has claimed the profile.", { cause: error });
    }
    throw error;
  }
}

/** Between two extensions of a lease under long work, milliseconds. */
const beatMs = 10_000;

/**
 * Keeps the profile while `work` goes on, however long that takes: a slow
 * download outlasts any lease.
 *
 * @throws LeaseLost
 */
export async function keepWhile<Value>(
  lease: Pick<Lease, "ensure">,
  clock: Clock,
  work: () => Promise<Value>,
): Promise<Value> {
  await lease.ensure(2 * beatMs);
  const done = new AbortController();
  const beats = (async (): Promise<never> => {
    for (;;) {
      await clock.sleep(beatMs, done.signal);
      await lease.ensure(2 * beatMs);
    }
  })();
  try {
    return await Promise.race([work(), beats]);
  } finally {
    done.abort();
  }
}

/** An exchange that may take longer keeps its lease by beats, milliseconds. */
const longestAheadMs = 60_000;

/**
 * Runs an exchange that makes nothing public. A lease for all the time that it
 * may take would lock the profile for just as long when this process dies: an
 * upload may take minutes.
 *
 * @throws LeaseLost
 */
export async function sendWhileHeld<Value>(
  lease: Pick<Lease, "ensure">,
  clock: Clock,
  { hardEndMs, exchange }: { hardEndMs: number; exchange: () => Promise<Value> },
): Promise<Value> {
  if (hardEndMs > longestAheadMs) return keepWhile(lease, clock, exchange);
  await lease.ensure(hardEndMs);
  return exchange();
}
