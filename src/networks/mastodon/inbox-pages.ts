import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { InboxContext } from "../contract/inbox.ts";
import type { WalkPage } from "../shared/walk.ts";

/** Entries on a page. Few, because each reply costs a request. */
export const pageSize = 20;

const identified = z.object({ id: z.string() });

/**
 * Reads a page of one of the server's lists, as far as it can be parsed.
 *
 * The next page comes from the server's `Link` header, because some servers accept no other position, and some return
 * an empty page that has others after it. Without a `Link` header, the next page begins below the last entry.
 *
 * https://docs.joinmastodon.org/api/guidelines/#pagination (2026-07)
 *
 * @param list.url the list's URL with its parameters
 * @param list.place where the page begins, from the page before; null: the newest entry
 * @param list.accept statuses of a server without this list, which count as an empty list
 * @throws PublishingError `network_error` when the response is not a list
 */
export async function readPage<Item>(
  context: InboxContext,
  list: { url: URL; place: string | null; item: z.ZodType<Item>; accept: readonly number[] },
): Promise<WalkPage<Item>> {
  const { url, place, item, accept } = list;
  const response = await context.request({ method: "GET", url: pageUrl(url, place), accept });
  if (accept.includes(response.status)) return { items: [], next: null };
  const answer = z.array(z.unknown()).safeParse(response.body);
  if (!answer.success) throw new PublishingError("network_error", "The server's response could not be read.");
  const given = answer.data;
  // Small servers return the newest entries again, or all of them, whatever is requested (2026-11). Entries of earlier
  // pages are dropped.
  const read = place === null ? -1 : given.findIndex((each) => idOf(each) === place);
  const left = given.slice(read + 1);
  const page = left.slice(0, pageSize);
  return {
    items: page.flatMap((each) => item.safeParse(each).data ?? []),
    next: nextPlace(),
    isFull: given.length >= pageSize,
  };

  function nextPlace(): string | null {
    const link = response.headers.get("link");
    const last = idOf(page.at(-1)) ?? null;
    // The server's next page begins below everything that it returned.
    if (left.length > pageSize) return last;
    const linked = link === null ? null : nextIn(link, url);
    if (linked !== null) return linked;
    // The whole page was a repetition, so the list cannot be read further.
    if (left.length === 0 && read >= 0) return place;
    return link === null || isElsewhere(link) ? last : null;
  }
}

function idOf(item: unknown): string | undefined {
  return identified.safeParse(item).data?.id;
}

/** A position from a `Link` header is kept as the query of its URL. */
const queryMark = "?";

function pageUrl(list: URL, place: string | null): string {
  const url = new URL(list.href);
  if (place?.startsWith(queryMark)) {
    url.search = place;
    for (const name of new Set(list.searchParams.keys())) {
      url.searchParams.delete(name);
      for (const value of list.searchParams.getAll(name)) url.searchParams.append(name, value);
    }
  } else if (place !== null) url.searchParams.set("max_id", place);
  return url.href;
}

/** https://www.rfc-editor.org/rfc/rfc8288#section-3 (2026-11) */
const nextLink = /<([^<>]*)>[^<>]*;\s*rel="?next\b/i;

/** The next position from a `Link` header. Null: it names none in this list, and no other URL may be requested. */
function nextIn(link: string, list: URL): string | null {
  const target = nextLink.exec(link)?.[1];
  if (target === undefined || !URL.canParse(target, list.href)) return null;
  const { host, pathname, search } = new URL(target, list.href);
  return host === list.host && pathname === list.pathname && search !== "" ? search : null;
}

/** True: the header names a next page at another URL, as behind a proxy that the server does not know of. */
function isElsewhere(link: string): boolean {
  return nextLink.test(link);
}
