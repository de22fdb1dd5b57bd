import * as z from "zod";
import type { ProfileFacts } from "../contract/profile.ts";
import type { NetworkRequest, NetworkResponse } from "../contract/request.ts";
import { knownAccount, listsAll } from "./known.ts";
import { type Status, statusSchema } from "./status.ts";
import { type ListName, learnableLists, rememberedAs, type Such, suchOfStatus } from "./such.ts";

/** One of the server's lists, read from its newest status on. */
export interface ReadList {
  name: ListName;
  /** The account's own. */
  statuses: readonly Status[];
  /** Everything since the time asked for was read. */
  isWhole: boolean;
}

/** Who reads, in whose name. */
export interface Reader {
  request(request: NetworkRequest): Promise<NetworkResponse>;
  profile: Pick<ProfileFacts, "host" | "account_facts">;
}

/** How far back a list is read. */
export interface Reach {
  /** Milliseconds, the server's time. */
  since: number;
  /** Further back than that, as far as the pages go, until what was read is enough. Absent: no further. */
  isEnough?(statuses: readonly Status[]): boolean;
  /** @default 5 */
  maxPages?: number;
}

/** Newest first, at most 40 a page. https://docs.joinmastodon.org/methods/accounts/#statuses (2026-07) */
const pageSize = 40;
/** Some servers give fewer, whatever is asked for; none was seen to give less than this (2026-11). */
const smallestFullPage = 20;

/** Older posts of the account are looked for no further back than this when it is connected. */
const pagesAtConnect = 2;

/** Names under which is remembered what the account's older posts show of its server's lists. */
export async function readSeen(reader: Reader): Promise<string[]> {
  const names = new Set<string>();
  for (const name of ["home", "account"] as const) {
    const read = await readStatuses(reader, name, {
      since: Number.POSITIVE_INFINITY,
      isEnough: () => false,
      maxPages: pagesAtConnect,
    });
    for (const such of suchIn(read?.statuses ?? [], reader.profile))
      if (learnableLists(reader.profile, such).includes(name)) names.add(rememberedAs(name, reader.profile, such));
  }
  return [...names];
}

/** What of the account's own is among these. */
export function suchIn(statuses: readonly Status[], profile: Reader["profile"]): Such[] {
  const own = new Set(statuses.map(({ id }) => id));
  const account = knownAccount(profile).account_id;
  return statuses.flatMap((status) => suchOfStatus(status, { account, own }) ?? []);
}

/** The account's statuses in a list; null: it cannot be read. */
export async function readStatuses(
  reader: Reader,
  name: Exclude<ListName, "context">,
  { since, isEnough = () => true, maxPages = 5 }: Reach,
): Promise<ReadList | null> {
  const statuses = new Map<string, Status>();
  const own = (): Status[] => [...statuses.values()].filter((status) => isOwn(status, name, reader.profile));
  let isWhole = false;
  let last: string | null = null;
  for (let page = 0; page < maxPages; page++) {
    const found = await readPage(reader, name, last);
    if (found === null && !isWhole) return null;
    if (found === null) break;
    const known = statuses.size;
    for (const status of found) statuses.set(status.id, status);
    isWhole ||= isPast(found, since, reader.profile);
    // A server that gives the same page again ignores `max_id`; a page that is not full was all there is.
    const isAll = statuses.size === known;
    isWhole ||= isAll && found.length < smallestFullPage;
    if (isAll || (isWhole && isEnough(own()))) break;
    last = found.at(-1)?.id ?? null;
  }
  return { name, statuses: own(), isWhole };
}

const contextSchema = z.object({ descendants: z.array(statusSchema) });

/** What the account has written below a status; null: it cannot be read. https://docs.joinmastodon.org/methods/statuses/#context (2026-07) */
export async function readBelow(reader: Reader, id: string): Promise<ReadList | null> {
  const url = `https://${reader.profile.host}/api/v1/statuses/${encodeURIComponent(id)}/context`;
  const response = await reader.request({ method: "GET", url, accept: [...notOffered, 422, 500] });
  const found = contextSchema.safeParse(response.status === 200 ? response.body : null);
  if (!found.success || !areDated(found.data.descendants)) return null;
  const { descendants } = found.data;
  const statuses = descendants.filter((status) => isOwn(status, "context", reader.profile));
  // How many a server shows at most is not told: fewer than a small page are all.
  return { name: "context", statuses, isWhole: descendants.length < smallestFullPage };
}

/** What a server answers that has no such list, or does not show it. */
const notOffered = [400, 403, 404, 405, 410, 501];

/** Another server's list may be out of order: there only a page that is older as a whole ends it. */
function isPast(page: readonly Status[], since: number, profile: Reader["profile"]): boolean {
  if (page.length === 0) return true;
  return listsAll(profile) ? (page.at(-1)?.time ?? since) < since : page.every(({ time }) => time < since);
}

async function readPage(
  { request, profile }: Reader,
  name: Exclude<ListName, "context">,
  maxId: string | null,
): Promise<Status[] | null> {
  const account = encodeURIComponent(knownAccount(profile).account_id);
  const path = name === "home" ? "timelines/home" : `accounts/${account}/statuses`;
  const url = new URL(`https://${profile.host}/api/v1/${path}`);
  url.searchParams.set("limit", String(pageSize));
  if (name === "account") url.searchParams.set("exclude_reblogs", "true");
  if (maxId !== null) url.searchParams.set("max_id", maxId);
  const response = await request({ method: "GET", url: url.href, accept: name === "home" ? notOffered : [] });
  const found = z.array(statusSchema).safeParse(response.status === 200 ? response.body : null);
  return found.success && areDated(found.data) ? found.data : null;
}

function areDated(statuses: readonly Status[]): boolean {
  return statuses.every(({ time }) => !Number.isNaN(time));
}

/** Boosts are nobody's own words; elsewhere than in the account's list stand others' too. */
function isOwn({ reblog, account }: Status, name: ListName, profile: Reader["profile"]): boolean {
  return reblog == null && (name === "account" || account?.id === knownAccount(profile).account_id);
}

const sourceSchema = z.object({ text: z.string() });

/** The text as it was written; null where the server does not tell. https://docs.joinmastodon.org/methods/statuses/#source (2026-07) */
export async function readSource(reader: Reader, id: string): Promise<string | null> {
  const url = `https://${reader.profile.host}/api/v1/statuses/${encodeURIComponent(id)}/source`;
  const response = await reader.request({ method: "GET", url, accept: [400, 401, 403, 404, 405, 410, 422, 501] });
  const parsed = sourceSchema.safeParse(response.body);
  return response.status === 200 && parsed.success ? parsed.data.text : null;
}
