import type { HookEvent } from "../networks/contract/hooks.ts";
import type { InboxUpdate } from "../networks/contract/inbox.ts";
import type { Storage } from "../storage/storage.ts";

const hourMs = 3_600_000;
/** Hourly limit of an account's own apps, and also of its own servers, characters of JSON: 50,000 events. */
const maxCharactersAnHour = 100_000_000;
/** Minimum count of an event, characters: its id is kept for a week. */
const leastCharacters = 2_000;
/**
 * The limit of lists applies per span of this length, milliseconds. A quiet hour therefore leaves nothing for a later
 * flood.
 */
const spanMs = 360_000;
const maxCharactersOfSpan = (maxCharactersAnHour * spanMs) / hourMs;
/** Characters that may arrive immediately in a span; the rest is spread evenly over it. */
const charactersAtOnce = 2_000_000;
const charactersEachMs = (maxCharactersOfSpan - charactersAtOnce) / spanMs;
/** Added to the count of each row, characters: it is in several indexes. */
const charactersOfRow = 1_000;
/** Minimum count of a page that is not the last, characters: reading it takes time, too. */
const leastCharactersOfPage = 20_000;

/**
 * Counts the events that are sent to an account's inboxes. True: the account's own apps have exceeded the hourly limit.
 */
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

/** The limit of lists on an account's own servers. The rest of a list is read later, from the same position. */
export interface ListAllowance {
  /** True: this process knows that the limit is reached. @param now the store's time, milliseconds */
  isUsedUp(now: number): boolean;
  /**
   * When the calling inbox may read next, after the account's other inboxes, milliseconds, the store's time; 0: now.
   */
  nextTurn(now: number): number;
  /** Counts the result of one poll. */
  count(brought: Brought): Promise<void>;
}

/** The result of one poll of a list. */
export interface Brought {
  facts: readonly InboxUpdate[];
  /** Number of rows written for them. */
  rows: number;
  /** True: the list has more pages. */
  isMore: boolean;
  /** The store's time, milliseconds. */
  now: number;
}

/** For lists on the network's own servers: no limit. */
export const unboundedLists: ListAllowance = { isUsedUp: () => false, nextTurn: () => 0, count: async () => {} };

/** The pause of an account above its even rate. Milliseconds, the store's time. */
interface Rest {
  /** End of the pause. */
  until: number;
  /** The last turn given to one of its inboxes. Without turns one inbox would read and the others never. */
  lastTurn: number;
  /** Time between two turns. */
  everyMs: number;
}

/** @returns a function that returns an account's allowance */
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
