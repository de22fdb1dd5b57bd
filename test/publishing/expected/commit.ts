import type { AccountRules } from "./account-rules.ts";
import { type Heard, hear } from "./answers.ts";
import { lookFor } from "./looks.ts";
import { putOff } from "./patience.ts";
import { doneAfter, nthOf, type Row } from "./rows.ts";
import { isDone, type Walk } from "./walk.ts";

/** The outcome of a post; `tables.ts` explains the numbers. */
export interface Outcome {
  ends: string;
  sent: number;
  looked: number;
  seconds: number;
  there: number;
}

export interface Circumstances {
  /** The incidents of the requests that publish it. */
  commits: Row;
  /** The incidents of the requests that look for it. @default none */
  looks?: Row;
  /** @default false */
  hasPicture?: boolean;
  /** How long after being carried out reads show it, seconds. @default 0 */
  shownAfterSeconds?: number;
}

/** How it ends; null: it continues. */
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

/** When an accepted post is looked at, where the network processes a video, seconds. */
export const videoSeconds = 5;

/** Makes the request that publishes, and handles its response. */
function publish(walk: Walk): Ending {
  const { rules, sent, now: sentAt } = walk;
  // Each further request begins at the upload.
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
  // A second request under the same key is refused as such, which proves that the first one was carried out.
  if (after !== null && rules.foundBy === "key" && isDone(walk)) return { is: "lost", afterSeconds: 0 };
  if (after !== null) walk.done.push(now + after);
  const heard = hear(incident, { rules, now, hardEndSeconds, yes });
  if (heard.is === "yes" || heard.is === "lost") walk.now += heard.afterSeconds;
  return heard;
}

function published(walk: Walk): Ending {
  if (walk.rules.foundBy === "upload") {
    walk.looked += 1;
    walk.now += videoSeconds;
  }
  return "published";
}

/**
 * Renews credentials, and repeats the request immediately; if that is refused as well, after a
 * pause, when they may be renewed anew.
 */
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
 * Repeats the request under its key, immediately and every 5 s, for as long as
 * the network knows the key.
 *
 * @returns when it was last made; null: the network has accepted it
 */
function replay(walk: Walk, sentAt: number, until: number): number | null {
  let lastAt = sentAt;
  for (let next = walk.now; next <= until; next = walk.now + betweenReplaysSeconds) {
    walk.now = next;
    lastAt = next;
    const heard = send(walk);
    if (heard.is === "yes") return null;
    // That proves nothing about the request before.
    if (heard.is === "refused" || heard.is === "renew") break;
  }
  return lastAt;
}

/** A request is sent within this after it was recorded, or not at all, seconds. */
const sendWithinSeconds = 5;
/** How often an absent post is sent again; under a key that lasts for ever, until the retries end. */
const repetitions = 2;

/** Handles a lost response: nothing is sent again before the post is known to be absent. */
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

/** How long after its hard end a request under a key may still arrive, seconds. */
const settleUnderKeySeconds = 30;

/** Looks once more before an absence that one look decided is reported. */
function fail(walk: Walk, code: string): Ending {
  for (const until of walk.mayComeUntil) {
    walk.now = Math.max(walk.now, until);
    walk.looked += 1;
    if (isDone(walk)) return "published";
  }
  return code;
}

/** Counts one post for requests that the network accepts once, or knows by their key. */
function countThere({ rules, done }: Walk): number {
  const { foundBy, isTakenOnce = foundBy === "key" || foundBy === "container", replaySeconds = 0 } = rules;
  if (done.length === 0) return 0;
  const first = Math.min(...done);
  return 1 + (isTakenOnce ? 0 : done.filter((at) => at > first + replaySeconds).length);
}
