import { createShares } from "../async/shares.ts";
import { singleFlight } from "../async/single-flight.ts";
import { type Clock, createThrottle } from "../ports/clock.ts";
import type { DueWorkBegun } from "./due-worker.ts";

/** Processes the due rows of one collection concurrently; each account has its share of the places. */
export interface Pool {
  /**
   * Claims due rows while there is room, at most `atMost`. Returns their number.
   * Concurrent calls without a bound share one look.
   */
  claimDue(atMost?: number): Promise<number>;
  /** As `claimDue`, for an account whose alarm has rung: also finds its rows behind the backlog of other accounts. */
  claimFor(accountId: string): Promise<number>;
  /**
   * Begins the work of an alarm and waits for it. If other rows wait for room, it
   * leaves the work to the next sweep, which takes the earliest due first.
   *
   * @param begin returns a promise that must not reject
   */
  work(accountId: string, begin: () => Promise<void>): Promise<void>;
  /** Call this when a look for due rows begins. It finds everything that was left to it. */
  beginLook(): void;
  /** The running work; none of it rejects. */
  running: ReadonlySet<Promise<void>>;
}

export interface PoolPorts {
  clock: Clock;
  /** Rows processed at the same time; one account gets half of the places at most. A slow row delays no other. */
  places: number;
  /** Begins up to `limit` due rows, the earliest first, without those of `exceptAccounts`. */
  claim(limit: number, exceptAccounts: readonly string[]): Promise<DueWorkBegun[]>;
  /** Called when there is room for rows that had to wait. */
  onRoom(): void;
}

/** Time between two looks past the backlog of an account that has used its share, milliseconds. Such a look reads all of that backlog. */
const pastBacklogEveryMs = 1_000;

export function createPool({ clock, places, claim, onRoom }: PoolPorts): Pool {
  const shares = createShares(places);
  const running = new Set<Promise<void>>();
  /** Accounts with more due rows than room. Their alarms must not overtake their waiting rows. */
  let behind: ReadonlySet<string> = new Set();
  /** True: all places were taken, so rows of any account may be waiting. */
  let isFull = false;
  /** Accounts whose alarm was left to the sweep since the last claim. */
  let missed = new Set<string>();
  let isAnnounced = false;
  const mayLookPast = createThrottle(clock, pastBacklogEveryMs, Number.NEGATIVE_INFINITY);

  function announceRoom(): void {
    if (isAnnounced) return;
    const hasRoom = isFull
      ? shares.room() > 0
      : [...behind, ...missed].some((accountId) => shares.roomFor(accountId) > 0);
    if (!hasRoom) return;
    isAnnounced = true;
    onRoom();
  }

  function add({ accountId, done: work }: DueWorkBegun): Promise<void> {
    shares.take(accountId);
    const done: Promise<void> = work.finally(() => {
      shares.giveBack(accountId);
      running.delete(done);
      announceRoom();
    });
    running.add(done);
    return done;
  }

  function mustWait(accountId: string): boolean {
    return isFull || behind.has(accountId) || shares.roomFor(accountId) === 0;
  }

  /** Claims until no row is due or no place is free. Returns the number of rows. */
  async function claimAll(atMost: number, isPast: boolean): Promise<number> {
    let begun = 0;
    let isPastAllowed: boolean | null = null;
    for (;;) {
      const limit = Math.min(shares.room(), atMost - begun);
      if (limit <= 0) return begun;
      const full = shares.full();
      if (full.length > 0) isPastAllowed ??= mayLookPast() || isPast;
      if (isPastAllowed === false) return begun;
      const works = await claim(limit, full);
      for (const work of works) void add(work);
      begun += works.length;
      if (works.length < limit) return begun;
    }
  }

  function beginLook(): void {
    missed = new Set();
    behind = new Set();
    isFull = false;
    isAnnounced = false;
  }

  async function claimNow(atMost: number, isPast: boolean): Promise<number> {
    missed = new Set();
    const begun = await claimAll(atMost, isPast);
    behind = new Set(shares.full());
    isFull = shares.room() === 0;
    isAnnounced = false;
    return begun;
  }

  /** The last claim. Claims run one after another: concurrent ones would count the same free places twice. */
  let claimed: Promise<unknown> = Promise.resolve();
  function claimInTurn(atMost: number, isPast = false): Promise<number> {
    const claiming = claimed.then(() => claimNow(atMost, isPast));
    claimed = claiming.catch(() => undefined);
    return claiming;
  }

  /** Alarms that ring together share one look, since each would find the same rows. Only for speed: `npm run bench -- lag`. */
  const claimForAll = singleFlight(() => claimInTurn(Number.POSITIVE_INFINITY));
  const claimPast = singleFlight(() => claimInTurn(Number.POSITIVE_INFINITY, true));

  return {
    running,
    beginLook,
    claimDue: (atMost = Number.POSITIVE_INFINITY) =>
      atMost === Number.POSITIVE_INFINITY ? claimForAll() : claimInTurn(atMost),
    claimFor: (accountId) => (mustWait(accountId) ? claimForAll() : claimPast()),
    async work(accountId, begin) {
      if (mustWait(accountId)) {
        missed.add(accountId);
        return announceRoom();
      }
      await add({ accountId, done: begin() });
    },
  };
}
