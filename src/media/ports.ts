import type { Clock } from "../ports/clock.ts";

/** What reading a file works with. */
export interface MediaHttp {
  /** For addresses that strangers gave us: the guard. */
  http: typeof fetch;
  clock: Clock;
}
