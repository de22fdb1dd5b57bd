import { PublishingError } from "../../wire/errors.ts";
import type { JsonObject } from "../../wire/json.ts";
import { withRemedy } from "../../wire/remedy.ts";
import { type Purpose, type ScopesByPurpose, scopesFor } from "../shared/scopes.ts";
import { publicKeyOf, type SigningKey, thumbprintOf } from "./signing-key.ts";

/**
 * An app for browser sign-ins. It needs no registration: servers read its metadata from a URL that the handler serves.
 */
export interface BlueskyApp {
  /** The app's name on the sign-in page. */
  name: string;
  /**
   * Private keys for ES256 as JSON Web Keys. The first is used for new logins; each login is renewed with the key that
   * it was made with. Put a new key in front, and keep an old one until no login depends on it. With keys a login lasts
   * two years and can be renewed for three months at a time; without keys it lasts two weeks in all.
   *
   * @default none
   */
  private_keys?: readonly SigningKey[] | undefined;
  /** URL of its logo. @default none */
  logo_uri?: string | undefined;
  /** URL of its terms of service. @default none */
  tos_uri?: string | undefined;
  /** URL of its privacy policy. @default none */
  policy_uri?: string | undefined;
}

/** https://atproto.com/specs/oauth#authorization-scopes and https://atproto.com/specs/permission (2026-11) */
const scopes: ScopesByPurpose = {
  publish: ["atproto", "transition:generic"],
  inbox: ["atproto", "transition:generic", "transition:chat.bsky"],
};

/** The app as an authorization server sees it. */
export interface Client {
  /** The URL of the app's metadata. */
  id: string;
  redirectUri: string;
  /** The scopes that it may request. */
  scopes: readonly string[];
  /** The key that authenticates the app. Null: none. */
  key: SigningKey | null;
}

const metadataName = "client-metadata.json";
const keysName = "jwks.json";

/**
 * @param given.redirectUri the redirect URL
 * @throws PublishingError `unsupported` if servers could not fetch the app's metadata
 */
export function clientOf(app: BlueskyApp, given: { redirectUri: string; purposes: readonly Purpose[] }): Client {
  const wanted = scopesFor(scopes, given.purposes);
  const { protocol } = new URL(given.redirectUri);
  if (isLoopback(given.redirectUri)) return developmentClient(given.redirectUri, wanted);
  if (protocol !== "https:")
    throw new PublishingError(
      "unsupported",
      withRemedy(
        "Accounts on Bluesky cannot be connected in a browser here.",
        "Bluesky's servers fetch the app's metadata from baseUrl, so it must begin with https://. On your own machine use http://127.0.0.1 with a port.",
      ),
    );
  const id = new URL(metadataName, given.redirectUri).href;
  return { id, redirectUri: given.redirectUri, scopes: wanted, key: app.private_keys?.[0] ?? null };
}

const loopbackHosts: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

function isLoopback(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === "http:" && loopbackHosts.has(hostname);
}

/**
 * Servers cannot fetch metadata from a developer's machine, so the client id holds it.
 * https://atproto.com/specs/oauth#localhost-client-development (2026-11)
 */
function developmentClient(redirectUri: string, wanted: readonly string[]): Client {
  const back = new URL(redirectUri);
  // The hostname `localhost` is not allowed there.
  if (back.hostname === "localhost") back.hostname = "127.0.0.1";
  const query = new URLSearchParams({ redirect_uri: back.href, scope: wanted.join(" ") });
  return { id: `http://localhost?${query}`, redirectUri: back.href, scopes: wanted, key: null };
}

/** The app's metadata for authorization servers. https://atproto.com/specs/oauth#client-id-metadata-document (2026-11) */
export function documentsOf(
  app: BlueskyApp,
  given: { redirectUri: string; purposes: readonly Purpose[] },
): Record<string, JsonObject> {
  if (!given.redirectUri.startsWith("https://")) return {};
  const { name, logo_uri, tos_uri, policy_uri, private_keys = [] } = app;
  const { id, redirectUri, scopes: wanted, key } = clientOf(app, given);
  const shown = Object.entries({ logo_uri, tos_uri, policy_uri }).filter(([, address]) => address !== undefined);
  const authentication: JsonObject =
    key === null
      ? { token_endpoint_auth_method: "none" }
      : {
          token_endpoint_auth_method: "private_key_jwt",
          token_endpoint_auth_signing_alg: "ES256",
          jwks_uri: new URL(keysName, redirectUri).href,
        };
  const metadata: JsonObject = {
    client_id: id,
    client_name: name,
    // Any other URL would have to be a parent folder of this document.
    client_uri: new URL(id).origin,
    ...Object.fromEntries(shown),
    application_type: "web",
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    scope: wanted.join(" "),
    dpop_bound_access_tokens: true,
    ...authentication,
  };
  const keys = private_keys.map((each) => ({
    ...publicKeyOf(each),
    kid: thumbprintOf(each),
    use: "sig",
    alg: "ES256",
  }));
  return key === null ? { [metadataName]: metadata } : { [metadataName]: metadata, [keysName]: { keys } };
}

/**
 * Finds the key that a login was made with.
 *
 * @param id null: it was made without a key
 * @throws PublishingError `unsupported`, marked as temporary because the host can add the key at any time
 */
export function keyOf(app: BlueskyApp | undefined, id: string | null): SigningKey | null {
  if (id === null) return null;
  const key = app?.private_keys?.find((each) => thumbprintOf(each) === id);
  if (key !== undefined) return key;
  const message = withRemedy(
    "This service lacks the app's key that issued this access token. Reconnect the profile.",
    `The key ${id.slice(0, 8)}… is not in the app's private_keys. Add it, and the profile works as before.`,
  );
  throw new PublishingError("unsupported", message, { isPassing: true });
}
