import { ask } from "./ask.ts";
import { nthOf } from "./rows.ts";
import { isDone, type Walk } from "./walk.ts";

/** A request whose response is lost: when it was sent, and when it is over. */
interface Lost {
  sentAt: number;
  hardEnd: number;
}

/** From an inconclusive look to the next, seconds. */
const untilToldSeconds = 30;
/** A refused look is repeated until this long after the request, seconds. */
const refusedCapSeconds = 72 * 3_600;

/**
 * Looks for a post until its outcome is known. The first look comes when hard
 * end and settle window are over; where there is no window, immediately. Two
 * looks that find nothing make it absent; where there is no window, one.
 */
export function lookFor(walk: Walk, { sentAt, hardEnd }: Lost): "there" | "absent" | "nobody can tell" {
  const { foundBy, betweenLooksSeconds = 0, capSeconds = 0 } = walk.rules;
  if (foundBy === "nothing") return "nobody can tell";
  const settleSeconds = settleSecondsOf(walk);
  if (settleSeconds > 0) walk.now = Math.max(walk.now, hardEnd + settleSeconds);
  let left = settleSeconds > 0 ? 2 : 1;
  for (;;) {
    const seen = look(walk);
    if (seen.is === "there" || seen.is === "nobody can tell") return seen.is;
    if (seen.is === "absent") {
      left -= 1;
      if (left === 0) return "absent";
      walk.now += betweenLooksSeconds;
      continue;
    }
    const giveUpAt = seen.is === "refused" ? sentAt + refusedCapSeconds : hardEnd + capSeconds;
    if (walk.now >= giveUpAt) return "nobody can tell";
    const next = seen.is === "refused" ? afterRefusal(walk, sentAt, seen.until) : walk.now + untilToldSeconds;
    walk.now = Math.min(next, giveUpAt);
    // No request is made with a connection that has ended.
    if (seen.is === "refused" && seen.until === Number.POSITIVE_INFINITY) return "nobody can tell";
  }
}

function settleSecondsOf({ rules: { settleSeconds, settleWithPictureSeconds }, hasPicture }: Walk): number {
  return hasPicture ? (settleWithPictureSeconds ?? settleSeconds) : settleSeconds;
}

/**
 * When the network says; else after a quarter of the time since the request, but at least 5 min
 * and at most an hour.
 */
function afterRefusal({ now }: Walk, sentAt: number, until: number | null): number {
  if (until !== null) return Math.max(until, now + untilToldSeconds);
  return now + Math.min(Math.max((now - sentAt) / 4, 300), 3_600);
}

type Seen =
  | { is: "there" | "absent" | "nobody can tell" }
  /** The network was not reached, or its response is inconclusive. */
  | { is: "not told" }
  /** Refused: the next look may come at `until`; null: not named; infinity: when the profile is reconnected. */
  | { is: "refused"; until: number | null };

function look(walk: Walk): Seen {
  const heard = ask(walk, { yes: "body", holdsFile: false }, () => {
    walk.looked += 1;
    return nthOf(walk.looks, walk.looked);
  });
  if (heard.is === "yes") return whatIsShown(walk);
  if (heard.is === "later") return { is: "refused", until: heard.until };
  // A 429 certainly refuses a look, even where it does not certainly refuse a post.
  if (heard.is === "lost" && heard.by === "429") return { is: "refused", until: null };
  if (heard.is !== "refused") return { is: "not told" };
  if (heard.status === 404) return { is: "nobody can tell" };
  return { is: "refused", until: heard.code === "reauthentication_required" ? Number.POSITIVE_INFINITY : null };
}

function whatIsShown(walk: Walk): Seen {
  const { rules, now, done, shownAfterSeconds } = walk;
  if (!walk.isTokenFresh && now > (rules.tokenSeconds ?? Number.POSITIVE_INFINITY)) {
    // Refused because the credentials have expired; they are renewed, and the look is repeated.
    walk.looked += 1;
    walk.isTokenFresh = true;
  }
  // A read by key shows the post immediately.
  const delay = rules.foundBy === "key" ? 0 : shownAfterSeconds;
  if (done.some((at) => at + delay <= now)) {
    walk.looked += (rules.requestsToFind ?? 1) - 1;
    return { is: "there" };
  }
  return { is: rules.foundBy === "container" && isDone(walk) ? "not told" : "absent" };
}
