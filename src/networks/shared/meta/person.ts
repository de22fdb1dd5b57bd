import * as z from "zod";
import type { BrowserLoginContext } from "../../contract/browser-login.ts";
import type { LoginContext, NetworkRequest } from "../../contract/request.ts";
import { answersOf } from "../answer.ts";
import type { OAuthApp, OAuthTable } from "../oauth2.ts";
import { graphErrorCodes } from "./errors.ts";
import { graphAddress, withToken } from "./graph.ts";
import { readGraphPages } from "./pages.ts";

/** The host for requests about Facebook users, who stand behind all Pages. */
const host = "graph.facebook.com";

const refusalSchema = z.object({ error: z.object({ message: z.string() }) });

/** https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow (2026-09) */
export function facebookLogin(version: string): OAuthTable {
  return {
    name: "Facebook",
    authorize: `https://www.facebook.com/${version}/dialog/oauth`,
    token: `https://graph.facebook.com/${version}/oauth/access_token`,
    clientAuth: "form",
    pkce: false,
    scopeSeparator: ",",
    refusesApp: (body) =>
      /client secret|validating application/i.test(refusalSchema.safeParse(body).data?.error.message ?? ""),
  };
}

const longSchema = z.object({ access_token: z.string().min(1) });

/**
 * Exchanges a user's token for a long-lived one. Tokens of Pages expire together with the user's, unless that is
 * long-lived. https://developers.facebook.com/docs/facebook-login/guides/access-tokens/get-long-lived (2026-09)
 */
export async function longToken(
  context: BrowserLoginContext,
  { version, app, short }: { version: string; app: OAuthApp; short: string },
): Promise<string> {
  const { client_id, client_secret } = app;
  const form = { grant_type: "fb_exchange_token", client_id, client_secret, fb_exchange_token: short };
  const { token: url } = facebookLogin(version);
  const response = await context.request({ method: "POST", url, body: { form }, credential: "none" });
  context.conceal(response.body);
  return answersOf("Facebook").readAnswer(longSchema, response).access_token;
}

/** A user's token, and the API version for requests with it. */
export interface PersonToken {
  version: string;
  token: string;
}

const permissionsSchema = z.object({ data: z.array(z.object({ permission: z.string(), status: z.string() })) });

/** The scopes that the user granted. https://github.com/facebook/facebook-business-sdk-codegen (2026-04) */
export async function grantedScopes(
  context: Pick<LoginContext, "request">,
  { version, token }: PersonToken,
): Promise<string[]> {
  const asked: NetworkRequest = { method: "GET", url: graphAddress({ host, version }, ["me", "permissions"]) };
  const response = await context.request(withToken(asked, token));
  const { data } = answersOf("Facebook").readAnswer(permissionsSchema, response);
  return data.filter(({ status }) => status === "granted").map(({ permission }) => permission);
}

const personSchema = z.object({ id: z.string() });

/** The user's id for the app. https://developers.facebook.com/docs/graph-api/reference/user (2026-09) */
export async function personId(
  context: Pick<LoginContext, "request">,
  { version, token }: PersonToken,
): Promise<string> {
  const asked: NetworkRequest = { method: "GET", url: graphAddress({ host, version }, ["me"], { fields: "id" }) };
  return answersOf("Facebook").readAnswer(personSchema, await context.request(withToken(asked, token))).id;
}

/** The fields to read of each Page. */
export interface PageReading<Schema extends z.ZodType> {
  fields: string;
  schema: Schema;
}

const listSchema = z.object({ data: z.array(z.unknown()) });

/**
 * The Pages of the token's user. Null: the token is not a user's.
 * https://developers.facebook.com/docs/graph-api/reference/user/accounts (2026-09)
 */
export async function pagesOfPerson<Schema extends z.ZodType>(
  context: Pick<LoginContext, "request">,
  person: PersonToken,
  reading: PageReading<Schema>,
): Promise<z.infer<Schema>[] | null> {
  const url = graphAddress({ host, ...person }, ["me", "accounts"], { fields: reading.fields, limit: "100" });
  const first = await context.request(withToken<NetworkRequest>({ method: "GET", url, accept: [400] }, person.token));
  if (first.status === 400 && graphErrorCodes(first.body).includes("100")) return null;
  if (first.status === 200) answersOf("Facebook").readAnswer(listSchema, first);
  return itemsAt(context, { url, token: person.token, schema: reading.schema });
}

async function itemsAt<Schema extends z.ZodType>(
  context: Pick<LoginContext, "request">,
  { url, token, schema }: { url: string; token: string; schema: Schema },
): Promise<z.infer<Schema>[]> {
  const request: LoginContext["request"] = (asked) => context.request(withToken(asked, token));
  return (await readGraphPages({ request }, { name: "Facebook", url, schema })).items;
}

const businessSchema = z.object({ id: z.string() });

/**
 * The Pages that the user's business portfolios own or manage as clients. Empty: the token may not read them.
 * https://developers.facebook.com/docs/graph-api/reference/user/businesses (2026-09)
 */
export async function pagesOfBusinesses<Schema extends z.ZodType>(
  context: Pick<LoginContext, "request">,
  person: PersonToken,
  { fields, schema }: PageReading<Schema>,
): Promise<z.infer<Schema>[]> {
  const { token } = person;
  const at = (steps: readonly string[], asked: string): string =>
    graphAddress({ host, ...person }, steps, { fields: asked, limit: "100" });
  const pages: z.infer<Schema>[] = [];
  for (const { id } of await itemsAt(context, { url: at(["me", "businesses"], "id"), token, schema: businessSchema }))
    for (const edge of ["owned_pages", "client_pages"])
      pages.push(...(await itemsAt(context, { url: at([id, edge], fields), token, schema })));
  return pages;
}
