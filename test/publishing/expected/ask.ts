import type { AccountRules, RepeatedRequest } from "./account-rules.ts";
import { type Heard, hear } from "./answers.ts";
import type { Incident } from "./rows.ts";

/** When a request that makes nothing public is over, seconds. */
const hardEndSeconds = { withFile: 300, else: 20 };
/** Pauses before it is repeated, seconds. */
const pauses = [0.5, 2];

/**
 * Makes a request that makes nothing public. If it did not arrive or its
 * response was lost, it is repeated after 0.5 s and after 2 s more; if the
 * credentials must be renewed, immediately. An inconclusive response would come again.
 *
 * @param next counts the request, and returns its incident
 */
export function ask(
  walk: { rules: AccountRules; now: number },
  { holdsFile, yes, isRepeatedAtOnce = true }: RepeatedRequest,
  next: () => Incident,
): Heard {
  const hardEnd = holdsFile ? hardEndSeconds.withFile : hardEndSeconds.else;
  const left = isRepeatedAtOnce ? [...pauses] : [];
  for (;;) {
    const heard = hear(next(), { rules: walk.rules, now: walk.now, hardEndSeconds: hardEnd, yes, holdsFile });
    if (heard.is === "renew") continue;
    if (heard.is === "yes" || heard.is === "lost") walk.now += heard.afterSeconds;
    const isUnheard = heard.is === "not sent" || (heard.is === "lost" && heard.by !== "an empty answer");
    const pause = isUnheard ? left.shift() : undefined;
    if (pause === undefined) return heard;
    walk.now += pause;
  }
}
