import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { Identity } from "../contract/profile.ts";
import type { LoginContext, NetworkResponse } from "../contract/request.ts";
import { readPages } from "../shared/pages.ts";
import { type Api, logoAddress, organizationUrn, readAnswer, unversioned } from "./api.ts";
import type { Known } from "./known.ts";
import { identityScope, profileScope } from "./scopes.ts";

/** How an account is read. */
export interface Reading extends Pick<LoginContext, "request"> {
  api: Api;
}

/** Somebody, or an organisation, as a profile shows them. */
export interface Account {
  /** Under which it posts: `urn:li:person:…` or `urn:li:organization:…`. */
  urn: string;
  name: string;
  handle: string | null;
  avatar_url: string | null;
}

/** https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2 (2026-08) */
const userinfoSchema = z.object({
  sub: z.string().regex(/^[\w-]{1,64}$/),
  name: z.string().nullish(),
  picture: z.string().nullish(),
});

/** https://learn.microsoft.com/en-us/linkedin/shared/integrations/people/profile-api (2026-08) */
const meSchema = z.object({
  id: z.string().regex(/^[\w-]{1,64}$/),
  localizedFirstName: z.string().nullish(),
  localizedLastName: z.string().nullish(),
  vanityName: z.string().nullish(),
});

/**
 * Whose login it is. Which address tells depends on the scopes; one that they do not open is passed over.
 *
 * @param scopes null: not known
 * @returns null: LinkedIn rejects the token
 */
export async function readMember(reading: Reading, scopes: readonly string[] | null): Promise<Account | null> {
  const isOpen = (scope: string): boolean => scopes === null || scopes.includes(scope);
  const [info, me] = [
    isOpen(identityScope) ? await ask(reading, unversioned("userinfo")) : null,
    isOpen(profileScope) ? await ask(reading, unversioned("me")) : null,
  ];
  if (info?.status === 401 || me?.status === 401) return null;
  const named = me?.status === 200 ? readAnswer(meSchema, me) : null;
  if (info?.status === 200) {
    const { sub, name, picture } = readAnswer(userinfoSchema, info);
    return toMember(sub, { name: name ?? null, handle: named?.vanityName ?? null, avatar_url: picture ?? null });
  }
  if (named !== null) {
    const name = [named.localizedFirstName, named.localizedLastName].filter(Boolean).join(" ");
    return toMember(named.id, { name: name || null, handle: named.vanityName ?? null, avatar_url: null });
  }
  throw new PublishingError(
    "invalid_request",
    `access_token: it lacks ${identityScope} and ${profileScope}, so its owner cannot be determined.`,
  );
}

function toMember(id: string, { name, ...shown }: Omit<Account, "urn" | "name"> & { name: string | null }): Account {
  return { urn: `urn:li:person:${id}`, name: name ?? "A member of LinkedIn", ...shown };
}

/** What LinkedIn answers to who may not read it, and to who may not any more. */
const unreadable = [401, 403];

function ask(reading: Reading, url: string): Promise<NetworkResponse> {
  return reading.request({ method: "GET", url, accept: unreadable });
}

/** Roles that may post. https://learn.microsoft.com/en-us/linkedin/marketing/community-management/organizations/organization-access-control-by-role (2026-08); the shorter name stands on some pages */
const postingRoles: ReadonlySet<string> = new Set([
  "ADMINISTRATOR",
  "CONTENT_ADMINISTRATOR",
  "CONTENT_ADMIN",
  "DIRECT_SPONSORED_CONTENT_POSTER",
]);

/** Same source. */
const rolesSchema = z.object({
  elements: z.array(z.object({ organization: organizationUrn, role: z.string(), state: z.string().nullish() })),
});

const pageSize = 100;
/** Five hundred roles. */
const maxPages = 5;

/** The organisations in whose name the person may post, each once. */
export async function readRoles(reading: Reading): Promise<string[]> {
  const readPage = async (from: number | null) => {
    const start = from ?? 0;
    const parameters = { q: "roleAssignee", state: "APPROVED", start: String(start), count: String(pageSize) };
    const request = { method: "GET", ...reading.api.rest(["organizationAcls"], parameters) } as const;
    const { elements: items } = readAnswer(rolesSchema, await reading.request(request));
    return { items, next: items.length < pageSize ? null : start + pageSize };
  };
  const { items } = await readPages(readPage, { maxPages });
  return [...new Set(items.filter(({ role }) => postingRoles.has(role)).map(({ organization }) => organization))];
}

/** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/organizations/organization-lookup-api (2026-08) */
const organizationSchema = z.object({ localizedName: z.string(), vanityName: z.string().nullish() });

/** Null: the token may not read it, or it is gone. */
export async function readOrganization(reading: Reading, urn: string): Promise<Account | null> {
  const { url, headers } = reading.api.rest(["organizations", urn.replace("urn:li:organization:", "")]);
  const response = await reading.request({ method: "GET", url, headers, accept: [403, 404] });
  if (response.status !== 200) return null;
  const { localizedName, vanityName } = readAnswer(organizationSchema, response);
  return { urn, name: localizedName, handle: vanityName ?? null, avatar_url: await readLogo(reading, urn) };
}

/** https://github.com/gitroomhq/postiz-app, linkedin.page.provider.ts (2026-08) */
const logoSchema = z
  .object({
    logoV2: z.object({
      "original~": z.object({
        elements: z.tuple(
          [z.object({ identifiers: z.tuple([z.object({ identifier: z.url() })], z.unknown()) })],
          z.unknown(),
        ),
      }),
    }),
  })
  .transform(({ logoV2 }) => logoV2["original~"].elements[0].identifiers[0].identifier);

/** What LinkedIn answers where it shows no logo: it is no reason to connect nobody. */
const withoutLogo = [400, 401, 403, 404, 426, 429];

/** Null: there is none, or LinkedIn does not show it. Its address works for some weeks. */
async function readLogo(reading: Reading, urn: string): Promise<string | null> {
  const url = logoAddress(urn.replace("urn:li:organization:", ""));
  const { body } = await reading.request({ method: "GET", url, accept: withoutLogo });
  return logoSchema.safeParse(body).data ?? null;
}

/** @param scopes what the login was allowed; null: nobody told */
export function identityOf({ urn, name, handle, avatar_url }: Account, scopes: readonly string[] | null): Identity {
  const known: Known = { scopes: scopes && [...scopes] };
  const path = urn.startsWith("urn:li:person:") ? "in" : "company";
  return {
    external_id: urn,
    name,
    handle,
    avatar_url,
    url: handle === null ? null : `https://www.linkedin.com/${path}/${encodeURIComponent(handle)}`,
    scopes: [...(scopes ?? [])],
    limits: {},
    host: null,
    account_facts: known,
  };
}
