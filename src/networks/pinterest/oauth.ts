import * as z from "zod";
import { type AppSetting, appFinder } from "../shared/app.ts";
import { type OAuthTable, oauthAppSchema } from "../shared/oauth2.ts";
import { endpoint } from "./api.ts";

const refusalSchema = z.object({ code: z.number(), message: z.string() });

/** https://developers.pinterest.com/docs/getting-started/set-up-authentication-and-authorization/ (2026-10) */
export const oauth = {
  name: "Pinterest",
  authorize: "https://www.pinterest.com/oauth/",
  token: endpoint(["oauth", "token"]),
  clientAuth: "basic",
  pkce: false,
  scopeSeparator: ",",
  // Apps created before 2025-09-25 need this to get renewable refresh tokens.
  codeParameters: { continuous_refresh: "true" },
  refusesApp: (body) => refusalSchema.safeParse(body).data?.code === 2,
  // The message is not documented (unconfirmed).
  endsToken: (body) =>
    /refresh.?token.*(invalid|expired|revoked)|(invalid|expired|revoked).*refresh.?token/i.test(
      refusalSchema.safeParse(body).data?.message ?? "",
    ),
} satisfies OAuthTable;

/** The scopes required to create a Pin. https://github.com/pinterest/api-description, `POST /pins` (2025-12) */
export const publishScopes: readonly string[] = [
  ...["boards:read", "boards:write", "pins:read", "pins:write", "user_accounts:read"],
];

/** Same source. */
export const secretScopes: readonly string[] = [
  ...["boards:read_secret", "boards:write_secret", "pins:read_secret", "pins:write_secret"],
];

/**
 * Time after which an unused refresh token is renewed, milliseconds. It expires after 60 days, and each use returns a
 * new one; this is a third of that.
 * https://developers.pinterest.com/docs/getting-started/set-up-authentication-and-authorization/ (2026-10)
 */
export const renewIdleAfterMs = 20 * 24 * 3_600_000;

/** The host's app at developers.pinterest.com: its id and secret. */
export type PinterestApp = z.infer<typeof oauthAppSchema>;
/** One app for all accounts, or a function that returns one for each. */
export type PinterestAppSetting = AppSetting<PinterestApp>;

export const findApp = appFinder(oauthAppSchema, oauth.name);
