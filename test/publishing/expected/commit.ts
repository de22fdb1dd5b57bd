import type { AccountRules } from "./account-rules.ts";
import { type Heard, hear } from "./answers.ts";
import { lookFor } from "./looks.ts";
import { putOff } from "./patience.ts";
import { doneAfter, nthOf, type Row } from "./rows.ts";
import { isDone, type Walk } from "./walk.ts";

/** What becomes of a post; `tables.ts` says what the numbers mean. */
export interface Outcome {
  ends: string;
  sent: number;
  looked: number;
  seconds: number;
  there: number;
}

export interface Circumstances {
  /** What happens to the requests that publish it. */
  commits: Row;
  /** And to those that look for it. @default nothing */
  looks?: Row;
  /** @default false */
  hasPicture?: boolean;
  /** How much later than it is carried out it is shown, seconds. @default 0 */
  shownAfterSeconds?: number;
}

/** How it ends; null: it goes on. */
type Ending = string | null;

/** Follows a post from its creation until it has settled. */
export function follow(rules: AccountRules, circumstances: Circumstances): Outcome {
  const { commits, looks = [], hasPicture = false, shownAfterSeconds = 0 } = circumstances;
  const firstAt = hasPicture ? (rules.firstWithPictureSeconds ?? 0) : 0;
  const walk: Walk = {
    rules,
    commits,
    looks,
    hasPicture,
    shownAfterSeconds,
    now: firstAt,
    putOffAt: firstAt > 0 ? 0 : null,
    putOffs: firstAt > 0 ? 1 : 0,
    sent: 0,
    looked: 0,
    done: [],
    absences: 0,
    mayComeUntil: [],
    isRenewed: false,
    isTokenFresh: false,
  };
  let ends: Ending = null;
  while (ends === null) ends = publish(walk);
  return { ends, sent: walk.sent, looked: walk.looked, seconds: walk.now, there: countThere(walk) };
}

/** What the network has said yes to is looked at after this, where it works on a film, seconds. */
export const filmSeconds = 5;

/** Makes the request that publishes, and does what follows from its answer. */
function publish(walk: Walk): Ending {
  const { rules, sent, now: sentAt } = walk;
  // Each further request begins where the upload is.
  if (rules.foundBy === "upload" && sent > 0) walk.looked += 1;
  const heard = send(walk);
  if (heard.is === "renew") return renew(walk);
  walk.isRenewed = false;
  if (heard.is === "yes") return published(walk);
  if (heard.is === "not sent") return again(walk, null);
  if (heard.is === "later") return again(walk, heard.until);
  if (heard.is === "refused") return fail(walk, heard.code);
  const lastAt = rules.replaySeconds === undefined ? sentAt : replay(walk, sentAt, sentAt + rules.replaySeconds);
  return lastAt === null ? "published" : afterLoss(walk, sentAt, lastAt);
}

function send(walk: Walk): Heard {
  walk.sent += 1;
  const { rules, now, sent } = walk;
  const { hardEndSeconds, yes = "body" } = rules;
  const incident = nthOf(walk.commits, sent);
  const after = doneAfter(incident);
  // A second request under the same key is refused as such, which says that the first one was carried out.
  if (after !== null && rules.foundBy === "key" && isDone(walk)) return { is: "lost", afterSeconds: 0 };
  if (after !== null) walk.done.push(now + after);
  const heard = hear(incident, { rules, now, hardEndSeconds, yes });
  if (heard.is === "yes" || heard.is === "lost") walk.now += heard.afterSeconds;
  return heard;
}

function published(walk: Walk): Ending {
  if (walk.rules.foundBy === "upload") {
    walk.looked += 1;
    walk.now += filmSeconds;
  }
  return "published";
}

/** Credentials are renewed, and the request is made again at once; if that is refused as well, after a pause, when they may be renewed anew. */
function renew(walk: Walk): Ending {
  walk.isRenewed = !walk.isRenewed;
  if (walk.isRenewed || putOff(walk, { isLogin: true })) return null;
  return fail(walk, "reauthentication_required");
}

function again(walk: Walk, until: number | null): Ending {
  return putOff(walk, { until }) ? null : fail(walk, "network_error");
}

/** From one repetition under a key to the next, seconds. */
export const betweenReplaysSeconds = 5;

/**
 * The request is repeated under its key, at once and every 5 s, for as long as
 * the network knows the key.
 *
 * @returns when it was last made; null: the network has said yes
 */
function replay(walk: Walk, sentAt: number, until: number): number | null {
  let lastAt = sentAt;
  for (let next = walk.now; next <= until; next = walk.now + betweenReplaysSeconds) {
    walk.now = next;
    lastAt = next;
    const heard = send(walk);
    if (heard.is === "yes") return null;
    // That says nothing of the request before.
    if (heard.is === "refused" || heard.is === "renew") break;
  }
  return lastAt;
}

/** From the moment at which a request is noted it is sent within this, or not at all, seconds. */
const sendWithinSeconds = 5;
/** So often a post that was absent is sent again; under a key that stays for ever, for as long as there is patience. */
const repetitions = 2;

/** The answer is lost: nothing is sent again before it is known that the post is absent. */
function afterLoss(walk: Walk, sentAt: number, lastAt: number): Ending {
  const hardEnd = lastAt + sendWithinSeconds + walk.rules.hardEndSeconds;
  const found = lookFor(walk, { sentAt, hardEnd });
  if (found === "there") return "published";
  if (found === "nobody can tell") return "timeout";
  walk.absences += 1;
  if (walk.rules.foundBy === "key") walk.mayComeUntil.push(hardEnd + settleUnderKeySeconds);
  else if (walk.absences > repetitions) return "network_error";
  return again(walk, null);
}

/** For how long after its hard end a request under a key may still come, seconds. */
const settleUnderKeySeconds = 30;

/** What one look decided at once is looked for once more before anybody says that it is not there. */
function fail(walk: Walk, code: string): Ending {
  for (const until of walk.mayComeUntil) {
    walk.now = Math.max(walk.now, until);
    walk.looked += 1;
    if (isDone(walk)) return "published";
  }
  return code;
}

/** Of requests that the network takes once, or knows by their key, one post is there. */
function countThere({ rules, done }: Walk): number {
  const { foundBy, isTakenOnce = foundBy === "key" || foundBy === "container", replaySeconds = 0 } = rules;
  if (done.length === 0) return 0;
  const first = Math.min(...done);
  return 1 + (isTakenOnce ? 0 : done.filter((at) => at > first + replaySeconds).length);
}
