import type { FaultKind } from "../../src/sandbox/faults.ts";
import type { IntentState } from "../../src/sending/intent.ts";

/** Something that is under way when a version leaves its store: one post on one account. */
export interface LeftCase {
  name: string;
  network: "bluesky" | "mastodon" | "discord";
  /** An account of which nobody can tell what is on it. */
  isWebhook?: true;
  texts: readonly string[];
  hasPicture?: true;
  /** Milliseconds from now; absent: it goes out at once. */
  scheduledMs?: number;
  /** What becomes of the requests that publish. @default they are carried out and answered */
  fault?: FaultKind;
  /** The first of them that goes wrong. @default 1 */
  faultFrom?: number;
  /** The network refuses everything for this long. */
  limitSeconds?: number;
  /** Its process dies when an intent is written in this state, or before or after a request that publishes; absent: never. */
  diesAt?: IntentState | "before_request" | "after_request";
  /** How its target ends when a later version goes on; and how often each of its parts stands on the network then. */
  ends: "published" | "failed";
  times: 0 | 1;
}

const networks = ["bluesky", "mastodon", "discord"] as const;

type Kind = Omit<LeftCase, "network" | "texts" | "name">;

const published = { ends: "published", times: 1 } as const;

/** By what the last word of the record is. */
const kinds: Readonly<Record<string, Kind>> = {
  "settled, its delivery is pending": published,
  "open, and live": { ...published, diesAt: "after_request" },
  "open, and not sent": { ...published, diesAt: "before_request" },
  "open with a file, and not sent": { ...published, hasPicture: true, diesAt: "before_request" },
  "not sent": { ...published, fault: { kind: "not_sent", code: "ECONNREFUSED" }, diesAt: "not_sent" },
  "put off": { ...published, limitSeconds: 60, diesAt: "later" },
  accepted: { ...published, diesAt: "accepted" },
  "unknown, and live": { ...published, fault: { kind: "drop_after" }, diesAt: "unknown" },
  "unknown, and absent": { ...published, fault: { kind: "drop_before" }, diesAt: "unknown" },
  "found live": { ...published, fault: { kind: "drop_after" }, diesAt: "live" },
  "found absent": { ...published, fault: { kind: "drop_before" }, diesAt: "absent" },
  scheduled: { ...published, scheduledMs: 2 * 3_600_000 },
};

const refusals: Readonly<Record<LeftCase["network"], FaultKind>> = {
  bluesky: { kind: "refuse", answer: { status: 400, json: { error: "InvalidRequest", message: "Not like this." } } },
  mastodon: { kind: "refuse", answer: { status: 422, json: { error: "Validation failed: not like this" } } },
  discord: { kind: "refuse", answer: { status: 400, json: { code: 50035, message: "Invalid Form Body" } } },
};

const others: readonly LeftCase[] = [
  {
    ...published,
    name: "a thread in its middle",
    network: "mastodon",
    texts: ["one", "two", "three"].map((part) => textOf("mastodon", `thread ${part}`)),
    fault: { kind: "drop_after" },
    faultFrom: 2,
    diesAt: "unknown",
  },
  {
    name: "undecided",
    network: "discord",
    isWebhook: true,
    texts: [textOf("discord", "undecided")],
    fault: { kind: "drop_after" },
    diesAt: "undecided",
    ends: "failed",
    times: 1,
  },
];

export const leftCases: readonly LeftCase[] = [
  ...networks.flatMap((network) => [
    ...Object.entries(kinds).map(([name, kind]) => ({ ...kind, name, network, texts: [textOf(network, name)] })),
    refused(network),
  ]),
  ...others,
];

function refused(network: LeftCase["network"]): LeftCase {
  const texts = [textOf(network, "refused")];
  return { name: "refused", network, texts, fault: refusals[network], diesAt: "refused", ends: "failed", times: 0 };
}

/** Enough words of its own to be known again. */
function textOf(network: string, name: string): string {
  const words = Array.from({ length: 8 }, (_, number) => `${network}${name.replace(/\W/g, "")}${number}`);
  return words.join(" ");
}
