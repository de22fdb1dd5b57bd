import type { Clock } from "../../src/ports/clock.ts";
import type { Finding } from "../support/verdict.ts";
import { keyOfFirstPart } from "./arena-world.ts";
import type { Venue } from "./venue.ts";

/** When posts were to go out and when they did, by the arena's own clock: it asks no process and no store. */
export interface Timetable {
  /** The line to the networks, with somebody on it who notes what comes by. */
  http: typeof fetch;
  /** This post is to go out then. */
  schedule(key: string, at: number): void;
  noteMade(key: string): void;
  /** How many posts have been made. */
  made(): number;
  /** What went out before its time, and how late the others were, the latest last. */
  judge(): { findings: { key: string; finding: Finding }[]; lateMs: number[] };
}

/** The store's clock and this one are read in two processes, and differences grow with the speed, milliseconds. */
const toleranceMs = 1_000;
/** What is due this soon when it is made goes out at once, milliseconds (spec: scheduled_at). */
const soonestScheduleMs = 60_000;

export function createTimetable({ http, isCommit }: Pick<Venue, "http" | "isCommit">, clock: Clock): Timetable {
  const times = new Map<string, number>();
  const made = new Map<string, number>();
  const seen = new Map<string, number>();

  function judgeOne(key: string, at: number): { finding: Finding } | { lateMs: number } | null {
    const madeAt = made.get(key);
    const wentOutAt = seen.get(key);
    // It may have been made late: whoever was to make it was killed, and another one was told.
    if (madeAt === undefined || wentOutAt === undefined || at - soonestScheduleMs <= madeAt) return null;
    if (wentOutAt >= at - toleranceMs) return { lateMs: wentOutAt - at };
    const message = `it went out ${Math.round((at - wentOutAt) / 1_000)} s before its time`;
    return { finding: { what: "untrue", message } };
  }

  return {
    async http(input, init) {
      const { method = "GET", headers } = init ?? {};
      if (isCommit({ method, url: String(input), headers: new Headers(headers) })) {
        const body = new TextDecoder().decode(await new Response(init?.body).arrayBuffer());
        const key = keyOfFirstPart(body);
        if (key !== null && !seen.has(key)) seen.set(key, clock.now());
      }
      return http(input, init);
    },
    schedule: (key, at) => void times.set(key, at),
    noteMade(key) {
      if (!made.has(key)) made.set(key, clock.now());
    },
    made: () => made.size,
    judge() {
      const verdicts = [...times].flatMap(([key, at]) => {
        const verdict = judgeOne(key, at);
        return verdict === null ? [] : [{ key, ...verdict }];
      });
      const findings = verdicts.flatMap((verdict) => ("finding" in verdict ? [verdict] : []));
      const late = verdicts.flatMap((verdict) => ("lateMs" in verdict ? [verdict.lateMs] : []));
      return { findings, lateMs: late.sort((one, other) => one - other) };
    },
  };
}
