import type { AccountRules, Yes } from "./account-rules.ts";
import type { Incident } from "./rows.ts";

/** The knowledge about a request once it is over. */
export type Heard =
  | { is: "yes"; afterSeconds: number }
  /** It is known not to have left. */
  | { is: "not sent" }
  /** Its effect is unknown: no response, or an inconclusive one. */
  | { is: "lost"; afterSeconds: number; by?: "an empty answer" | "429" }
  /** The network did nothing. `until`: seconds since the post was created; null: not named. */
  | { is: "later"; until: number | null }
  | { is: "refused"; status: number; code: string }
  /** The network did nothing, and the credentials must be renewed. */
  | { is: "renew" };

interface Listener {
  rules: AccountRules;
  /** Seconds since the post was created. */
  now: number;
  hardEndSeconds: number;
  yes: Yes;
  /** True: a 500 may be caused by a file of the request. @default false */
  holdsFile?: boolean;
}

/** The response to a request with this incident. */
export function hear(incident: Incident, listener: Listener): Heard {
  const { hardEndSeconds, yes, holdsFile = false } = listener;
  const isBodyRead = yes === "body" || yes === "any body";
  switch (incident.what) {
    case "all goes well":
      return yesAtOnce;
    case "it never leaves":
      return { is: "not sent" };
    case "it is lost":
    case "an open status":
      return lostAtOnce;
    case "500":
      return holdsFile ? emptyAnswer : lostAtOnce;
    case "silence":
      return { is: "lost", afterSeconds: hardEndSeconds };
    case "a late yes":
      return yesWithin(hardEndSeconds, incident.seconds);
    case "a slow body":
      return isBodyRead ? yesWithin(hardEndSeconds, incident.seconds) : yesAtOnce;
    case "a broken body":
      return isBodyRead ? lostAtOnce : yesAtOnce;
    case "another yes":
      return yes === "any body" || yes === "status" ? yesAtOnce : emptyAnswer;
    case "429":
      return limited(incident, listener);
    case "a refusal":
      return refused(incident, listener.rules);
  }
}

const yesAtOnce: Heard = { is: "yes", afterSeconds: 0 };
const lostAtOnce: Heard = { is: "lost", afterSeconds: 0 };
const emptyAnswer: Heard = { is: "lost", afterSeconds: 0, by: "an empty answer" };

function yesWithin(hardEndSeconds: number, afterSeconds: number): Heard {
  if (afterSeconds < hardEndSeconds) return { is: "yes", afterSeconds };
  return { is: "lost", afterSeconds: hardEndSeconds };
}

function limited({ by, seconds }: Extract<Incident, { what: "429" }>, { rules, now }: Listener): Heard {
  const { limitTold, bare429 } = rules;
  if (by === "header" && bare429 === "lost") return { is: "lost", afterSeconds: 0, by: "429" };
  if (seconds === null) return { is: "later", until: bare429 === "tomorrow" ? nextMidnight(now) : null };
  if (by === "header" || limitTold === "for how long") return { is: "later", until: now + seconds };
  // Where the network names whole seconds only, one more second is waited.
  return { is: "later", until: limitTold === "until when" ? seconds : seconds + 1 };
}

const daySeconds = 86_400;

/** The post is created at noon, UTC. */
function nextMidnight(now: number): number {
  const sinceMidnight = now + daySeconds / 2;
  return (Math.floor(sinceMidnight / daySeconds) + 1) * daySeconds - daySeconds / 2;
}

/** An HTML page may come from a proxy, so only a 401 is believed. */
function refused({ status, as }: Extract<Incident, { what: "a refusal" }>, { on401 }: AccountRules): Heard {
  const means = status === 401 ? on401[as] : as === "page" ? "lost" : "rejected";
  if (means === "lost") return lostAtOnce;
  if (means === "renew") return { is: "renew" };
  return { is: "refused", status, code: means === "reconnect" ? "reauthentication_required" : "rejected_by_network" };
}
