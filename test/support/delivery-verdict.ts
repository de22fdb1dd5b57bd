import { isDeepStrictEqual } from "node:util";
import Stripe from "stripe";
import type { Profile } from "../../src/profiles/schema.ts";
import type { Post } from "../../src/publishing/schema.ts";
import type { ReceivedDelivery } from "../../src/sandbox/receivers.ts";
import type { DeliveryRow, EndpointRow } from "../../src/webhooks/rows.ts";
import type { Settlement } from "./settlement-watch.ts";
import type { Finding } from "./verdict.ts";

/** What has happened in the end, and what one endpoint that is subscribed to everything was told of it. */
export interface DeliveryEvidence {
  /** As they are in the end. */
  posts: readonly Post[];
  settlements: readonly Settlement[];
  /** Those connected since the endpoint is there, each once; each has broken at most once. */
  profiles: readonly Pick<Profile, "id" | "status">[];
  endpoint: Pick<EndpointRow, "id"> & { secret: string };
  rows: readonly DeliveryRow[];
  received: readonly ReceivedDelivery[];
  /** How far the sender's clock may be off, seconds. */
  toleranceSeconds: number;
}

export interface DeliveryVerdict {
  findings: Finding[];
  deliveries: number;
  /** How often a receiver took what it had taken before: allowed, it arrives at least once. */
  again: number;
}

/** Attempts of a delivery that failed for good (spec: Webhook delivery). */
const maxAttempts = 7;

/** Compares what there was to tell with what was recorded, and that with what arrived. */
export function judgeDeliveries(evidence: DeliveryEvidence): DeliveryVerdict {
  const { rows, received } = evidence;
  const byId = new Map(rows.map((row) => [row.id, row]));
  const arrivals = new Map<string, ReceivedDelivery[]>();
  for (const each of received) arrivals.set(each.id, [...(arrivals.get(each.id) ?? []), each]);
  const strangers = [...arrivals.keys()].filter((id) => !byId.has(id));
  const findings = [
    ...judgeRecords(evidence),
    ...rows.flatMap((row) => judgeEnd(row, arrivals.get(row.id) ?? [])),
    ...rows.flatMap((row) => (arrivals.get(row.id) ?? []).flatMap((each) => judgeArrival(row, each, evidence))),
    ...strangers.map((id) => finding("untrue", `${id} was delivered and is not in the store`)),
  ];
  return { findings, deliveries: rows.length, again: received.length - arrivals.size };
}

/** One record for everything that happened, and none besides. */
function judgeRecords({ posts, settlements, profiles, rows }: DeliveryEvidence): Finding[] {
  const owed = new Map<string, Post | null>();
  for (const { id, status, updated_at } of settlements) {
    // A second one, from late evidence, may be of the same millisecond.
    const post = posts.find((each) => each.id === id && each.updated_at === updated_at && each.status === status);
    owed.set(`post.${status} of ${id} at ${updated_at}`, post ?? null);
  }
  for (const { id, status } of profiles) {
    owed.set(`profile.connected of ${id}`, null);
    if (status !== "connected") owed.set(`profile.${status} of ${id}`, null);
  }
  const seen = new Set<string>();
  const findings = rows.flatMap((row) => {
    const { what, delivered } = subjectOf(row);
    if (seen.has(what)) return [finding("twice", `there are two deliveries of ${what}`)];
    seen.add(what);
    const post = owed.get(what);
    if (post === undefined) return [finding("untrue", `there is a delivery of ${what}, which did not happen`)];
    return post === null || isDeepStrictEqual(delivered, plain(post))
      ? []
      : [finding("untrue", `${what} tells of another post than there is: ${JSON.stringify(delivered)}`)];
  });
  const missing = [...owed.keys()].filter((what) => !seen.has(what));
  return [...findings, ...missing.map((what) => finding("lost", `there is no delivery of ${what}`))];
}

/** What a delivery is about, by its bytes. */
function subjectOf({ private: { body } }: DeliveryRow): { what: string; delivered: unknown } {
  const { type, data } = JSON.parse(body) as { type: string; data: { post?: Post; profile?: Profile } };
  const { post, profile } = data;
  const what = post === undefined ? `${type} of ${profile?.id}` : `${type} of ${post.id} at ${post.updated_at}`;
  return { what, delivered: post };
}

/** As it looks on the wire. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function judgeEnd({ id, status, attempts, due_at }: DeliveryRow, arrived: readonly ReceivedDelivery[]): Finding[] {
  if (status === "pending") return [finding("stuck", `${id} is still pending after ${attempts} attempts`)];
  if (due_at !== null) return [finding("untrue", `${id} is ${status} and due all the same`)];
  if (status === "delivered" && arrived.length === 0) return [finding("lost", `${id} is delivered, says the store`)];
  if (status === "failed" && attempts !== maxAttempts) return [finding("lost", `${id} failed after ${attempts}`)];
  return [];
}

function judgeArrival(
  { id, event, created_at, private: { body } }: DeliveryRow,
  arrived: ReceivedDelivery,
  { endpoint, toleranceSeconds }: DeliveryEvidence,
): Finding[] {
  if (arrived.body !== body) return [finding("untrue", `${id} arrived with other bytes: ${arrived.body}`)];
  const head = JSON.parse(body) as Record<string, unknown>;
  const isConsistent = head.id === id && head.type === event && head.created_at === created_at;
  const isAddressed = arrived.event === event && arrived.webhook_id === endpoint.id;
  if (!isConsistent || !isAddressed) return [finding("untrue", `${id} contradicts itself: ${JSON.stringify(arrived)}`)];
  const complaint = complaintOfStripe(arrived, endpoint.secret, toleranceSeconds);
  return complaint === null ? [] : [finding("untrue", `the signature of ${id}: ${complaint}`)];
}

/** Somebody else's verifier: the `stripe` package's. */
function complaintOfStripe({ body, signature, at }: ReceivedDelivery, secret: string, tolerance: number) {
  try {
    Stripe.webhooks.constructEvent(body, signature, secret, tolerance, undefined, at);
    return null;
  } catch (error) {
    return String(error);
  }
}

function finding(what: Finding["what"], message: string): Finding {
  return { what, message };
}
