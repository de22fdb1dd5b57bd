import type { Clock } from "../../ports/clock.ts";

/** A request limit. What it rejects, and with which response, is up to the network. */
export interface Quota {
  /** Uses up the quota for this long. */
  useUp(seconds: number): void;
  isUsedUp(): boolean;
  /** The end of the last such period, milliseconds since 1970. */
  endsAt(): number;
  /** Seconds until that end, rounded up. */
  secondsLeft(): number;
}

export function createQuota(clock: Pick<Clock, "now">): Quota {
  let endsAt = 0;
  return {
    useUp(seconds) {
      endsAt = clock.now() + seconds * 1000;
    },
    isUsedUp: () => clock.now() < endsAt,
    endsAt: () => endsAt,
    secondsLeft: () => Math.max(0, Math.ceil((endsAt - clock.now()) / 1000)),
  };
}
