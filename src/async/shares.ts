/**
 * Places that accounts share. An account may hold at most as many as are free: one account gets half, two get a third
 * each, and a new one finds a place immediately, regardless of the others.
 */
export interface Shares {
  /** How many more places the account may use now. */
  roomFor(accountId: string): number;
  /** How many more places an account below its share may use. */
  room(): number;
  /** The accounts that have used their share. */
  full(): string[];
  take(accountId: string): void;
  giveBack(accountId: string): void;
}

export function createShares(places: number): Shares {
  const held = new Map<string, number>();
  let taken = 0;

  function roomBeside(holds: number): number {
    const free = Math.max(0, places - taken);
    const minRoom = holds === 0 ? Math.min(1, free) : 0;
    return Math.max(minRoom, Math.floor((free - holds) / 2));
  }

  return {
    roomFor: (accountId) => roomBeside(held.get(accountId) ?? 0),
    room() {
      const rooms = [...held.values()].map(roomBeside).filter((room) => room > 0);
      return Math.min(roomBeside(0), ...rooms);
    },
    full: () => [...held].filter(([, holds]) => roomBeside(holds) === 0).map(([accountId]) => accountId),
    take(accountId) {
      held.set(accountId, (held.get(accountId) ?? 0) + 1);
      taken += 1;
    },
    giveBack(accountId) {
      const holds = (held.get(accountId) ?? 0) - 1;
      if (holds > 0) held.set(accountId, holds);
      else held.delete(accountId);
      taken -= 1;
    },
  };
}

/** Runs work of many accounts, each within its share. Waiting work is started account by account. */
export type InFairTurn = <Value>(accountId: string, work: () => Promise<Value>) => Promise<Value>;

export function createFairTurns(places: number): InFairTurn {
  const shares = createShares(places);
  /** Waiting work by account; the account that was served last is at the end. */
  const waiting = new Map<string, (() => void)[]>();

  function beginNext(): void {
    for (const [accountId, begins] of waiting) {
      if (shares.roomFor(accountId) === 0) continue;
      waiting.delete(accountId);
      const [begin, ...others] = begins;
      if (others.length > 0) waiting.set(accountId, others);
      shares.take(accountId);
      begin?.();
      beginNext();
      return;
    }
  }

  return async (accountId, work) => {
    await new Promise<void>((resolve) => {
      const begins = waiting.get(accountId) ?? [];
      begins.push(resolve);
      waiting.set(accountId, begins);
      beginNext();
    });
    try {
      return await work();
    } finally {
      shares.giveBack(accountId);
      beginNext();
    }
  };
}
