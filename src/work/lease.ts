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
  /** When its holder has something to do, milliseconds; null: nothing. */
  due_at: number | null;
  /** Until when its holder holds it, milliseconds. */
  lease_until: number;
  /** Rises with every claim: a holder whose number has passed writes nothing. */
  epoch: number;
}

/**
 * How long a claimed row is held at a time while no request is under way that may make something public, milliseconds.
 * When its holder dies, what had not begun goes out within 30 s: this, at most a second until another process looks
 * again, and the time that publishing takes.
 */
export const leaseMs = 25_000;
/** What is left of a lease when a request that needs it reaches its hard end, milliseconds. */
const leaseMarginMs = 10_000;
/** What another process makes due may be this much ahead of the store's time, milliseconds. */
const maxAheadMs = 10_000;

/** Another process holds the row, or may soon: nothing more may be sent or written for it. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/** The exclusive right to process one profile or endpoint until it expires. Its time is the store's. */
export interface Lease extends StoreTime {
  /** The claimed row's. */
  id: string;
  epoch: number;
  /**
   * Makes sure that `ms` and a margin are left.
   *
   * @throws LeaseLost
   */
  ensure(ms: number): Promise<void>;
  /**
   * As `ensure`, for a request that may make something public: until `endRequest`, nothing shortens what it needs.
   *
   * @param id what `endRequest` calls it
   * @param alongside what goes into the same write: it applies only while this lease is the newest, and the row is as `where` says
   * @throws LeaseLost
   */
  beginRequest(id: string, ms: number, alongside: Alongside): Promise<void>;
  /**
   * The request is over. Gives `write` what shortens the lease again, as far as nothing else that is under way needs it:
   * to go into the write that records the answer, at its end. It conflicts when the lease is another by then, and may
   * be left out.
   */
  endRequest<Value>(id: string, write: (shortening: readonly Operation[]) => Promise<Value>): Promise<Value>;
  /** Goes into every write of target state: it applies only while this lease is the newest. */
  check(): Operation;
  /** Gives the row back. False when something may have become due meanwhile: look again first. */
  release(dueAt: number | null): Promise<boolean>;
  /** Gives the row back: what was due on it stays so, for the next holder. */
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
  /** Only if something is due on it; its holder then takes that on. */
  due: boolean;
  moment: StoreMoment;
}

/** Claims a row, if nobody holds it. */
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
  /** As it is stored, or earlier. */
  let until = row.lease_until;
  const needs = createNeeds(until);
  /** The ends from which writes that are under way may still shorten the lease. */
  const shortened = new Set<number>();

  const held = (where: Where = {}) => ({
    collection,
    id,
    where: { epoch: row.epoch, ...where },
  });
  const write = (operations: Operation[]): Promise<void> => onlyWhileHeld(collection, () => storage.write(operations));

  /** No earlier than any end that is needed. */
  const nextEnd = (): number => Math.max(now() + leaseMs, needs.latest());

  /** The end that is stored must be the one that is known here. */
  const inTurn = createQueue();

  /** @param wanted among the ends that are needed */
  async function reach(wanted: number, { operations, where }: Alongside): Promise<void> {
    // After a jump nobody here knows how long the lease lasts.
    if (hasClockJumped()) throw new LeaseLost("The clocks of this machine diverge; its claims are released.");
    if (until < wanted) return inTurn(() => extend(wanted, { operations, where }));
    if (operations.length > 0) await write([{ kind: "check", ...held(where) }, ...operations]);
  }

  async function extend(wanted: number, { operations, where }: Alongside): Promise<void> {
    // Another caller has extended it meanwhile.
    if (until >= wanted) return reach(wanted, { operations, where });
    if (now() >= until) throw new LeaseLost("The lease has ended.");
    let end = nextEnd();
    // A write that shortens the lease must not take this one for the one that it was made for.
    while (shortened.has(end)) end += 1;
    await write([{ kind: "update", ...held(where), change: { lease_until: end } }, ...operations]);
    until = end;
  }

  /**
   * Before the holder looks again at what is due. Two may make a row due at the same millisecond, one of them after that
   * look: what stands there must be nobody's but ours. So it is to come, later than what anybody else writes: all
   * others write the moment at which they write. It is due when the lease ends, should the holder die.
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

  /** Its moment has come, or nearly: what stands there may be of somebody who has made the row due just then. */
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
      // At once, whatever becomes of the write: what begins now asks for what it needs.
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

/** The ends of a lease that its holder needs: those asked for to stay, and those of requests under way, by their ids. */
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

/** Between two looks at what is left of a lease under long work, milliseconds. */
const beatMs = 5_000;

/**
 * Keeps the row while `work` goes on, however long that takes: a slow
 * download outlasts any lease. What is over soon needs no write for it.
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
