import type { HookEvent } from "../networks/contract/hooks.ts";
import type { InboxUpdate } from "../networks/contract/inbox.ts";
import type { Storage } from "../storage/storage.ts";

const hourMs = 3_600_000;
/** What an account may bring in an hour by apps of its own, and as much by servers of its own, characters of JSON: 50,000 events. */
const maxCharactersAnHour = 100_000_000;
/** An event counts as this many at least: its id is kept for a week. */
const leastCharacters = 2_000;
/** Lists do so in each of these spans, milliseconds: a flood after a quiet hour has no more of it to use up. */
const spanMs = 360_000;
const maxCharactersOfSpan = (maxCharactersAnHour * spanMs) / hourMs;
/** At once in a span; the rest of it evenly. */
const charactersAtOnce = 2_000_000;
const charactersEachMs = (maxCharactersOfSpan - charactersAtOnce) / spanMs;
/** A row counts as this many beside what it says: it stands in several indexes. */
const charactersOfRow = 1_000;
/** A page of a list that goes on counts as this many at least: reading it costs time, too. */
const leastCharactersOfPage = 20_000;

/** Counts what is sent to an account's inboxes. True: it is more than an account may fill the store with by an app of its own. */
export async function exceedsAllowance(
  storage: Storage,
  accountId: string,
  { events, now }: { events: readonly HookEvent[]; now: number },
): Promise<boolean> {
  const characters = events.reduce((sum, { body }) => sum + Math.max(JSON.stringify(body).length, leastCharacters), 0);
  const hour = Math.floor(now / hourMs);
  const counter = { key: `hooks/${accountId}/${hour}`, by: characters, now, expiresAt: (hour + 1) * hourMs };
  return (await storage.increment(counter)) > maxCharactersAnHour;
}

/** How much the lists of an account's own servers may bring. What they hold beyond that is read later, from the same place on. */
export interface ListAllowance {
  /** They are to be left alone, as far as this process knows. @param now the store's time, milliseconds */
  isUsedUp(now: number): boolean;
  /** When another inbox's turn is over and it is that of the one that asks, milliseconds, the store's time; 0: it is. */
  nextTurn(now: number): number;
  /** Counts what one look has brought. */
  count(brought: Brought): Promise<void>;
}

/** What one look at a list has brought. */
export interface Brought {
  facts: readonly InboxUpdate[];
  /** Rows that were written for them. */
  rows: number;
  /** The list goes on. */
  isMore: boolean;
  /** The store's time, milliseconds. */
  now: number;
}

/** Of networks whose servers are the network's own: what they list is theirs to bound. */
export const unboundedLists: ListAllowance = { isUsedUp: () => false, nextTurn: () => 0, count: async () => {} };

/** An account that has brought more than its even share. Milliseconds, the store's time. */
interface Rest {
  /** Until when it has. */
  until: number;
  /** The last turn that was given to one of its inboxes: they take turns, or one would read and the others never. */
  lastTurn: number;
  /** From one turn to the next. */
  everyMs: number;
}

/** @returns the allowance of an account */
export function createListAllowances(storage: Storage): (accountId: string) => ListAllowance {
  const rests = new Map<string, Rest>();

  return (accountId) => ({
    isUsedUp: (now) => (rests.get(accountId)?.until ?? 0) > now,
    nextTurn(now) {
      const rest = rests.get(accountId);
      if (rest === undefined || rest.until <= now) return 0;
      rest.lastTurn = Math.min(Math.max(rest.until, rest.lastTurn + rest.everyMs), now + hourMs);
      return rest.lastTurn;
    },
    async count({ facts, rows, isMore, now }) {
      const said = facts.reduce((sum, fact) => sum + JSON.stringify(fact).length, rows * charactersOfRow);
      const characters = Math.max(said, isMore ? leastCharactersOfPage : 0);
      if (characters === 0) return;
      const everyMs = Math.ceil(characters / charactersEachMs);
      const span = Math.floor(now / spanMs);
      const counter = { key: `lists/${accountId}/${span}`, by: characters, now, expiresAt: (span + 1) * spanMs };
      const ahead = Math.max(0, (await storage.increment(counter)) - charactersAtOnce);
      const until = span * spanMs + Math.min(spanMs, Math.ceil(ahead / charactersEachMs));
      if (until > now) rests.set(accountId, { lastTurn: 0, ...rests.get(accountId), until, everyMs });
      else rests.delete(accountId);
    },
  });
}
