import * as z from "zod";
import { PublishingError } from "../../../wire/errors.ts";
import type { LoginContext, NetworkContext } from "../../contract/request.ts";
import type { OAuthTable } from "../oauth2.ts";

/** Where Google's logins are traded; its credentials go there, too. */
export const googleLoginHost = "oauth2.googleapis.com";

/**
 * Google's login. Without `access_type` there is no refresh token, and without `prompt` none for somebody who has
 * allowed the app before. https://developers.google.com/identity/protocols/oauth2/web-server (2026-09)
 */
export function googleOAuth(name: string): OAuthTable & { revoke: string } {
  return {
    name,
    authorize: "https://accounts.google.com/o/oauth2/v2/auth",
    token: `https://${googleLoginHost}/token`,
    revoke: `https://${googleLoginHost}/revoke`,
    clientAuth: "form",
    // Documented for installed apps; web apps use it, too (unconfirmed). https://developers.google.com/identity/protocols/oauth2/native-app (2026-09)
    pkce: true,
    parameters: { access_type: "offline", prompt: "consent" },
  };
}

/** An OAuth client of a project at console.cloud.google.com. */
export interface GoogleApp {
  /** Clients → the client → Client ID. */
  client_id: string;
  /** Clients → the client → Client secret. */
  client_secret: string;
}

/**
 * A refresh token that nobody uses for six months dies, milliseconds; it is used long before that.
 * https://developers.google.com/identity/protocols/oauth2#expiration (2026-09)
 */
export const idleRefreshMs = 90 * 24 * 3_600_000;

/** Numbers come as texts. https://pkg.go.dev/go.chromium.org/luci/common/gcloud/googleoauth (2026-11) */
const tokenInfoSchema = z.object({
  aud: z.string().nullish(),
  scope: z.string(),
  expires_in: z.coerce.number().int().positive(),
});

/** What Google says of an access token. */
export interface TokenInfo {
  scopes: string[];
  /** Milliseconds since 1970. */
  expires_at: number;
  /** The client id of the app that it came from; null: Google does not say. */
  app: string | null;
}

/** Null: Google does not know the token, or no longer. */
async function readTokenInfo(
  context: Pick<LoginContext, "request" | "now">,
  accessToken: string,
): Promise<TokenInfo | null> {
  const url = new URL(`https://${googleLoginHost}/tokeninfo`);
  url.searchParams.set("access_token", accessToken);
  const response = await context.request({ method: "GET", url: url.href, credential: "none", accept: [400, 401] });
  if (response.status !== 200) return null;
  const parsed = tokenInfoSchema.safeParse(response.body);
  if (!parsed.success)
    throw new PublishingError("network_error", "Google's response about the token could not be read.");
  const { scope, expires_in, aud } = parsed.data;
  const expires_at = context.now() + expires_in * 1000;
  return { scopes: scope.split(" ").filter(Boolean), expires_at, app: aud ?? null };
}

/** @throws PublishingError for a token that somebody has handed in, and that Google does not know */
export async function infoOfGiven(context: LoginContext, accessToken: string): Promise<TokenInfo> {
  const info = await readTokenInfo(context, accessToken);
  if (info !== null) return info;
  throw new PublishingError("reauthentication_required", "access_token: Google rejects it; it may have expired.");
}

/** Of the token that a profile has. @throws PublishingError `network_error`: it has just been used, so that Google must know it */
export async function infoOfStored(context: NetworkContext): Promise<TokenInfo> {
  const info = await readTokenInfo(context, String(context.secret.access_token));
  if (info !== null) return info;
  throw new PublishingError("network_error", "Google does not report the access token's scopes.");
}
