import { type AccountChoice, type BrowserLogin, LoginFailed } from "../contract/browser-login.ts";
import { inNameOf } from "../shared/bearer.ts";
import { choiceOf, type Login, oauthLogin, refreshEndField, tokenFields } from "../shared/oauth-login.ts";
import type { OAuthClient, Tokens } from "../shared/oauth2.ts";
import { type Purpose, scopesFor } from "../shared/scopes.ts";
import { type Account, identityOf, readMember, readOrganization, readRoles } from "./account.ts";
import type { Api } from "./api.ts";
import { findApp, type LinkedinAppSetting, oauth } from "./oauth.ts";
import { type Product, scopes } from "./scopes.ts";

interface BrowserOptions {
  app: LinkedinAppSetting;
  product: Product;
  purposes: readonly Purpose[];
}

/** A login on LinkedIn's pages, where all that is asked for is allowed, or nothing: a member, and the organisations that the member posts for. */
export function browserLogin(api: Api, { app: setting, product, purposes }: BrowserOptions): BrowserLogin {
  return oauthLogin({
    table: oauth,
    clientOf: (accountId) => findApp(setting, accountId),
    wanted: scopesFor(scopes[product], purposes),
    grantedBy,
    errors,

    async accounts(context, login) {
      const reading = { ...inNameOf(context, login.tokens.access_token), api };
      const member = await readMember(reading, login.granted);
      if (member === null)
        throw new LoginFailed("login_failed", "LinkedIn rejects the access token that it has just issued.");
      const organizations = product === "self_serve" ? [] : await readAll(reading);
      return [member, ...organizations].map((account) => accountChoice(account, login));
    },
  });
}

/** https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow (2026-08) */
const errors: BrowserLogin["errors"] = {
  user_cancelled_login: "access_denied",
  user_cancelled_authorize: "access_denied",
  unauthorized_scope_error: "app_refused",
};

/** Divided by commas or spaces, at times as in an address. https://github.com/gitroomhq/postiz-app, linkedin.provider.ts (2026-08) */
function grantedBy({ scopes: said }: Tokens): string[] | null {
  const decoded = said?.flatMap((each) => each.replace(/%20|%2C|\+/gi, " ").split(" ")) ?? [];
  return decoded.length === 0 ? null : decoded.filter(Boolean);
}

async function readAll(reading: Parameters<typeof readRoles>[0]): Promise<Account[]> {
  const found: Account[] = [];
  for (const urn of await readRoles(reading)) {
    const account = await readOrganization(reading, urn);
    if (account !== null) found.push(account);
  }
  return found;
}

function accountChoice(account: Account, { tokens, client, granted }: Login<OAuthClient>): AccountChoice {
  const { urn } = account;
  const isOrganization = urn.startsWith("urn:li:organization:");
  const credentials = {
    ...tokenFields(tokens),
    ...refreshEndField(tokens),
    client_id: client.client_id,
    scopes: [...granted],
    ...(isOrganization && { organization_id: urn.replace("urn:li:organization:", "") }),
  };
  return choiceOf(identityOf(account, granted), credentials);
}
