import { type Clock, noLongerNeeded } from "../ports/clock.ts";
import {
  type ClaimableCollection,
  isConflictIn,
  type Operation,
  type Row,
  type Storage,
  StorageConflict,
  type Where,
} from "../storage/storage.ts";
import { fromRow } from "../storage/typed.ts";
import type { JsonObject } from "../wire/json.ts";
import { type StoreMoment, type StoreTime, type StoreTimePorts, storeTimeFrom } from "./store-time.ts";

/** What the rows of a claimable collection have in common: one process at a time works off what is due on one. */
export interface ClaimableRow {
  id: string;
  /** When its holder has something to do, milliseconds; null: nothing. */
  due_at: number | null;
  /** Until when its holder holds it, milliseconds. */
  lease_until: number;
  /** Rises with every claim: a holder whose number has passed writes nothing. */
  epoch: number;
}

/** How long a claimed row is usually held at first, milliseconds. */
export const leaseMs = 30_000;
/** What is left of a lease when a request that needs it reaches its hard end, milliseconds. */
const leaseMarginMs = 10_000;
/** What another process makes due may be this much ahead of the store's time, milliseconds. */
const maxAheadMs = 10_000;

/** Another process holds the row, or may soon: nothing more may be sent or written for it. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/** The right to work off one profile, or one endpoint, alone, until it ends. Its time is the store's. */
export interface Lease extends StoreTime {
  /** The claimed row's. */
  id: string;
  epoch: number;
  /**
   * Makes sure that `ms` and a margin are left.
   *
   * @param alongside what goes into the same write: it applies only while this lease is the newest, and the row is as `where` says
   * @throws LeaseLost
   */
  ensure(ms: number, alongside?: { operations: readonly Operation[]; where?: Where }): Promise<void>;
  /** Goes into every write of target state: it applies only while this lease is the newest. */
  check(): Operation;
  /** Gives the row back. False when something may have become due meanwhile: look again first. */
  release(dueAt: number | null): Promise<boolean>;
  /** Gives the row back: what was due on it stays so, for the next holder. */
  giveBack(): Promise<void>;
}

/** One row of a claimable collection. */
export interface Claim {
  collection: ClaimableCollection;
  id: string;
  /** Only if something is due on it; its holder then takes that on. */
  due: boolean;
  moment: StoreMoment;
  /** How long it is held at first, milliseconds. @default `leaseMs` */
  heldMs?: number;
}

/** Claims a row, if nobody holds it. */
export async function claimRow<Claimed extends ClaimableRow>(
  ports: StoreTimePorts,
  { collection, id, due, moment, heldMs = leaseMs }: Claim,
): Promise<{ row: Claimed; lease: Lease } | null> {
  const claim = due ? claimDue : claimFree;
  const claimed = await claim(ports.storage, { collection, id, now: moment.now, leaseUntil: moment.now + heldMs });
  if (claimed === null) return null;
  const row = fromRow<Claimed>(claimed);
  return { row, lease: createLease(collection, row, moment, ports) };
}

type NamedRow = Pick<Claim, "collection" | "id"> & { now: number; leaseUntil: number };

async function claimDue(storage: Storage, { collection, id, now, leaseUntil }: NamedRow): Promise<Row | null> {
  const [claimed] = await storage.claim(collection, { now, leaseUntil, limit: 1, id });
  return claimed ?? null;
}

/** Leaves what is due as it is. */
async function claimFree(storage: Storage, { collection, id, now, leaseUntil }: NamedRow): Promise<Row | null> {
  const known = await storage.get(collection, id);
  if (known === null) return null;
  const { epoch } = fromRow<ClaimableRow>(known);
  const change = { epoch: epoch + 1, lease_until: leaseUntil };
  try {
    await storage.write([{ kind: "update", collection, id, change, where: { epoch, lease_until: { lte: now } } }]);
  } catch (error) {
    if (error instanceof StorageConflict) return null;
    throw error;
  }
  // Read again: the holder must not miss what was changed just before the claim.
  const claimed = await storage.get(collection, id);
  return claimed?.epoch === change.epoch ? claimed : null;
}

/** The lease of a row that has just been claimed. */
export function createLease(
  collection: ClaimableCollection,
  row: ClaimableRow,
  moment: StoreMoment,
  ports: StoreTimePorts,
): Lease {
  const { storage } = ports;
  const { id } = row;
  const time = storeTimeFrom(moment, ports);
  const { now, hasClockJumped } = time;
  /** What only this holder has written there: whatever makes the row due takes its place. */
  let mark = row.due_at;
  /** Something became due meanwhile, in the place of which the mark now stands. */
  let isMarked = false;
  let until = row.lease_until;
  /** The latest end that any caller has asked for: parallel requests must not shorten each other's lease. */
  let asked = until;

  const held = (where: Where = {}) => ({
    collection,
    id,
    where: { epoch: row.epoch, ...where },
  });
  const write = (operations: Operation[]): Promise<void> => onlyWhileHeld(collection, () => storage.write(operations));

  /**
   * Before the holder looks again at what is due. Two may make a row due at the same millisecond, one of them after that
   * look: what stands there must be nobody's but ours. So it is to come, as the end of the lease, which is longer now:
   * all others write the moment at which they write. It is due when the lease ends, should the holder die.
   */
  async function markAgain(): Promise<void> {
    asked = Math.max(asked, now() + leaseMs);
    const end = asked;
    await write([{ kind: "update", ...held(), change: { due_at: end, lease_until: end } }]);
    until = Math.max(until, end);
    mark = end;
    isMarked = true;
  }

  /** Its moment has come, or nearly: what stands there may be of somebody who has made the row due just then. */
  const isMarkDoubtful = (): boolean => mark !== null && mark <= now() + maxAheadMs;

  return {
    ...time,
    id,
    epoch: row.epoch,
    async ensure(ms, { operations, where } = { operations: [] }) {
      // After a jump nobody here knows how long the lease lasts.
      if (hasClockJumped()) throw new LeaseLost("The clocks of this machine part; what was claimed is given up.");
      const wanted = now() + ms + leaseMarginMs;
      if (until >= wanted) {
        if (operations.length > 0) await write([{ kind: "check", ...held(where) }, ...operations]);
        return;
      }
      if (now() >= until) throw new LeaseLost("The lease has ended.");
      asked = Math.max(asked, wanted);
      const extended = asked;
      await write([{ kind: "update", ...held(where), change: { lease_until: extended } }, ...operations]);
      until = Math.max(until, extended);
    },
    check: () => ({ kind: "check", ...held() }),
    async release(dueAt) {
      if (isMarkDoubtful()) {
        await markAgain();
        return false;
      }
      try {
        await storage.write([
          {
            kind: "update",
            collection,
            id,
            change: { due_at: dueAt, lease_until: 0 },
            where: { epoch: row.epoch, due_at: mark },
          },
        ]);
        return true;
      } catch (error) {
        if (!(error instanceof StorageConflict)) throw error;
        await markAgain();
        return false;
      }
    },
    async giveBack() {
      const change: JsonObject = { lease_until: 0 };
      if (isMarked) change.due_at = now();
      await write([{ kind: "update", ...held(), change }]);
    },
  };
}

/** Turns the conflict of a write that carries the lease's `check()`, or its `where`, into LeaseLost. */
export async function onlyWhileHeld(collection: ClaimableCollection, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (isConflictIn(collection, error)) throw lostToAnother(error);
    throw error;
  }
}

function lostToAnother(cause?: unknown): LeaseLost {
  return new LeaseLost("Another process has claimed it.", { cause });
}

/** Between two extensions of a lease under long work, milliseconds. */
const beatMs = 10_000;

/**
 * Keeps the row while `work` goes on, however long that takes: a slow
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
    done.abort(noLongerNeeded);
  }
}

/** An exchange that may take longer extends its lease every few seconds, milliseconds. */
const maxAtOnceMs = 60_000;

/**
 * Runs an exchange that makes nothing public. A lease for all the time that it
 * may take would lock the row for just as long when this process dies: an
 * upload may take minutes.
 *
 * @throws LeaseLost
 */
export async function sendWhileHeld<Value>(
  lease: Pick<Lease, "ensure">,
  clock: Clock,
  { hardEndMs, exchange }: { hardEndMs: number; exchange: () => Promise<Value> },
): Promise<Value> {
  if (hardEndMs > maxAtOnceMs) return keepWhile(lease, clock, exchange);
  await lease.ensure(hardEndMs);
  return exchange();
}
