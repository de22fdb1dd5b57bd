import type { AccountRules, Yes } from "./account-rules.ts";
import type { Incident } from "./rows.ts";

/** What is known of a request once it is over. */
export type Heard =
  | { is: "yes"; afterSeconds: number }
  /** It certainly never left. */
  | { is: "not sent" }
  /** Nobody knows whether it was carried out: no answer, or one that says nothing. */
  | { is: "lost"; afterSeconds: number; by?: "an empty answer" | "429" }
  /** Nothing was done. `until`: seconds since the post was created; null: nobody says. */
  | { is: "later"; until: number | null }
  | { is: "refused"; status: number; code: string }
  /** Nothing was done, and the credentials must be renewed. */
  | { is: "renew" };

interface Listener {
  rules: AccountRules;
  /** Seconds since the post was created. */
  now: number;
  hardEndSeconds: number;
  yes: Yes;
  /** A 500 may be the fault of a file in it. @default false */
  holdsFile?: boolean;
}

/** What the request hears to which this happens. */
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
  // Where parts of a second are not told, one more is waited.
  return { is: "later", until: limitTold === "until when" ? seconds : seconds + 1 };
}

const daySeconds = 86_400;

/** The post is created at noon, UTC. */
function nextMidnight(now: number): number {
  const sinceMidnight = now + daySeconds / 2;
  return (Math.floor(sinceMidnight / daySeconds) + 1) * daySeconds - daySeconds / 2;
}

/** On a page nobody knows whose words they are, so that only a 401 may be believed. */
function refused({ status, as }: Extract<Incident, { what: "a refusal" }>, { on401 }: AccountRules): Heard {
  const means = status === 401 ? on401[as] : as === "page" ? "lost" : "rejected";
  if (means === "lost") return lostAtOnce;
  if (means === "renew") return { is: "renew" };
  return { is: "refused", status, code: means === "reconnect" ? "reauthentication_required" : "rejected_by_network" };
}
