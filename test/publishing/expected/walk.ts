import type { AccountRules } from "./account-rules.ts";
import type { Patience } from "./patience.ts";
import type { Row } from "./rows.ts";

/** One post on its way. */
export interface Walk extends Patience {
  rules: AccountRules;
  /** What happens to the requests that publish it, and to those that look for it. */
  commits: Row;
  looks: Row;
  hasPicture: boolean;
  /** How much later than it is carried out it is shown, seconds. */
  shownAfterSeconds: number;
  /** Requests that publish. */
  sent: number;
  /** Requests that ask what became of it. */
  looked: number;
  /** When the network carries requests out. */
  done: number[];
  /** How often it was certainly not there. */
  absences: number;
  /** Until when it could have come all the same, of each absence that one look decided. */
  mayComeUntil: number[];
  /** The credentials were renewed for the request before. */
  isRenewed: boolean;
  /** The credentials have ended, and were renewed. */
  isTokenFresh: boolean;
}

/** The network has carried a request out by now. */
export function isDone({ done, now }: Walk): boolean {
  return done.some((at) => at <= now);
}
