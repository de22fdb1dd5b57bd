import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { InboxContext } from "../contract/inbox.ts";
import type { WalkPage } from "../shared/walk.ts";

/** Items on a page: each that replies to another costs a request of its own. */
export const pageSize = 20;

const identified = z.object({ id: z.string() });

/**
 * A page of one of the server's lists, as far as it can be read.
 *
 * The server's own `Link` leads on: some take no other place, and some leave a page empty that has others behind it.
 * Where it names none at all, the next page begins below the last item.
 *
 * https://docs.joinmastodon.org/api/guidelines/#pagination (2026-07)
 *
 * @param list.url the list's address, its parameters too
 * @param list.place where the page begins, as the page before says; null: at the newest
 * @param list.accept how a server answers that has no such list: as one that is empty
 * @throws PublishingError `network_error` when the answer is no list
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
  // Small servers give the newest again, or all there is, whatever is asked for (2026-11): what was read before is left out.
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
    // The server's next page begins below all that it gave.
    if (left.length > pageSize) return last;
    const linked = link === null ? null : nextIn(link, url);
    if (linked !== null) return linked;
    // Nothing is left of a page that came again: the list cannot be read further.
    if (left.length === 0 && read >= 0) return place;
    return link === null || isElsewhere(link) ? last : null;
  }
}

function idOf(item: unknown): string | undefined {
  return identified.safeParse(item).data?.id;
}

/** A place that the server has named is kept as the query of its address. */
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

/** The place that a `Link` names as the next; null: it names none in this list, which is all that is asked for. */
function nextIn(link: string, list: URL): string | null {
  const target = nextLink.exec(link)?.[1];
  if (target === undefined || !URL.canParse(target, list.href)) return null;
  const { host, pathname, search } = new URL(target, list.href);
  return host === list.host && pathname === list.pathname && search !== "" ? search : null;
}

/** It names a next page, though in no place that is asked for it, as behind a front that the server does not know of. */
function isElsewhere(link: string): boolean {
  return nextLink.test(link);
}
