import { z } from "zod";
import type { ProfileFacts } from "../contract/profile.ts";
import type { NetworkContext } from "../contract/request.ts";
import { knownAccount, listsAll } from "./known.ts";
import { type Status, statusSchema } from "./status.ts";

/** One of the server's lists, read from its newest status on. */
export interface ReadList {
  name: "account" | "home";
  statuses: Status[];
  /** Everything since the time asked for was read. */
  isWhole: boolean;
}

/** Newest first, at most 40 a page. https://docs.joinmastodon.org/methods/accounts/#statuses (2026-07) */
const pageSize = 40;
/** Some servers give fewer, whatever is asked for; none was seen to give less than this (2026-11). */
const smallestFullPage = 20;
const maxPages = 5;

/** The account's statuses in a list; null: it cannot be read. */
export async function readStatuses(
  context: NetworkContext,
  name: ReadList["name"],
  since: number,
): Promise<ReadList | null> {
  const statuses = new Map<string, Status>();
  const list = (isWhole: boolean): ReadList => ({
    name,
    statuses: [...statuses.values()].filter((status) => isOwn(status, name, context.profile)),
    isWhole,
  });
  let last: string | null = null;
  for (let page = 0; page < maxPages; page++) {
    const found = await readPage(context, name, last);
    if (found === null) return null;
    const known = statuses.size;
    for (const status of found) statuses.set(status.id, status);
    if (isPast(found, since, context.profile)) return list(true);
    // A server that gives the same page again ignores `max_id`; a page that is not full was all there is.
    if (statuses.size === known) return list(found.length < smallestFullPage);
    last = found.at(-1)?.id ?? null;
  }
  return list(false);
}

/** Another server's list may be out of order: there only a page that is older as a whole ends it. */
function isPast(page: readonly Status[], since: number, profile: ProfileFacts): boolean {
  if (page.length === 0) return true;
  return listsAll(profile) ? (page.at(-1)?.time ?? since) < since : page.every(({ time }) => time < since);
}

async function readPage(
  context: NetworkContext,
  name: ReadList["name"],
  maxId: string | null,
): Promise<Status[] | null> {
  const { host } = context.profile;
  const account = encodeURIComponent(knownAccount(context.profile).account_id);
  const path = name === "home" ? "timelines/home" : `accounts/${account}/statuses`;
  const url = new URL(`https://${host}/api/v1/${path}`);
  url.searchParams.set("limit", String(pageSize));
  if (name === "account") url.searchParams.set("exclude_reblogs", "true");
  if (maxId !== null) url.searchParams.set("max_id", maxId);
  const accept = name === "home" ? [400, 403, 404, 405, 410, 501] : [];
  const response = await context.request({ method: "GET", url: url.href, accept });
  const found = z.array(statusSchema).safeParse(response.status === 200 ? response.body : null);
  return found.success && found.data.every(({ time }) => !Number.isNaN(time)) ? found.data : null;
}

/** Boosts are nobody's own words; in the home timeline stand others' too. */
function isOwn({ reblog, account }: Status, name: ReadList["name"], profile: ProfileFacts): boolean {
  return reblog == null && (name === "account" || account?.id === knownAccount(profile).account_id);
}

const sourceSchema = z.object({ text: z.string() });

/** The text as it was written; null where the server does not tell. https://docs.joinmastodon.org/methods/statuses/#source (2026-07) */
export async function readSource(context: NetworkContext, id: string): Promise<string | null> {
  const url = `https://${context.profile.host}/api/v1/statuses/${encodeURIComponent(id)}/source`;
  const response = await context.request({ method: "GET", url, accept: [400, 401, 403, 404, 405, 410, 422, 501] });
  const parsed = sourceSchema.safeParse(response.body);
  return response.status === 200 && parsed.success ? parsed.data.text : null;
}
