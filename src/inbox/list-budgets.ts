import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { Budget, BudgetCost } from "../networks/contract/budgets.ts";
import type { Inbox } from "../networks/contract/inbox.ts";
import type { NetworkSpec } from "../networks/contract/spec.ts";
import {
  type BudgetHolder,
  budgetKey,
  expiryOf,
  type WindowAt,
  windowAt,
  windowBefore,
} from "../networks/runtime/budgets.ts";
import { wholeMs } from "../ports/clock.ts";
import type { Storage } from "../storage/storage.ts";
import type { Lease } from "../work/lease.ts";
import { evenPaceMs, type Share, sharesOf } from "./budget-shares.ts";
import type { BudgetState, InboxRow, InboxState } from "./rows.ts";

/** Requests that are reserved for one look at a list. */
const requestsOfLook = 3;
/** The part of the even pace after which an inbox that waits for a budget asks again. */
const askAgainPart = 0.1;
/** Minimum pause of an inbox that waits for a budget, milliseconds. */
const leastRestMs = 1_000;

/** The lists' share of a budget is used up. */
export class BudgetUsedUp extends Error {
  override readonly name = "BudgetUsedUp";
  /** When to ask again, milliseconds, the store's time. */
  readonly until: number;

  constructor(budget: string, until: number) {
    super(`The lists' share of the budget "${budget}" is used up.`);
    this.until = until;
  }
}

/** What an inbox's lists take from the network's budgets, which other inboxes share. */
export interface ListBudgets {
  /**
   * Reserves the requests of one look at a list.
   *
   * @throws BudgetUsedUp
   */
  reserve(cost: BudgetCost, options: { isBackfill: boolean }): Promise<Reservation>;
  /** The inbox's state with what its lists have taken. The same object: nothing new. */
  into(state: InboxState): InboxState;
}

/** Reserved requests. */
export interface Reservation {
  /** Takes one request from the reservation, before it is sent. Further ones are counted, too. */
  takeRequest(): Promise<void>;
  /** Gives back what was not taken. */
  end(): Promise<void>;
  /** Minimum time to the list's next look, milliseconds. */
  paceMs: number;
}

interface BudgetedInbox {
  storage: Storage;
  adapter: Pick<NetworkAdapter, "spec">;
  inbox: Inbox;
  row: InboxRow;
  lease: Lease;
}

export function createListBudgets({ storage, adapter, inbox, row, lease }: BudgetedInbox): ListBudgets {
  /** This inbox's, by the budget's name. Null: nothing has changed. */
  let changed: Record<string, BudgetState> | null = null;
  const stateOf = (name: string): BudgetState | undefined => (changed ?? row.private.budgets)?.[name];
  const change = (name: string, state: BudgetState): void => {
    changed = { ...(changed ?? row.private.budgets), [name]: state };
  };

  function begin({ budget: name }: BudgetCost): Look {
    const budget = (adapter.spec.budgets ?? []).find((each) => each.name === name);
    if (budget === undefined) throw new Error(`The budget "${name}" is not in the network's spec.`);
    const window = windowAt(budget, lease.now());
    const isFirst = stateOf(name)?.from !== window.from;
    if (isFirst) change(name, { from: window.from, spent: 0 });
    const add = (by: number, of: readonly string[], at = window): Promise<number> =>
      storage.increment({
        key: budgetKey(name, holderOf(budget, row), at, of),
        by,
        now: lease.now(),
        expiresAt: expiryOf(at),
      });
    return { budget, window, isFirst, add };
  }

  /** Counts this inbox's lists among those that use the budget. */
  async function countUsers({ budget, window, isFirst, add }: Look): Promise<{ lists: number; accounts: number }> {
    const ofAccount = ["users", row.account_id];
    const before = windowBefore(budget, window);
    const own = isFirst ? listsWith(inbox, budget.name) : 0;
    const lists = await add(own, ofAccount);
    const isFirstOfAccount = own > 0 && lists === own;
    const accounts = await add(isFirstOfAccount ? 1 : 0, ["users"]);
    const [listsBefore, accountsBefore] = await Promise.all([add(0, ofAccount, before), add(0, ["users"], before)]);
    return { lists: Math.max(lists, listsBefore), accounts: Math.max(accounts, accountsBefore, 1) };
  }

  return {
    into: (state) => (changed === null ? state : { ...state, budgets: changed }),
    async reserve(cost, { isBackfill }) {
      const look = begin(cost);
      const { budget, window, add } = look;
      const users = await countUsers(look);
      const units = cost.units * requestsOfLook;
      const use = { budget, window, accountId: row.account_id, accounts: users.accounts, isBackfill, units };
      const shares = sharesOf(use);
      const addToAll = (by: number): Promise<number[]> => Promise.all(shares.map(({ of }) => add(by, of)));
      const used = await addToAll(units);
      const now = lease.now();
      const paceMs = evenPaceMs(budget, window, { units: cost.units, ...users });
      const state = { from: window.from, spent: stateOf(budget.name)?.spent ?? 0 };
      if (shares.some((share, index) => (used[index] ?? 0) > share.mostAt(now))) {
        await addToAll(-units);
        const until = restEnd({ shares, used, window, now, paceMs });
        change(budget.name, { ...state, rests_until: until });
        throw new BudgetUsedUp(budget.name, until);
      }
      change(budget.name, state);
      let left = units;
      return {
        paceMs: wholeMs(Math.min(paceMs, window.until - window.from)),
        async takeRequest() {
          const { spent } = stateOf(budget.name) ?? state;
          change(budget.name, { ...state, spent: spent + cost.units });
          if (left < cost.units) await addToAll(cost.units);
          else left -= cost.units;
        },
        async end() {
          const unused = left;
          left = 0;
          if (unused > 0) await addToAll(-unused);
        },
      };
    },
  };
}

/** A budget, in its window. */
interface Look {
  budget: Budget;
  window: WindowAt;
  /** True: the first look of this inbox in the window. */
  isFirst: boolean;
  /** Adds to one of the budget's counters. @returns its new value */
  add(by: number, of: readonly string[], at?: WindowAt): Promise<number>;
}

function holderOf({ per }: Budget, { network, app_id, profile_id }: InboxRow): BudgetHolder {
  return { network, id: { app: app_id, profile: profile_id, address: null }[per] };
}

function listsWith({ sources, reread }: Inbox, budget: string): number {
  const lists = [...sources, ...(reread === undefined ? [] : [reread])];
  return lists.filter(({ cost }) => cost?.budget === budget).length;
}

/** The budgets from which the lists take. */
export function budgetsOf(inbox: Inbox, { budgets = [] }: Pick<NetworkSpec, "budgets">): Budget[] {
  return budgets.filter(({ name }) => listsWith(inbox, name) > 0);
}

/** When the inbox asks again. Not as soon as there is room for one of all that wait. */
function restEnd(given: {
  shares: readonly Share[];
  used: readonly number[];
  window: WindowAt;
  now: number;
  paceMs: number;
}): number {
  const { shares, used, window, now, paceMs } = given;
  const allowed = shares.map((share, index) => share.allows(used[index] ?? 0));
  const until = Math.max(...allowed, now + Math.max(leastRestMs, wholeMs(askAgainPart * paceMs)));
  return Math.max(now + leastRestMs, Math.min(until, window.until));
}
