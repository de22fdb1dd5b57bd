import { budgetKey, windowAt } from "../../src/networks/runtime/budgets.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { openToyLists } from "../support/toy-lists.ts";

/** A process may end with each request of a list. Null: the budget has each counted by then. */
export async function countedBudget(): Promise<string | null> {
  const clock = manualClock();
  const storage = memoryStorage({ clock });
  const seconds = 86_400;
  let requests = 0;
  let finding: string | null = null;
  async function onRequest({ path }: { path: string }): Promise<void> {
    if (path !== "/messages") return;
    requests += 1;
    const now = clock.now();
    const window = windowAt({ seconds }, now);
    const key = budgetKey("units", { network: "mastodon", id: "app-1" }, window);
    const counted = await storage.increment({ key, by: 0, now, expiresAt: window.until });
    if (counted < requests) finding ??= `budget: ${requests} requests were sent, and ${counted} were counted`;
  }
  const toy = await openToyLists({
    budgets: [{ name: "units", per: "app", limit: 10_000, seconds }],
    cost: { budget: "units", units: 1 },
    storage,
    clock,
    onRequest,
  });
  for (let count = 0; count < 9; count++) toy.write("account-1", `no. ${count}`);
  await clock.run(() => toy.social.start());
  await clock.advance(600_000);
  await clock.run(() => toy.social.stop());
  return finding;
}
