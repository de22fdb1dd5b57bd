import { mediaHost } from "../../src/sandbox/media-host.ts";
import { receiverHost } from "../../src/sandbox/receivers.ts";
import { type Operation, type Row, rowIdOf } from "../../src/storage/storage.ts";

/** Whose request it is: a profile's, an endpoint's, or one for a file. */
export function laneOfRequest({ url: address }: Pick<Request, "url">): string {
  const { hostname, pathname } = new URL(address);
  if (hostname === mediaHost) return `file ${pathname.slice(1)}`;
  if (hostname === receiverHost) return `endpoint ${pathname.slice(1)}`;
  if (hostname === "discord.com") return pathname.includes("/webhooks/") ? "discord webhook" : "discord bot";
  return laneOfHost(hostname) ?? "bluesky";
}

function laneOfHost(host: string): string | undefined {
  if (host.includes("look-alike")) return "mastodon look-alike";
  if (host.includes(".small.example")) return "small server";
  return host.startsWith("mastodon") ? "mastodon" : undefined;
}

/** Finds out whose a write is from the rows that it has seen. */
export function createWriteLanes(): (operations: readonly Operation[]) => string {
  const laneOfRow = new Map<string, string>();

  function learn({ collection, row }: Extract<Operation, { kind: "insert" }>): void {
    const owner = [row.profile_id, row.webhook_id, row.subject_id].map((id) => laneOfRow.get(String(id)));
    const lane =
      collection === "profiles"
        ? laneOfProfile(row)
        : collection === "endpoints"
          ? laneOfRequest(row as Row & { url: string })
          : owner.find(Boolean);
    if (lane !== undefined) laneOfRow.set(row.id, lane);
  }

  return (operations) => {
    for (const operation of operations) if (operation.kind === "insert") learn(operation);
    if (operations.some(({ kind, collection }) => kind === "insert" && collection === "posts")) return "posts";
    const found = operations.flatMap((operation) => laneOfRow.get(rowIdOf(operation)) ?? []);
    const profiles = new Set(found.filter((lane) => !lane.startsWith("endpoint")));
    const [lane] = profiles.size > 0 ? profiles : found;
    return lane === undefined || profiles.size > 1 ? "posts" : lane;
  };
}

function laneOfProfile({ network, external_id }: Row): string {
  const id = String(external_id);
  if (network === "bluesky") return "bluesky";
  if (network === "discord") return id.startsWith("webhook:") ? "discord webhook" : "discord bot";
  return laneOfHost(id) ?? "mastodon";
}

/**
 * How long requests and writes take, milliseconds. Each lane has its own
 * times, so that two lanes do nothing at the same moment: who of them is first
 * is then no chance.
 */
export function delaysOf(lane: string): { requestMs: number; writeMs: number } {
  const place = delays.findIndex(([start]) => lane.startsWith(start));
  return { requestMs: delays[place]?.[1] ?? 0, writeMs: place + 1 };
}

const delays: readonly (readonly [start: string, requestMs: number])[] = [
  ["bluesky", 97],
  ["mastodon look-alike", 131],
  ["mastodon", 173],
  ["small server", 211],
  ["discord bot", 257],
  ["discord webhook", 307],
  ["endpoint first", 353],
  ["endpoint second", 401],
];
