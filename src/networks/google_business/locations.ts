import * as z from "zod";
import type { Identity } from "../contract/profile.ts";
import type { LoginContext } from "../contract/request.ts";
import type { TokenInfo } from "../shared/google/login.ts";
import { accountsEndpoint, locationsEndpoint, readAnswer } from "./api.ts";
import type { Known } from "./known.ts";

/** How Google is read. */
export interface Reading {
  request: LoginContext["request"];
  /** The credential, where none is put on by itself. */
  headers: Readonly<Record<string, string>>;
}

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
/** 1,000 accounts, and 5,000 locations of each. */
const maxPages = 50;

/** Who logs in, and through what. */
export interface Accounts {
  /** All accounts, the person's own first: `accounts/1`. */
  names: string[];
  /** The person's own account, which is theirs alone; null: Google shows none. */
  personal: string | null;
}

export async function readAccounts({ request, headers }: Reading): Promise<Accounts> {
  const found = await pages(async (page) => {
    const url = accountsEndpoint({ pageSize: accountsOnPage, ...page });
    const { accounts, nextPageToken } = readAnswer(accountsSchema, await request({ method: "GET", url, headers }));
    return { items: accounts ?? [], nextPageToken };
  });
  const personal = found.find(({ type }) => type === "PERSONAL")?.name ?? null;
  return { names: found.map(({ name }) => name), personal };
}

/** A location, and the account that it is reached through. */
export interface Reached {
  location: Location;
  parent: string;
}

/** All that a login reaches. What is listed under several accounts is there once. */
export async function readLocations(reading: Reading, { names }: Accounts): Promise<Reached[]> {
  const reached = new Map<string, Reached>();
  for (const parent of names) {
    const locations = await pages(async (page) => {
      const url = locationsEndpoint(`${parent}/locations`, { readMask, pageSize: locationsOnPage, ...page });
      const response = await reading.request({ method: "GET", url, headers: reading.headers });
      const { locations: items, nextPageToken } = readAnswer(locationsSchema, response);
      return { items: items ?? [], nextPageToken };
    });
    for (const location of locations) if (!reached.has(location.name)) reached.set(location.name, { location, parent });
  }
  return [...reached.values()];
}

async function pages<Item>(
  read: (page: { pageToken?: string }) => Promise<{ items: Item[]; nextPageToken: string | null | undefined }>,
): Promise<Item[]> {
  const all: Item[] = [];
  let page: { pageToken?: string } = {};
  for (let count = 0; count < maxPages; count++) {
    const { items, nextPageToken } = await read(page);
    all.push(...items);
    if (nextPageToken == null || nextPageToken === "") break;
    page = { pageToken: nextPageToken };
  }
  return all;
}

export async function readLocation({ request, headers }: Reading, name: string): Promise<Location> {
  const url = locationsEndpoint(name, { readMask });
  return readAnswer(locationSchema, await request({ method: "GET", url, headers }));
}

export function identityOf({ location, parent }: Reached, { scopes, app }: TokenInfo): Identity {
  const known: Known = { parent };
  return {
    external_id: location.name,
    name: location.title || location.name,
    handle: null,
    avatar_url: null,
    url: location.metadata?.mapsUri || null,
    scopes,
    ...(app === null ? {} : { app }),
    limits: {},
    host: null,
    known,
  };
}
