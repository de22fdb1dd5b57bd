import { createShares } from "../async/shares.ts";
import { singleFlight } from "../async/single-flight.ts";
import { type Clock, createThrottle } from "../ports/clock.ts";
import type { DueWorkBegun } from "./due-worker.ts";

/** Processes the due rows of one collection concurrently; each account has its share of the places. */
export interface Pool {
  /**
   * Claims what is due, as far as there is room and at most `atMost`. Returns how
   * many rows that were; who asks without a bound shares them with all who do.
   */
  claimDue(atMost?: number): Promise<number>;
  /** As `claimDue` when an alarm has rung for an account: finds what is due of it behind the backlog of others, too. */
  claimFor(accountId: string): Promise<number>;
  /**
   * Begins the work that an alarm has announced and waits for it, unless others
   * wait for room: then the next sweep does, the earliest due first.
   *
   * @param begin what it returns must not reject
   */
  work(accountId: string, begin: () => Promise<void>): Promise<void>;
  /** A look at what is due begins, which finds all that was left to it, or that it is gone. */
  beginLook(): void;
  /** The work under way; none of it rejects. */
  running: ReadonlySet<Promise<void>>;
}

export interface PoolPorts {
  clock: Clock;
  /** Rows processed at the same time; one account gets half of the places at most. A slow row delays no other. */
  places: number;
  /** Begins up to `limit` of what is due, the earliest first, and nothing of these accounts. */
  claim(limit: number, exceptAccounts: readonly string[]): Promise<DueWorkBegun[]>;
  /** Called when there is room for what could not be begun before. */
  onRoom(): void;
}

/** Between two looks for what lies behind the backlog of an account that has had its share, milliseconds: they read past all of it. */
const pastBacklogEveryMs = 1_000;

export function createPool({ clock, places, claim, onRoom }: PoolPorts): Pool {
  const shares = createShares(places);
  const running = new Set<Promise<void>>();
  /** Accounts of which more was due than they had room for: their alarms must not get ahead of what waits. */
  let behind: ReadonlySet<string> = new Set();
  /** All places were taken, so that anything may wait. */
  let isFull = false;
  /** Accounts of which an alarm was left to the sweep since the last claim. */
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

  /** Claims until nothing more is due, or there is no room for it. Returns the number of rows. */
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

  /** The end of the claims so far: side by side they would take the same room twice. */
  let claimed: Promise<unknown> = Promise.resolve();
  function claimInTurn(atMost: number, isPast = false): Promise<number> {
    const claiming = claimed.then(() => claimNow(atMost, isPast));
    claimed = claiming.catch(() => undefined);
    return claiming;
  }

  /** Alarms that ring together share a look, which would find the same for each of them. For speed alone: `npm run bench -- lag`. */
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
