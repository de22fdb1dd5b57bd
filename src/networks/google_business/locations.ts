import * as z from "zod";
import type { Identity } from "../contract/profile.ts";
import type { LoginContext } from "../contract/request.ts";
import type { TokenInfo } from "../shared/google/login.ts";
import { readPages } from "../shared/pages.ts";
import { accountsEndpoint, getAnswer, locationsEndpoint } from "./api.ts";
import type { Known } from "./known.ts";

type Reading = Pick<LoginContext, "request">;

/** https://developers.google.com/my-business/reference/accountmanagement/rest/v1/accounts (2026-05) */
export const accountName = z.string().regex(/^accounts\/\d{1,30}$/, "Such as accounts/123.");
/** https://developers.google.com/my-business/reference/businessinformation/rest/v1/accounts.locations (2026-09) */
export const locationId = z.string().regex(/^locations\/\d{1,30}$/, "Such as locations/123.");

const accountsSchema = z.object({
  accounts: z.array(z.object({ name: accountName, type: z.string().nullish() })).nullish(),
  nextPageToken: z.string().nullish(),
});

const locationSchema = z.object({
  name: locationId,
  title: z.string().nullish(),
  metadata: z.object({ mapsUri: z.string().nullish() }).nullish(),
});

export type Location = z.infer<typeof locationSchema>;

const locationsSchema = z.object({ locations: z.array(locationSchema).nullish(), nextPageToken: z.string().nullish() });

/** Same sources. */
const accountsOnPage = "20";
const locationsOnPage = "100";
const readMask = "name,title,metadata";
/** Enough for 1,000 accounts, and 5,000 locations of each. */
const maxPages = 50;

/** The accounts of the user who logs in. */
export interface Accounts {
  /** All accounts, the user's own first: `accounts/1`. */
  names: string[];
  /** The user's personal account. Null: Google lists none. */
  personal: string | null;
}

export async function readAccounts(reading: Reading): Promise<Accounts> {
  const readPage = async (pageToken: string | null) => {
    const url = accountsEndpoint({ pageSize: accountsOnPage, ...(pageToken !== null && { pageToken }) });
    const { accounts, nextPageToken } = await getAnswer(accountsSchema, reading, url);
    return { items: accounts ?? [], next: nextPageToken || null };
  };
  const { items } = await readPages(readPage, { maxPages });
  const personal = items.find(({ type }) => type === "PERSONAL")?.name ?? null;
  return { names: items.map(({ name }) => name), personal };
}

/** A location, and the account that gives access to it. */
export interface Reached {
  location: Location;
  parent: string;
}

/** All locations of a login, each once, even if several accounts list it. */
export async function readLocations(reading: Reading, { names }: Accounts): Promise<Reached[]> {
  const reached = new Map<string, Reached>();
  for (const parent of names)
    for (const location of await locationsOf(reading, parent))
      if (!reached.has(location.name)) reached.set(location.name, { location, parent });
  return [...reached.values()];
}

async function locationsOf(reading: Reading, parent: string): Promise<Location[]> {
  const readPage = async (pageToken: string | null) => {
    const url = locationsEndpoint(`${parent}/locations`, {
      readMask,
      pageSize: locationsOnPage,
      ...(pageToken !== null && { pageToken }),
    });
    const { locations, nextPageToken } = await getAnswer(locationsSchema, reading, url);
    return { items: locations ?? [], next: nextPageToken || null };
  };
  return (await readPages(readPage, { maxPages })).items;
}

export function readLocation(reading: Reading, name: string): Promise<Location> {
  return getAnswer(locationSchema, reading, locationsEndpoint(name, { readMask }));
}

export function identityOf(
  { location, parent }: Reached,
  { scopes, app }: Pick<TokenInfo, "scopes" | "app">,
): Identity {
  const known: Known = { parent };
  return {
    external_id: location.name,
    name: location.title || location.name,
    handle: null,
    avatar_url: null,
    url: location.metadata?.mapsUri || null,
    scopes,
    ...(app !== null && { app }),
    limits: {},
    host: null,
    account_facts: known,
  };
}
