import { createQueue } from "../async/in-turn.ts";
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

/** The common fields of claimable rows: one process at a time processes a row's due work. */
export interface ClaimableRow {
  id: string;
  /** When work on the row is due, milliseconds; null: none is. */
  due_at: number | null;
  /** When the holder's lease ends, milliseconds. */
  lease_until: number;
  /** Rises with every claim. A process with an older number writes nothing. */
  epoch: number;
}

/**
 * Length of a lease while no request that may make something public is running, milliseconds. If the holder dies,
 * its unstarted work goes out within 30 s: this time, at most a second until another process looks, and the time
 * that publishing takes.
 */
export const leaseMs = 25_000;
/** Time that is left of a lease when a request under it is cut off, milliseconds. */
const leaseMarginMs = 10_000;
/** How far the clock of another process may be ahead of the store's, milliseconds. */
const maxAheadMs = 10_000;

/** Another process holds the row, or may soon. This process may neither send nor write for it. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/** The exclusive right to process one profile or endpoint until it expires. Its time is the store's. */
export interface Lease extends StoreTime {
  /** The claimed row's. */
  id: string;
  epoch: number;
  /**
   * Extends the lease if less than `ms` and a margin are left.
   *
   * @throws LeaseLost
   */
  ensure(ms: number): Promise<void>;
  /**
   * As `ensure`, for a request that may make something public. Until `endRequest` no write shortens the lease below that.
   *
   * @param id the request's name, for `endRequest`
   * @param alongside operations of the same write. They apply only while this lease is the newest and the row matches `where`
   * @throws LeaseLost
   */
  beginRequest(id: string, ms: number, alongside: Alongside): Promise<void>;
  /**
   * The request is over. Passes `write` the operation that shortens the lease to what other running requests need.
   * The caller adds it at the end of the write that records the response. It conflicts if the lease has changed since,
   * and may be left out.
   */
  endRequest<Value>(id: string, write: (shortening: readonly Operation[]) => Promise<Value>): Promise<Value>;
  /** An operation for every write of target state, which then applies only while this lease is the newest. */
  check(): Operation;
  /** Releases the row. False: more work may have become due; look again first. */
  release(dueAt: number | null): Promise<boolean>;
  /** Releases the row with its due work, for the next holder. */
  giveBack(): Promise<void>;
}

interface Alongside {
  operations: readonly Operation[];
  where?: Where | undefined;
}

/** One row of a claimable collection. */
export interface Claim {
  collection: ClaimableCollection;
  id: string;
  /** True: claim it only if work is due on it. */
  due: boolean;
  moment: StoreMoment;
}

/** Claims a row unless another process holds it. */
export async function claimRow<Claimed extends ClaimableRow>(
  ports: StoreTimePorts,
  { collection, id, due, moment }: Claim,
): Promise<{ row: Claimed; lease: Lease } | null> {
  const claim = due ? claimDue : claimFree;
  const claimed = await claim(ports.storage, { collection, id, now: moment.now, leaseUntil: moment.now + leaseMs });
  if (claimed === null) return null;
  const row = fromRow<Claimed>(claimed);
  return { row, lease: createLease(collection, row, moment, ports) };
}

type NamedRow = Pick<Claim, "collection" | "id"> & { now: number; leaseUntil: number };

async function claimDue(storage: Storage, { collection, id, now, leaseUntil }: NamedRow): Promise<Row | null> {
  const [claimed] = await storage.claim(collection, { now, leaseUntil, limit: 1, id });
  return claimed ?? null;
}

/** Claims a row whether or not work is due on it, and leaves `due_at` unchanged. */
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
  /** `due_at` as this process last wrote it. A different stored value means that another process has made the row due. */
  let mark = row.due_at;
  /** True: the row had been made due, and `markAgain` has overwritten that value. */
  let isMarked = false;
  /** The stored end of the lease, or an earlier time. */
  let until = row.lease_until;
  const needs = createNeeds(until);
  /** Ends that running writes may still replace with earlier ones. */
  const shortened = new Set<number>();

  const held = (where: Where = {}) => ({
    collection,
    id,
    where: { epoch: row.epoch, ...where },
  });
  const write = (operations: Operation[]): Promise<void> => onlyWhileHeld(collection, () => storage.write(operations));

  /** The next end of the lease, late enough for every running request. */
  const nextEnd = (): number => Math.max(now() + leaseMs, needs.latest());

  /** One write of `lease_until` at a time, so that the stored end is the known one. */
  const inTurn = createQueue();

  /** @param wanted an end that a running request needs */
  async function reach(wanted: number, { operations, where }: Alongside): Promise<void> {
    // After a clock jump this process cannot know when the lease ends.
    if (hasClockJumped()) throw new LeaseLost("The clocks of this machine diverge; its claims are released.");
    if (until < wanted) return inTurn(() => extend(wanted, { operations, where }));
    if (operations.length > 0) await write([{ kind: "check", ...held(where) }, ...operations]);
  }

  async function extend(wanted: number, { operations, where }: Alongside): Promise<void> {
    // Another caller has extended it meanwhile.
    if (until >= wanted) return reach(wanted, { operations, where });
    if (now() >= until) throw new LeaseLost("The lease has ended.");
    let end = nextEnd();
    // A running write shortens the lease only if it still has a certain end; this one must differ.
    while (shortened.has(end)) end += 1;
    await write([{ kind: "update", ...held(where), change: { lease_until: end } }, ...operations]);
    until = end;
  }

  /**
   * Call this before looking again for due work. Other processes make a row due by writing the current time into
   * `due_at`. Two of them may write the same millisecond, one before the look and one after it, and the value would
   * not show the second. So this process writes a value that no other process writes: a time in the future. It is the
   * end of the lease, so that the row is due again if this process dies.
   */
  function markAgain(): Promise<void> {
    return inTurn(async () => {
      const end = nextEnd();
      await write([{ kind: "update", ...held(), change: { due_at: end, lease_until: end } }]);
      until = end;
      mark = end;
      isMarked = true;
    });
  }

  const endAfter = (ms: number): number => now() + ms + leaseMarginMs;

  /** True: `mark` is so close to now that another process may write the same value. */
  const isOwnDueAtUnsafe = (): boolean => mark !== null && mark <= now() + maxAheadMs;

  return {
    ...time,
    id,
    epoch: row.epoch,
    async ensure(ms) {
      const wanted = endAfter(ms);
      needs.ask(wanted);
      await reach(wanted, { operations: [] });
    },
    async beginRequest(requestId, ms, alongside) {
      const wanted = endAfter(ms);
      needs.begin(requestId, wanted);
      try {
        await reach(wanted, alongside);
      } catch (error) {
        needs.end(requestId);
        throw error;
      }
    },
    async endRequest(requestId, writeEnd) {
      needs.end(requestId);
      const end = nextEnd();
      if (end >= until || hasClockJumped()) return writeEnd([]);
      const from = until;
      // Before the write and whatever its outcome: a request that begins now asks for the time that it needs.
      until = end;
      shortened.add(from);
      try {
        return await writeEnd([{ kind: "update", ...held({ lease_until: from }), change: { lease_until: end } }]);
      } finally {
        shortened.delete(from);
      }
    },
    check: () => ({ kind: "check", ...held() }),
    async release(dueAt) {
      if (isOwnDueAtUnsafe()) {
        await markAgain();
        return false;
      }
      try {
        await inTurn(() =>
          storage.write([
            {
              kind: "update",
              collection,
              id,
              change: { due_at: dueAt, lease_until: 0 },
              where: { epoch: row.epoch, due_at: mark },
            },
          ]),
        );
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
      await inTurn(() => write([{ kind: "update", ...held(), change }]));
    },
  };
}

/** The latest end that a lease needs: of all `ensure` calls, and of the running requests by their ids. */
function createNeeds(first: number) {
  let asked = first;
  const requests = new Map<string, number>();
  return {
    ask(end: number): void {
      asked = Math.max(asked, end);
    },
    begin: (requestId: string, end: number) => void requests.set(requestId, end),
    end: (requestId: string) => void requests.delete(requestId),
    latest: (): number => Math.max(asked, ...requests.values()),
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

/** Time between two checks of a lease during long work, milliseconds. */
const beatMs = 5_000;

/**
 * Extends the lease for as long as `work` runs: a slow download outlasts any
 * lease. Short work needs no write.
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
