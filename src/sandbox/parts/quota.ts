import type { Clock } from "../../ports/clock.ts";

/** How much may be asked. What is refused, and how the network says so, is the network's own. */
export interface Quota {
  /** It is used up for this long. */
  useUp(seconds: number): void;
  isUsedUp(): boolean;
  /** Until when it was used up last, milliseconds since 1970. */
  endsAt(): number;
  /** Until then, rounded up. */
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
