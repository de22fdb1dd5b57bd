import type { Clock } from "../ports/clock.ts";

/** The ports for reading a file. */
export interface MediaHttp {
  /** The guarded `fetch`, for URLs from users. */
  http: typeof fetch;
  clock: Clock;
}
