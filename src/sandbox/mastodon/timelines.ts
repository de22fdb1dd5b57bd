import type { StoredStatus } from "./entities.ts";
import type { SandboxInstance } from "./instances.ts";
import type { InstanceWays } from "./ways.ts";

/** Ids sort by time; of an id that is not a number, the leading digits count. */
function toNumber(id: string): bigint {
  return BigInt(/^\d+/.exec(id)?.[0] ?? "0");
}

function newestFirst(a: StoredStatus, b: StoredStatus): number {
  return toNumber(a.id) < toNumber(b.id) ? 1 : -1;
}

/** The parameter for a position in a list, in the request for the next page. */
function placeName({ ignoresMaxId, omitsLinks }: InstanceWays): string {
  return ignoresMaxId && !omitsLinks ? "page" : "max_id";
}

/**
 * The `Link` header of a page, with the URL of the next page; none if there can be no next page.
 *
 * https://docs.joinmastodon.org/api/guidelines/#pagination (2026-07)
 */
export function linkBelow(
  path: string,
  { last, parameters, instance }: { last: string | null; parameters: URLSearchParams; instance: SandboxInstance },
): Record<string, string> {
  const { host, ways } = instance;
  if (last === null || ways.omitsLinks) return {};
  const next = new URLSearchParams(parameters);
  next.delete("max_id");
  next.set(placeName(ways), last);
  return { link: `<https://${host}${path}?${next}>; rel="next", <https://${host}${path}?min_id=0>; rel="prev"` };
}

/**
 * One page of a list: the newest below `max_id` and above `since_id`, or the next above `min_id`; in both cases the
 * newest first.
 *
 * https://docs.joinmastodon.org/methods/accounts/#statuses (2026-07)
 */
export function pageOf(
  statuses: readonly StoredStatus[],
  { parameters, ways }: { parameters: URLSearchParams; ways: InstanceWays },
): StoredStatus[] {
  const limit = Math.min(Number(parameters.get("limit") ?? 20), ways.maxPerPage);
  const bound = (name: string): bigint | null => {
    const value = parameters.get(name);
    return value === null ? null : toNumber(value);
  };
  const below = ways.ignoresMaxId && ways.omitsLinks ? null : bound(placeName(ways));
  const [since, next] = [bound("since_id"), bound("min_id")];
  const found = statuses
    .filter(({ id }) => below === null || toNumber(id) < below)
    .filter(({ id }) => toNumber(id) > (since ?? -1n) && toNumber(id) > (next ?? -1n))
    .sort(newestFirst);
  return next === null ? found.slice(0, limit) : found.slice(-limit);
}

/** The conversation with the newest post first; each conversation begins with its first post. */
export function byConversation(statuses: readonly StoredStatus[]): StoredStatus[] {
  const conversations = new Map<StoredStatus, StoredStatus[]>();
  for (const status of [...statuses].sort(newestFirst)) {
    const root = rootOf(status);
    conversations.set(root, [status, ...(conversations.get(root) ?? [])]);
  }
  return [...conversations.values()].flat();
}

function rootOf(status: StoredStatus): StoredStatus {
  return status.reply_to === null ? status : rootOf(status.reply_to);
}
