import type { BudgetCost } from "../networks/contract/budgets.ts";
import type { Turn } from "./turn.ts";

/** What a look at a list has found. */
export interface Look<Found> {
  found: Found;
  /** Minimum time to the list's next look, because other inboxes share its budget, milliseconds; 0: none. */
  paceMs: number;
}

/**
 * Looks at a list. Its requests are counted before they are sent: a process that ends has rather counted too many.
 *
 * @throws BudgetUsedUp, and what `look` throws
 */
export async function paidLook<Found>(
  { reader, budgets }: Pick<Turn, "reader" | "budgets">,
  { cost }: { cost?: BudgetCost },
  isBackfill: boolean,
  look: () => Promise<Found>,
): Promise<Look<Found>> {
  if (cost === undefined) return { found: await look(), paceMs: 0 };
  const { counting } = await reader();
  const reservation = await budgets.reserve(cost, { isBackfill });
  try {
    return { found: await counting(reservation.takeRequest, look), paceMs: reservation.paceMs };
  } finally {
    await reservation.end();
  }
}
