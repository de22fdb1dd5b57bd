import type { EndpointRow } from "../../src/webhooks/rows.ts";
import type { Finding } from "../support/verdict.ts";
import type { DeliveryLog, RecordedAttempt, SentRequest } from "./delivery-log.ts";

/** Waits after failed attempts, milliseconds; jitter makes them longer by a tenth at most (spec: Webhook delivery). */
const waitsMs = [60_000, 300_000, 1_800_000, 7_200_000, 21_600_000, 86_400_000] as const;
const maxLateness = 1.1;
export const maxAtOnce = 8;

/** What attempts must keep to, whatever happens. */
export interface AttemptRules {
  /** False: a process stood still, and sent what it had in hand when it went on. */
  isPunctual: boolean;
  /** True: nobody dies or stands still, so nothing is under way twice. */
  everybodyLives: boolean;
  /** How much longer than it should be a wait may be because a receiver asked for it, milliseconds. */
  askedMs: number;
  /** How much later an attempt may come because no alarm has announced it, milliseconds. */
  unseenMs: number;
}

export function judgeAttempts(log: DeliveryLog, rules: AttemptRules): Finding[] {
  const records = groupBy(log.records, ({ id }) => id);
  const requests = groupBy(log.requests, ({ id }) => id);
  const findings = [...records].flatMap(([id, each]) => judgeRecords(each, requests.get(id) ?? [], rules));
  if (rules.isPunctual) {
    findings.push(...[...requests].flatMap(([id, each]) => judgeEarliness(each, records.get(id) ?? [])));
  }
  if (!rules.everybodyLives) return findings;
  findings.push(...[...requests.values()].flatMap((each) => judgeOverlap(each)));
  findings.push(...[...requests].flatMap(([id, each]) => judgeLateness(each, records.get(id) ?? [], rules)));
  for (const [webhookId, each] of groupBy(log.requests, (request) => request.webhookId)) {
    const most = maxInFlight(each);
    if (most > maxAtOnce) findings.push({ what: "overlap", message: `${most} requests at once to ${webhookId}` });
  }
  return findings;
}

/** One after the other is counted, and what is said to be next is as far ahead as it must be. */
function judgeRecords(records: readonly RecordedAttempt[], requests: readonly SentRequest[], rules: AttemptRules) {
  return records.flatMap(({ id, attempts, due_at, process, at }, index): Finding[] => {
    const known = records[index - 1]?.attempts ?? 0;
    if (attempts !== known + 1) return [untrue(`attempt ${attempts} of ${id} was recorded after attempt ${known}`)];
    const end = Math.max(...requests.filter((each) => each.process === process && each.to <= at).map(({ to }) => to));
    // A process that stood still until the time for an attempt was over has sent nothing that the line could see end.
    if (due_at === null || !rules.isPunctual) return [];
    const waitMs = waitsMs[attempts - 1] ?? 0;
    const isFitting = due_at - end >= waitMs && due_at - end <= Math.max(waitMs, rules.askedMs) * maxLateness;
    return isFitting ? [] : [untrue(`attempt ${attempts + 1} of ${id} is to come ${due_at - end} ms after the last`)];
  });
}

function judgeEarliness(requests: readonly SentRequest[], records: readonly RecordedAttempt[]): Finding[] {
  return requests.flatMap(({ id, from, order }): Finding[] => {
    const last = records.filter((record) => record.order < order).at(-1);
    if (last === undefined || (last.due_at !== null && last.due_at <= from)) return [];
    return [untrue(`${id} was sent at ${from} though its next attempt is at ${last.due_at}`)];
  });
}

/** Only where endpoints are active throughout and receivers quick to refuse. */
function judgeLateness(requests: readonly SentRequest[], records: readonly RecordedAttempt[], rules: AttemptRules) {
  return requests.flatMap(({ id, from }, index): Finding[] => {
    const before = requests[index - 1];
    const waitMs = waitsMs[index - 1];
    if (before === undefined || waitMs === undefined || records[index - 1]?.status !== "pending") return [];
    const pause = from - before.to;
    if (pause <= Math.max(waitMs, rules.askedMs) * maxLateness + rules.unseenMs) return [];
    return [untrue(`attempt ${index + 1} of ${id} came ${pause} ms after the one before`)];
  });
}

function judgeOverlap(requests: readonly SentRequest[]): Finding[] {
  return maxInFlight(requests) < 2 ? [] : [{ what: "overlap", message: `${requests[0]?.id} was under way twice` }];
}

export function maxInFlight(requests: readonly SentRequest[]): number {
  const steps = requests.flatMap(({ from, to }) => [
    { at: from, by: 1 },
    { at: to, by: -1 },
  ]);
  steps.sort((one, other) => one.at - other.at || one.by - other.by);
  let now = 0;
  return steps.reduce((most, { by }) => {
    now += by;
    return Math.max(most, now);
  }, 0);
}

/** The endpoint's counter, counted again from what was recorded. */
export function judgeCounter(
  { id, consecutive_failures }: Pick<EndpointRow, "id" | "consecutive_failures">,
  records: readonly RecordedAttempt[],
): Finding[] {
  const failures = records.reduce((sum, { status }) => {
    if (status === "delivered") return 0;
    return status === "failed" ? sum + 1 : sum;
  }, 0);
  if (failures === consecutive_failures) return [];
  return [untrue(`${id} counts ${consecutive_failures} failed deliveries in a row, and there were ${failures}`)];
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

function untrue(message: string): Finding {
  return { what: "untrue", message };
}
