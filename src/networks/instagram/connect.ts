import * as z from "zod";
import { documentedObject } from "../../wire/documented-object.ts";
import { PublishingError } from "../../wire/errors.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { Connector } from "../contract/adapter.ts";
import type { Credentials, Identity } from "../contract/profile.ts";
import type { LoginContext } from "../contract/request.ts";
import { inNameOf } from "../shared/bearer.ts";
import { clientId, endOf, endTime, scopeList } from "../shared/credential-fields.ts";
import { defined } from "../shared/defined.ts";
import { namingToken } from "../shared/given-token.ts";
import { signForGraph } from "../shared/meta/graph.ts";
import { graphId } from "../shared/meta/graph-id.ts";
import { inspectToken } from "../shared/meta/inspect-token.ts";
import { renewing, renewLongToken } from "../shared/meta/long-token.ts";
import type { OAuthApp } from "../shared/oauth2.ts";
import { identityOf, readNamedAccount, readOwnAccount, readPageAccount } from "./account.ts";
import type { Api } from "./api.ts";
import { type Flavour, readKnown } from "./known.ts";
import { longTokens } from "./oauth.ts";
import { accountsOf, type ReachedAccount } from "./pages-of-user.ts";

export const credentialsSchema = documentedObject({
  /**
   * A long-lived access token of Instagram Login (it begins with IG), or an access token of Facebook Login, of a Page
   * or a person.
   */
  access_token: z
    .string()
    .trim()
    // The token is sent in a header.
    .regex(/^[\w.|-]{20,2000}$/, "An access token issued by Instagram or Facebook.")
    .describe(
      "A long-lived access token of Instagram Login (it begins with IG), or an access token of Facebook Login, of a Page or a person.",
    ),
  /** What issued the token: Instagram Login or Facebook Login. Default: detected from the token's prefix. */
  login: z
    .enum(["instagram", "facebook"])
    .optional()
    .describe("What issued the token: Instagram Login or Facebook Login. Default: detected from the token's prefix."),
  /** Facebook Login: id of the Instagram account; required if the token gives access to several. */
  account_id: graphId
    .optional()
    .describe("Facebook Login: id of the Instagram account; required if the token gives access to several."),
  /** When the token expires, ISO 8601. Default: unknown until the token is renewed after a day. */
  expires_at: endTime
    .optional()
    .describe("When the token expires, ISO 8601. Default: unknown until the token is renewed after a day."),
  /** Id of the app that issued the token. */
  client_id: clientId.optional().describe("Id of the app that issued the token."),
  /** The token's scopes. Default: for Facebook Login, Facebook reports them to the adapter's app. */
  scopes: scopeList
    .optional()
    .describe("The token's scopes. Default: for Facebook Login, Facebook reports them to the adapter's app."),
});

type Given = z.infer<typeof credentialsSchema>;

/**
 * There is no `revoke`: Instagram Login documents no call for it, and revoking a user's access at Facebook would
 * invalidate the tokens of all Pages together.
 *
 * @param api the Graph API in the chosen version
 * @param app the host's app for Facebook Login, if it is the same for all accounts
 */
export function createConnector(api: Api, app: OAuthApp | undefined): Connector<typeof credentialsSchema> {
  return {
    credentials: credentialsSchema,

    login: namingToken(async (context, input) => {
      const given = credentialsSchema.parse(input);
      const { identity, credentials } =
        flavourOf(given) === "instagram"
          ? await loginWithInstagram(context, api, given)
          : await loginWithPage(context, { api, app }, given);
      const { client_id } = given;
      return { identity: { ...identity, ...(client_id && { app: client_id }) }, credentials };
    }),

    async inspect(context) {
      const { flavour, scopes } = readKnown(context.profile);
      const reading = { request: context.request, now: context.now, api };
      const account =
        flavour === "instagram"
          ? await readOwnAccount(reading)
          : await readNamedAccount(reading, context.profile.external_id);
      const identity = await identityOf(reading, { flavour, account, scopes });
      if (flavour === "instagram") return identity;
      const token = { version: api.version, token: String(context.secret.access_token) };
      const inspected = await inspectToken(context, { ...token, app });
      return inspected === null ? identity : { ...identity, reconnect_by: inspected.reconnect_by };
    },

    sign: signForGraph,

    async refresh(context) {
      const { flavour } = readKnown(context.profile);
      // A Page's token does not expire, so no caller asks for this. The code says nothing about the token's validity.
      if (flavour === "facebook") throw new PublishingError("network_error", "A Page's token cannot be renewed.");
      return renewLongToken(longTokens, context, context.secret);
    },
  };
}

/** Tokens of Instagram Login start with `IG`. https://github.com/DayMoonDevelopment/post-for-me (2026-07) */
function flavourOf({ login, access_token }: Given): Flavour {
  return login ?? (access_token.startsWith("IG") ? "instagram" : "facebook");
}

type LoggedIn = { identity: Identity; credentials: Credentials };

async function loginWithInstagram(context: LoginContext, api: Api, given: Given): Promise<LoggedIn> {
  const { access_token: token, scopes = [] } = given;
  const reading = { ...inNameOf(context, token), api };
  const account = await readOwnAccount(reading);
  const identity = await identityOf(reading, { flavour: "instagram", account, scopes });
  const expires_at = endOf(given.expires_at);
  return { identity, credentials: renewing(secretOf(token, given), { now: context.now(), expires_at }) };
}

function secretOf(access_token: string, { client_id }: Pick<Given, "client_id">): JsonObject {
  return defined({ access_token, client_id });
}

/** Logs in with a Page's token, or that of a user with Pages. */
async function loginWithPage(
  context: LoginContext,
  { api, app }: { api: Api; app: OAuthApp | undefined },
  given: Given,
): Promise<LoggedIn> {
  const { access_token: token } = given;
  const reached = await accountsOf(context, { version: api.version, token });
  const { account, token: pageToken } =
    reached === null
      ? { account: await readPageAccount({ ...inNameOf(context, token), api }), token }
      : chosen(reached, given);
  if (given.account_id !== undefined && account.id !== given.account_id)
    throw new PublishingError("invalid_request", `account_id: this token belongs to the account ${account.id}.`);
  const inspected = await inspectToken(context, { version: api.version, token: pageToken, app });
  const scopes = given.scopes ?? inspected?.scopes ?? [];
  const reading = { ...inNameOf(context, pageToken), api };
  const identity = await identityOf(reading, { flavour: "facebook", account, scopes });
  const reconnect_by = inspected?.reconnect_by ?? null;
  return { identity, credentials: { secret: secretOf(pageToken, given), expires_at: null, reconnect_by } };
}

function chosen(reached: readonly ReachedAccount[], { account_id }: Given): ReachedAccount {
  const fitting = reached.filter(({ account }) => account_id === undefined || account.id === account_id);
  const [only, another] = fitting;
  if (only !== undefined && another === undefined) return only;
  const names = reached.map(({ account }) => `${account.id} (${account.username})`).join(", ");
  const message =
    names === ""
      ? "access_token: no professional Instagram account is linked to a Facebook Page that it gives access to."
      : `account_id: must be an account that the token gives access to: ${names}.`;
  throw new PublishingError("invalid_request", message);
}
