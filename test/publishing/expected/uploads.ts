import type { AccountRules, RepeatedRequest } from "./account-rules.ts";
import { ask } from "./ask.ts";
import { videoSeconds } from "./commit.ts";
import { type Patience, putOff } from "./patience.ts";
import { nthOf, type Row } from "./rows.ts";

interface Asking extends Patience {
  rules: AccountRules;
  /** Requests so far. */
  asked: number;
}

/** Postpones the upload of an image like the post itself; then the post goes out. */
export function cellOfUpload(rules: AccountRules, request: RepeatedRequest, row: Row): string {
  const walk = begin(rules, 0);
  for (;;) {
    const heard = ask(walk, request, () => nextOf(walk, row));
    if (heard.is === "yes") return `published ${walk.asked} 1 ${walk.now + untilLive(rules)} 1`;
    if (heard.is === "refused") return `${heard.code} ${walk.asked} 0 ${walk.now} 0`;
    if (!putOff(walk, { until: heard.is === "later" ? heard.until : null }))
      return `network_error ${walk.asked} 0 ${walk.now} 0`;
  }
}

/** How long a live post waits for its settings, seconds. */
const confirmSeconds = 120;

/** Postpones the settings of a live post for two minutes at most. They never fail the post. */
export function cellOfConfirm(rules: AccountRules, request: RepeatedRequest, row: Row): string {
  const walk = begin(rules, untilLive(rules));
  for (;;) {
    const heard = ask(walk, request, () => nextOf(walk, row));
    const isOver = walk.putOffAt !== null && walk.now >= walk.putOffAt + confirmSeconds;
    if (heard.is === "yes" || heard.is === "refused" || isOver) return `published 1 ${walk.asked} ${walk.now} 1`;
    putOff(walk, { until: heard.is === "later" ? heard.until : null });
  }
}

/** From the publishing request until the post is live, seconds. */
function untilLive({ foundBy }: AccountRules): number {
  return foundBy === "upload" ? videoSeconds : 0;
}

function begin(rules: AccountRules, now: number): Asking {
  return { rules, now, asked: 0, putOffAt: null, putOffs: 0 };
}

function nextOf(walk: Asking, row: Row) {
  walk.asked += 1;
  return nthOf(row, walk.asked);
}
