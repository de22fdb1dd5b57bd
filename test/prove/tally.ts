import type { Finding } from "../support/verdict.ts";

/** What a phase found. */
export interface Tally {
  /** Posts that were published under attack; requests, in the phase `fuzz`; files, in the phase `media`. */
  tried: number;
  /** Processes that died. */
  kills: number;
  /** Requests whose answer nobody heard. */
  unanswered: number;
  /** Parts that are public more than once; idempotency keys that made two posts; outcomes that made two deliveries. */
  twice: number;
  /** Posts that are not there, or not whole; outcomes without a delivery; deliveries that never arrived. */
  lost: number;
  /** Posts and deliveries that never settled; requests without an answer; files that took over a second. */
  stuck: number;
  /** The store says something else than the network shows, or two requests were under way at once; answers that are not as the document says; files that made the reader fail or read too much. */
  wrong: number;
  /** Targets of which nobody can tell whether they are live, on networks that can be asked. */
  undecided: number;
  /** The same on servers where nobody could tell. */
  excused: number;
  /** Why, one each. */
  reasons: string[];
  /** The same where nobody can be asked: webhooks. */
  unknowable: number;
  /** Targets that say after several lost answers that the post is certainly not there, which is true. */
  givenUp: number;
  /** What was recorded for webhook endpoints, each to be delivered at least once. */
  deliveries: number;
  /** How often a receiver took what it had taken before. */
  again: number;
  /** The first findings, each with the run that it came from. */
  findings: string[];
  /** What was measured, in words. */
  notes: string[];
}

const maxFindings = 20;

type Count = Exclude<keyof Tally, "findings" | "notes" | "reasons">;

export function emptyTally(): Tally {
  return {
    tried: 0,
    kills: 0,
    unanswered: 0,
    twice: 0,
    lost: 0,
    stuck: 0,
    wrong: 0,
    undecided: 0,
    excused: 0,
    reasons: [],
    unknowable: 0,
    givenUp: 0,
    deliveries: 0,
    again: 0,
    findings: [],
    notes: [],
  };
}

export function addTally(sum: Tally, more: Partial<Tally>): void {
  const { findings = [], notes = [], reasons = [], ...counts } = more;
  for (const [name, count] of Object.entries(counts) as [Count, number][]) {
    sum[name] += count;
  }
  sum.notes.push(...notes);
  sum.reasons.push(...reasons);
  sum.findings.push(...findings.slice(0, maxFindings - sum.findings.length));
}

const columnOf = { twice: "twice", lost: "lost", stuck: "stuck", untrue: "wrong", overlap: "wrong" } as const;

/** Counts what was found in one run. */
export function addFindings(sum: Tally, run: string, findings: readonly Finding[]): void {
  for (const { what, message } of findings) {
    addTally(sum, { [columnOf[what]]: 1, findings: [`${run}: ${what}: ${message}`] });
  }
}

/** Each reason once, with how often it was given. */
export function countedReasons({ reasons }: Pick<Tally, "reasons">): string[] {
  const distinct = [...new Set(reasons)].sort();
  return distinct.map((reason) => `excused, ${reasons.filter((each) => each === reason).length} times: ${reason}`);
}

/** True when the promise held. */
export function isClean({ twice, lost, stuck, wrong, undecided, unanswered }: Tally): boolean {
  return twice + lost + stuck + wrong === 0 && undecided * 1_000 <= unanswered;
}
