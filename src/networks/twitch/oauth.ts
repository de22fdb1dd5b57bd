import * as z from "zod";
import { type AppSetting, appFinder } from "../shared/app.ts";
import { type OAuthTable, oauthAppSchema } from "../shared/oauth2.ts";

/** The host of logins and tokens. */
export const loginHost = "id.twitch.tv";

/** Scopes are returned as a list. https://dev.twitch.tv/docs/authentication/refresh-tokens/ (2026-09) */
const withScopes = z.looseObject({ scope: z.array(z.string()) });

/** https://dev.twitch.tv/docs/authentication/refresh-tokens/ (2026-09) */
const refusal = z.object({ message: z.string() });

/** https://dev.twitch.tv/docs/authentication/getting-tokens-oauth/ (2026-09) */
export const oauth = {
  name: "Twitch",
  authorize: `https://${loginHost}/oauth2/authorize`,
  token: `https://${loginHost}/oauth2/token`,
  revoke: `https://${loginHost}/oauth2/revoke`,
  clientAuth: "form",
  pkce: false,
  // Asks even a signed-in user, so that another account can be chosen.
  parameters: { force_verify: "true" },
  tokensIn(body) {
    const parsed = withScopes.safeParse(body);
    return parsed.success ? { ...parsed.data, scope: parsed.data.scope.join(" ") } : body;
  },
  endsToken: (body) => /invalid refresh token/i.test(refusal.safeParse(body).data?.message ?? ""),
  refusesApp: (body) => /invalid client/i.test(refusal.safeParse(body).data?.message ?? ""),
} satisfies OAuthTable;

/**
 * Scopes for chat lines, which the app whose webhooks bring them reads and writes (`user:bot`, `channel:bot`).
 * https://dev.twitch.tv/docs/authentication/scopes (2026-02)
 */
export const chatScopes = ["user:read:chat", "user:write:chat", "user:bot", "channel:bot"] as const;

/** The scope for whispers, in the same list. */
export const whisperScope = "user:manage:whispers";

/** The scopes that a sign-in requests. */
export const scopes = [...chatScopes, whisperScope] as const;

/** The host's app at Twitch. */
export type TwitchApp = z.infer<typeof oauthAppSchema>;
/** One app for all accounts, or a function that returns one for each. */
export type TwitchAppSetting = AppSetting<TwitchApp>;

export const findApp = appFinder(oauthAppSchema, oauth.name);
