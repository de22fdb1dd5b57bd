import * as z from "zod";
import type { ProfileFacts } from "../contract/profile.ts";
import type { NetworkRequest, NetworkResponse } from "../contract/request.ts";
import { knownAccount, listsAll } from "./known.ts";
import { type Status, statusSchema } from "./status.ts";
import { type ListName, learnableLists, rememberedAs, type Such, suchOfStatus } from "./such.ts";

/** One of the server's lists, read from its newest status on. */
export interface ReadList {
  name: ListName;
  /** Statuses of the account itself. */
  statuses: readonly Status[];
  /** True: everything since the requested time was read. */
  isWhole: boolean;
}

/** The account that reads, and how to send its requests. */
export interface Reader {
  request(request: NetworkRequest): Promise<NetworkResponse>;
  profile: Pick<ProfileFacts, "host" | "account_facts">;
}

/** How far back to read a list. */
export interface Reach {
  /** Milliseconds, the server's time. */
  since: number;
  /** Keep reading past `since`, as far as the pages go, until this returns true. Absent: stop at `since`. */
  isEnough?(statuses: readonly Status[]): boolean;
  /** @default 5 */
  maxPages?: number;
}

/** Newest first, at most 40 per page. https://docs.joinmastodon.org/methods/accounts/#statuses (2026-07) */
const pageSize = 40;
/** Some servers return smaller pages than requested. None was seen to return fewer than this on a full page (2026-11). */
const smallestFullPage = 20;

/** Maximum number of pages of older posts to read when an account is connected. */
const pagesAtConnect = 2;

/** Returns the names under which the service remembers which lists show the account's older posts. */
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

/** The kinds of the account's posts among these statuses. */
export function suchIn(statuses: readonly Status[], profile: Reader["profile"]): Such[] {
  const own = new Set(statuses.map(({ id }) => id));
  const account = knownAccount(profile).account_id;
  return statuses.flatMap((status) => suchOfStatus(status, { account, own }) ?? []);
}

/** The account's statuses in a list. Null: it cannot be read. */
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
    // A server that returns the same page again ignores `max_id`. A page that is not full was the whole list.
    const isAll = statuses.size === known;
    isWhole ||= isAll && found.length < smallestFullPage;
    if (isAll || (isWhole && isEnough(own()))) break;
    last = found.at(-1)?.id ?? null;
  }
  return { name, statuses: own(), isWhole };
}

const contextSchema = z.object({ descendants: z.array(statusSchema) });

/** Reads the account's statuses below a status. Null: they cannot be read. https://docs.joinmastodon.org/methods/statuses/#context (2026-07) */
export async function readBelow(reader: Reader, id: string): Promise<ReadList | null> {
  const url = `https://${reader.profile.host}/api/v1/statuses/${encodeURIComponent(id)}/context`;
  const response = await reader.request({ method: "GET", url, accept: [...notOffered, 422, 500] });
  const found = contextSchema.safeParse(response.status === 200 ? response.body : null);
  if (!found.success || !areDated(found.data.descendants)) return null;
  const { descendants } = found.data;
  const statuses = descendants.filter((status) => isOwn(status, "context", reader.profile));
  // The maximum that a server shows is not documented. Fewer than a small page are all.
  return { name: "context", statuses, isWhole: descendants.length < smallestFullPage };
}

/** Statuses of a server that does not have this list, or does not show it. */
const notOffered = [400, 403, 404, 405, 410, 501];

/** True: everything after this page is too old. On other servers a list may be out of order, so the whole page must be too old. */
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

/** True: the account wrote it. Boosts do not count. Other lists than the account's also hold other users' statuses. */
function isOwn({ reblog, account }: Status, name: ListName, profile: Reader["profile"]): boolean {
  return reblog == null && (name === "account" || account?.id === knownAccount(profile).account_id);
}

const sourceSchema = z.object({ text: z.string() });

/** The author's original text. Null: the server does not return it. https://docs.joinmastodon.org/methods/statuses/#source (2026-07) */
export async function readSource(reader: Reader, id: string): Promise<string | null> {
  const url = `https://${reader.profile.host}/api/v1/statuses/${encodeURIComponent(id)}/source`;
  const response = await reader.request({ method: "GET", url, accept: [400, 401, 403, 404, 405, 410, 422, 501] });
  const parsed = sourceSchema.safeParse(response.body);
  return response.status === 200 && parsed.success ? parsed.data.text : null;
}
