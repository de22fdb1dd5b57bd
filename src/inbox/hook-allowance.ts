import type { HookEvent } from "../networks/contract/hooks.ts";
import type { Storage } from "../storage/storage.ts";

const hourMs = 3_600_000;
/** What one inbox takes in an hour, characters of JSON: 50,000 events. */
const maxCharactersAnHour = 100_000_000;
/** An event counts as this many at least: its id is kept for a week. */
const leastCharacters = 2_000;

/** Counts what is sent to an inbox. True: it is more than an account may fill the store with by an app of its own. */
export async function exceedsAllowance(
  storage: Storage,
  inboxId: string,
  { events, now }: { events: readonly HookEvent[]; now: number },
): Promise<boolean> {
  const by = events.reduce((sum, { body }) => sum + Math.max(JSON.stringify(body).length, leastCharacters), 0);
  const hour = Math.floor(now / hourMs);
  const counter = { key: `hooks/${inboxId}/${hour}`, by, now, expiresAt: (hour + 1) * hourMs };
  return (await storage.increment(counter)) > maxCharactersAnHour;
}
