import type { AccountRules } from "./account-rules.ts";
import type { Patience } from "./patience.ts";
import type { Row } from "./rows.ts";

/** One simulated post with its state so far. */
export interface Walk extends Patience {
  rules: AccountRules;
  /** The incidents of the requests that publish it, and of those that look for it. */
  commits: Row;
  looks: Row;
  hasPicture: boolean;
  /** How long after being carried out reads show it, seconds. */
  shownAfterSeconds: number;
  /** The number of publishing requests. */
  sent: number;
  /** The number of requests that looked for it. */
  looked: number;
  /** When the network carries requests out. */
  done: number[];
  /** How often it was known to be absent. */
  absences: number;
  /** Until when it could still have appeared, for each absence that one look decided. */
  mayComeUntil: number[];
  /** True: the credentials were renewed for the previous request. */
  isRenewed: boolean;
  /** True: the credentials have expired, and were renewed. */
  isTokenFresh: boolean;
}

/** True: the network has carried a request out by now. */
export function isDone({ done, now }: Walk): boolean {
  return done.some((at) => at <= now);
}
