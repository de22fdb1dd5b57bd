import { singleFlight } from "../async/single-flight.ts";
import { type Clock, createThrottle } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import { type ClaimableCollection, type Operation, type Storage, StorageConflict } from "../storage/storage.ts";
import { fromRow } from "../storage/typed.ts";
import { createJumpWatch, shortenLeasesAhead } from "./clock-jump.ts";
import { type ClaimableRow, claimRow, createLease, type Lease, LeaseLost, leaseMs } from "./lease.ts";
import { onMachineClock, type StoreMoment, storeMoment } from "./store-time.ts";

/** Processes the due rows of one claimable collection; each row has one holder. */
export interface DueWorker {
  /** Claims a row, if nobody holds it and something is due on it, and works it off. */
  work(id: string): Promise<void>;
  /** Whose a row is; null: there is no such row. */
  accountOf(id: string): Promise<string | null>;
  /** Claims up to `limit` due rows, none of the accounts in `exceptAccounts`. */
  claimDue(limit: number, exceptAccounts?: readonly string[]): Promise<DueWorkBegun[]>;
}

/** Work that is under way. */
export interface DueWorkBegun {
  accountId: string;
  /** Never rejects. */
  done: Promise<void>;
}

export interface DueWorkerPorts {
  storage: Storage;
  clock: Clock;
  logger: Logger;
  /** Asks to be called for a row at a moment, milliseconds; may be forgotten. */
  wake(at: number, id: string): void;
}

/** How to process the rows of one collection. */
export interface DueWork<Claimed extends ClaimableRow> {
  collection: ClaimableCollection;
  /** Works one off and gives it back. A LeaseLost ends it. */
  work(row: Claimed, lease: Lease): Promise<void>;
  /** What is to be written when a row's lease was made by a clock that ran ahead. @default nothing */
  afterLeaseAhead?(id: string, now: number): Promise<Operation[]>;
  /**
   * What follows when this machine's clock was set, or the machine slept: moments that it had named may lie far ahead.
   * Repeated before the next claim if it fails.
   *
   * @param byMs how far the clock was set ahead; below zero: back
   * @default nothing
   */
  afterJump?(now: number, byMs: number): Promise<void>;
}

/** Between two looks for leases of a clock that ran ahead, milliseconds: a claim comes by for each row that ends. */
const aheadEveryMs = 60_000;

export function createDueWorker<Claimed extends ClaimableRow>(
  ports: DueWorkerPorts,
  { collection, work, afterLeaseAhead = async () => [], afterJump = async () => {} }: DueWork<Claimed>,
): DueWorker {
  const { storage, clock, logger } = ports;
  const onJumpSince = createJumpWatch(clock);
  const mayLookAhead = createThrottle(clock, aheadEveryMs, Number.NEGATIVE_INFINITY);

  /** Alarms that ring together share a sample. For speed alone: `npm run bench -- lag`. */
  const sample = singleFlight(sampleStore);

  /** The store's time before a claim. */
  async function sampleStore(): Promise<StoreMoment> {
    const moment = await storeMoment(ports);
    await onJumpSince(moment, async (byMs) => {
      logger.warn("the machine's clocks diverged; open waits restart", { collection, by_ms: byMs });
      await afterJump(moment.now, byMs);
    });
    return moment;
  }

  async function workClaimed(row: Claimed, lease: Lease): Promise<void> {
    try {
      await work(row, lease);
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      logger.info("a lease was lost", { id: row.id, reason: error.message });
      await giveBack(lease);
    }
  }

  /** To be looked at again, unless another holds it by now: a clock that ran ahead may have named its moments. */
  async function giveBack({ id, epoch }: Lease): Promise<void> {
    const change = { due_at: await storage.now(), lease_until: 0 };
    await storage.write([{ kind: "update", collection, id, change, where: { epoch } }]).catch(unlessConflict);
  }

  return {
    async work(id) {
      const sampled = await sample();
      const claimed = await claimRow<Claimed>(ports, { collection, id, due: true, moment: sampled });
      if (claimed !== null) return workClaimed(claimed.row, claimed.lease);
      // A scheduler keeps only the earliest alarm of a row, and this one came too early.
      const row = await storage.get(collection, id);
      const dueAt = row === null ? null : fromRow<Claimed>(row).due_at;
      if (dueAt === null || dueAt <= sampled.now) return;
      // By this machine's clock: one that is ahead of the store's would ring again at once, and again.
      ports.wake(onMachineClock(sampled, dueAt), id);
    },
    async accountOf(id) {
      const row = await storage.get(collection, id);
      return row === null ? null : String(row.account_id);
    },
    async claimDue(limit, exceptAccounts = []) {
      const sampled = await sample();
      const { now } = sampled;
      if (mayLookAhead())
        await shortenLeasesAhead(storage, collection, { now, alongside: (id) => afterLeaseAhead(id, now) });
      const rows = await storage.claim(collection, { now, leaseUntil: now + leaseMs, limit, exceptAccounts });
      return rows.map((found) => {
        const row = fromRow<Claimed>(found);
        const done = workClaimed(row, createLease(collection, row, sampled, ports)).catch((error: unknown) =>
          logger.error("due work could not be processed", { id: row.id, error: describe(error) }),
        );
        return { accountId: String(found.account_id), done };
      });
    },
  };
}

function unlessConflict(error: unknown): void {
  if (!(error instanceof StorageConflict)) throw error;
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
