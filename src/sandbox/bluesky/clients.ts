import * as z from "zod";
import type { SandboxPorts } from "../network.ts";
import { Refusal } from "../parts/refusal.ts";
import { publicKeySchema, readToken } from "./tokens.ts";

/** Responds as a web host does, so that servers can read an app's metadata there. */
export type Reached = (request: Request) => Response | Promise<Response>;

/** An app, according to its metadata. */
export interface ClientApp {
  id: string;
  name: string;
  redirectUris: readonly string[];
  scopes: readonly string[];
  /** The URL of its keys; null: it has none. */
  keysAt: string | null;
}

/** The form of a request, with the client's authentication. */
export type Form = Readonly<Record<string, string>>;

/** Apps, read from the URLs of their metadata. */
export interface Clients {
  /** Makes a host reachable for the servers. */
  reach(host: string, answer: Reached): void;
  /** @throws Refusal `invalid_client_metadata` */
  read(clientId: string): Promise<ClientApp>;
  /** The id of the key that the app has authenticated with; null: it has none. @throws Refusal `invalid_client` */
  authenticate(app: ClientApp, form: Form, issuer: string): Promise<string | null>;
}

/** https://atproto.com/specs/oauth#client-id-metadata-document (2026-11) */
const metadataSchema = z.looseObject({
  client_id: z.string(),
  client_name: z.string().optional(),
  client_uri: z.url().optional(),
  application_type: z.enum(["web", "native"]),
  redirect_uris: z.array(z.url({ protocol: /^https$/ })).min(1),
  grant_types: z.array(z.string()).refine((types) => types.includes("authorization_code")),
  response_types: z.array(z.string()).refine((types) => types.includes("code")),
  scope: z.string(),
  dpop_bound_access_tokens: z.literal(true),
  token_endpoint_auth_method: z.enum(["none", "private_key_jwt"]),
  token_endpoint_auth_signing_alg: z.literal("ES256").optional(),
  jwks_uri: z.url({ protocol: /^https$/ }).optional(),
});

const keysSchema = z.object({ keys: z.array(publicKeySchema.extend({ kid: z.string() })) });
const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
/** https://github.com/bluesky-social/atproto/blob/main/packages/oauth/oauth-provider/src/constants.ts (2026-11) */
const assertionMs = 60_000;

export function createClients({ clock }: SandboxPorts): Clients {
  const hosts = new Map<string, Reached>();
  const seen = new Set<string>();

  async function fetchJson(address: string): Promise<unknown> {
    const answer = hosts.get(new URL(address).host);
    const response = await answer?.(new Request(address, { headers: { accept: "application/json" } }));
    const isJson = response?.headers.get("content-type")?.startsWith("application/json") === true;
    if (response?.status !== 200 || !isJson) throw badMetadata(`Unable to fetch ${address}`);
    return response.json();
  }

  return {
    reach: (host, answer) => void hosts.set(host, answer),

    async read(clientId) {
      const development = readDevelopmentId(clientId);
      if (development !== null) return development;
      if (!clientId.startsWith("https://")) throw badMetadata("client_id must be an https address");
      const parsed = metadataSchema.safeParse(await fetchJson(clientId));
      if (!parsed.success) throw badMetadata(`${parsed.error.issues[0]?.path.join(".")} is not right`);
      const metadata = parsed.data;
      const scopes = metadata.scope.split(" ");
      if (metadata.client_id !== clientId) throw badMetadata("client_id does not match");
      if (!scopes.includes("atproto")) throw badMetadata('Missing "atproto" scope');
      if (metadata.client_uri !== undefined && new URL(metadata.client_uri).origin !== new URL(clientId).origin)
        throw badMetadata("client_uri must have the same origin as the client_id");
      const isConfidential = metadata.token_endpoint_auth_method === "private_key_jwt";
      if (isConfidential !== (metadata.token_endpoint_auth_signing_alg !== undefined))
        throw badMetadata("token_endpoint_auth_signing_alg does not fit token_endpoint_auth_method");
      if (isConfidential && metadata.jwks_uri === undefined) throw badMetadata("private_key_jwt requires jwks_uri");
      const keysAt = isConfidential ? (metadata.jwks_uri ?? null) : null;
      const name = metadata.client_name ?? clientId;
      return { id: clientId, name, redirectUris: metadata.redirect_uris, scopes, keysAt };
    },

    async authenticate({ id, keysAt }, form, issuer) {
      if (keysAt === null) return null;
      if (form.client_assertion_type !== assertionType) throw badClient("client_assertion_type is not right");
      const assertion = readToken(form.client_assertion ?? "");
      if (assertion === null) throw badClient('Unable to verify "client_assertion" JWT');
      const { header, payload } = assertion;
      const { keys } = keysSchema.parse(await fetchJson(keysAt));
      const key = keys.find(({ kid }) => kid === header.kid);
      if (header.alg !== "ES256" || key === undefined || !assertion.isSignedBy(key))
        throw badClient("no key of the app's has signed it");
      if (payload.iss !== id || payload.sub !== id || payload.aud !== issuer) throw badClient("not for this server");
      const ageMs = clock.now() - Number(payload.iat) * 1000;
      if (!(ageMs >= 0 && ageMs <= assertionMs)) throw badClient('"iat" claim timestamp check failed');
      if (typeof payload.jti !== "string" || seen.has(payload.jti)) throw badClient("the assertion was used before");
      seen.add(payload.jti);
      return key.kid;
    },
  };
}

/**
 * The metadata of an app on a developer's machine, derived from its client id alone.
 * https://atproto.com/specs/oauth#localhost-client-development (2026-11)
 */
function readDevelopmentId(clientId: string): ClientApp | null {
  if (!/^http:\/\/localhost\/?(\?|$)/.test(clientId)) return null;
  const { searchParams } = new URL(clientId);
  const redirectUris = searchParams.getAll("redirect_uri");
  const scopes = (searchParams.get("scope") ?? "atproto").split(" ");
  const isOwn = (address: string): boolean => /^http:\/\/(127\.0\.0\.1|\[::1\])(:\d+)?\//.test(address);
  if (!redirectUris.every(isOwn)) throw badMetadata("a loopback redirect_uri must use an IP address");
  return { id: clientId, name: "an app in development", redirectUris, scopes, keysAt: null };
}

function badMetadata(description: string): Refusal {
  return oauthRefusal("invalid_client_metadata", description);
}

function badClient(description: string): Refusal {
  return oauthRefusal("invalid_client", `Validation of "client_assertion" failed: ${description}`, 401);
}

/** https://www.rfc-editor.org/rfc/rfc6749#section-5.2 (2026-11) */
export function oauthRefusal(code: string, description: string, status = 400): Refusal {
  return new Refusal(description, { code, status, json: { error: code, error_description: description } });
}
