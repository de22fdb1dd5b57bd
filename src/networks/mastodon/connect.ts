import { z } from "zod";
import { documentedObject } from "../../wire/documented-object.ts";
import { PublishingError } from "../../wire/errors.ts";
import type { Connector, SignedPart } from "../contract/adapter.ts";
import type { Identity } from "../contract/profile.ts";
import type { LoginContext, NetworkRequest } from "../contract/request.ts";
import { instanceHost, readInstance } from "./instance.ts";

export const credentialsSchema = documentedObject({
  /** The account's server: mastodon.social, `@me@mastodon.social` or an address on it. */
  instance: z
    .string()
    .min(1)
    .max(500)
    .describe("The account's server: mastodon.social, `@me@mastodon.social` or an address on it."),
  /**
   * An access token of the account, from Preferences → Development on its server, with the scopes read and
   * write.
   */
  access_token: z
    .string()
    .regex(/^[\x21-\x7e]+$/, "An access token has no spaces.")
    .max(4096)
    .describe(
      "An access token of the account, from Preferences → Development on its server, with the scopes read and write.",
    ),
});

/** https://docs.joinmastodon.org/entities/Account/#CredentialAccount (2026-07) */
const accountSchema = z.object({
  id: z.string().min(1),
  username: z.string().min(1),
  display_name: z.string().nullish(),
  avatar: z.string().nullish(),
  url: z.string().nullish(),
});

/** https://docs.joinmastodon.org/methods/apps/#verify_credentials (2026-07) */
const applicationSchema = z.object({ scopes: z.array(z.string()) });

/** What this package does with an account. https://docs.joinmastodon.org/api/oauth-scopes/ (2026-07) */
const neededScopes = ["read:statuses", "write:statuses", "write:media"];

export const connector: Connector<typeof credentialsSchema> = {
  credentials: credentialsSchema,

  async login(context, input) {
    const { instance, access_token } = credentialsSchema.parse(input);
    const host = instanceHost(instance);
    const sign = (request: NetworkRequest): NetworkRequest => withToken(request, access_token);
    const identity = await readIdentity(context, { host, sign }).catch((error: unknown) => {
      if (!PublishingError.is(error) || error.code !== "reauthentication_required") throw error;
      const message = `access_token: ${host} does not take it, or not for what is needed. Make one in Preferences → Development with the scopes read and write, and copy it whole.`;
      throw new PublishingError(error.code, message, { cause: error });
    });
    return { identity, credentials: { secret: { access_token }, expires_at: null } };
  },

  inspect: (context) => readIdentity(context, { host: String(context.profile.host), sign: (request) => request }),

  sign: (request, { secret }) => withToken(request, String(secret.access_token)),
};

function withToken<Request extends SignedPart>(request: Request, token: string): Request {
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
}

/** @param options.sign puts the token on, where the context does not do it by itself */
async function readIdentity(
  context: Pick<LoginContext, "request">,
  options: { host: string; sign: (request: NetworkRequest) => NetworkRequest },
): Promise<Identity> {
  const { host, sign } = options;
  // The token goes out only after the host has shown that it is such a server.
  const instance = await readInstance(context, host);
  const url = `https://${host}/api/v1/accounts/verify_credentials`;
  const response = await context.request(sign({ method: "GET", url, accept: [422] }));
  // One small server says so of a wrong token (2026-11).
  if (response.status === 422)
    throw new PublishingError("reauthentication_required", `${host} does not take this access token: connect again.`);
  const parsed = accountSchema.safeParse(response.body);
  if (!parsed.success) throw new PublishingError("network_error", `The account on ${host} could not be read.`);
  const account = parsed.data;
  return {
    // Ids are unique on their own server only.
    external_id: `${host}:${account.id}`,
    name: account.display_name || account.username,
    handle: `${account.username}@${instance.domain}`,
    avatar_url: account.avatar ?? null,
    url: account.url ?? null,
    scopes: await readScopes(context, { host, sign }),
    limits: instance.limits,
    host,
    known: {
      account_id: account.id,
      api_version: instance.api_version,
      version: instance.version,
      is_mastodon: instance.is_mastodon,
    },
  };
}

/** The scopes of the token's application; empty where the server does not tell them (before 4.3, and look-alikes). */
async function readScopes(
  context: Pick<LoginContext, "request">,
  options: { host: string; sign: (request: NetworkRequest) => NetworkRequest },
): Promise<string[]> {
  const url = `https://${options.host}/api/v1/apps/verify_credentials`;
  const request = options.sign({ method: "GET", url, accept: [400, 401, 403, 404, 405, 422] });
  const parsed = applicationSchema.safeParse((await context.request(request)).body);
  if (!parsed.success) return [];
  const { scopes } = parsed.data;
  const missing = neededScopes.filter(
    (scope) => !scopes.includes(scope) && !scopes.includes(scope.split(":")[0] ?? ""),
  );
  if (scopes.length > 0 && missing.length > 0)
    throw new PublishingError("invalid_request", `access_token: its application lacks ${missing.join(", ")}.`);
  return scopes;
}
