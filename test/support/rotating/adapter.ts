import { z } from "zod";
import type { Connector, NetworkAdapter } from "../../../src/networks/contract/adapter.ts";
import type { ErrorTable } from "../../../src/networks/contract/errors.ts";
import type { PublishedPart } from "../../../src/networks/contract/plan.ts";
import type { Credentials, Identity } from "../../../src/networks/contract/profile.ts";
import { type Publisher, readBackRules } from "../../../src/networks/contract/publish.ts";
import type { NetworkSpec } from "../../../src/networks/contract/spec.ts";
import { type OAuthTable, revokeToken, type Tokens, tradeRefreshToken } from "../../../src/networks/shared/oauth2.ts";

export const rotatingHost = "api.rotating.example";
const api = `https://${rotatingHost}`;
const source = "https://rotating.example/docs (2026-11)";

/** A login that nobody uses dies after 90 days; it is renewed when half of them are over, milliseconds. */
const renewalMs = 45 * 24 * 3_600_000;

const rotatingApp = { client_id: "app", client_secret: "app-secret" };

const table: OAuthTable & { revoke: string } = {
  name: "Rotating",
  authorize: `${api}/authorize`,
  token: `${api}/token`,
  revoke: `${api}/revoke`,
  clientAuth: "basic",
  pkce: false,
};

const spec: NetworkSpec & { network: "rotating" } = {
  network: "rotating",
  name: "Rotating",
  text: { max: 500, unit: "graphemes" },
  threads: false,
  media: { max_items: 0, mixing: "any", types: [] },
  post_types: ["post"],
  title: null,
  link_card: "from_text",
  inbox: { dm: "none", comment: "none", mention: "none" },
  duplicates: ["located"],
  api_version: "1",
  versions: { "1": null },
  hosts: [rotatingHost],
  rules: [],
  sources: { "text.max": source, media: source },
};

const errors: ErrorTable = {
  body: z.object({ error: z.string() }).transform(({ error }) => ({ codes: [error], message: error })),
  rows: [
    {
      status: 401,
      code: "expired_token",
      as: "reauthentication_required",
      effect: "later",
      remedy: "refresh",
      message: "Rotating does not take this token.",
      source,
    },
    { status: 403, as: "profile_unavailable", effect: "none", message: "The account is suspended.", source },
    { status: 429, as: "network_error", effect: "later", remedy: "rate_limit", message: "Rotating is busy.", source },
  ],
  rateLimitEnd: () => null,
};

const accountSchema = z.object({ id: z.string(), name: z.string() });
const noteSchema = z.object({ id: z.string(), url: z.string() });

const credentials = z.strictObject({ name: z.string().min(1).describe("The account's name.") });

/** As X does it: an access token of two hours, and a refresh token that is good for one use. */
const connect: Connector<typeof credentials> = {
  credentials,
  async login(context, given) {
    const { body } = await context.request({ method: "POST", url: `${api}/login`, body: { json: given } });
    const { access_token, refresh_token, expires_in, grant } = loginSchema.parse(body);
    const authorization = `Bearer ${access_token}`;
    const me = await context.request({ method: "GET", url: `${api}/me`, headers: { authorization } });
    const tokens = { access_token, refresh_token, expires_at: context.now() + expires_in * 1000 };
    return { identity: identityIn(me.body), credentials: { ...toCredentials(tokens, context.now()), grant_id: grant } };
  },
  inspect: async (context) => identityIn((await context.request({ method: "GET", url: `${api}/me` })).body),
  sign: (request, { secret }) => ({
    ...request,
    headers: { ...request.headers, authorization: `Bearer ${secret.access}` },
  }),
  async refresh(context) {
    const refreshToken = String(context.secret.refresh);
    const tokens = await tradeRefreshToken(table, context, { app: rotatingApp, refreshToken });
    return toCredentials(tokens, context.now());
  },
  revoke: (context) => revokeToken(table, context, { app: rotatingApp, token: String(context.secret.refresh) }),
};

const loginSchema = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  expires_in: z.number(),
  grant: z.string(),
});

function toCredentials(
  { access_token, refresh_token, expires_at }: Pick<Tokens, "access_token" | "refresh_token" | "expires_at">,
  now: number,
): Credentials {
  return { secret: { access: access_token, refresh: refresh_token }, expires_at, refresh_at: now + renewalMs };
}

function identityIn(body: unknown): Identity {
  const { id, name } = accountSchema.parse(body);
  const none = { avatar_url: null, url: null, scopes: [], limits: {}, host: null, account_facts: {} };
  return { external_id: id, name, handle: name, ...none };
}

const publish: Publisher = {
  rules: () => readBackRules,
  key: ({ subjectId, part, bodyHash }) => `${subjectId}-${part}-${bodyHash}`,
  commit: ({ part, key }) => ({ method: "PUT", url: `${api}/notes/${key}`, body: { json: { text: part.text } } }),
  accepted({ body }) {
    const live = noteIn(body);
    return live && { live };
  },
  async lookFor(context, { key }) {
    const { status, body } = await context.request({ method: "GET", url: `${api}/notes/${key}`, accept: [404] });
    if (status === 404) return { absent: true };
    const live = noteIn(body);
    return live === null ? { cannot_tell: "The note cannot be read." } : { live };
  },
  textForms: ({ text }) => [text],
};

function noteIn(body: unknown): PublishedPart | null {
  const { success, data } = noteSchema.safeParse(body);
  return success ? { ...data, ref: null } : null;
}

/** A network whose refresh tokens are good for one use: whoever sends one twice is locked out. */
export function rotating(): NetworkAdapter<"rotating", z.ZodObject, typeof credentials> {
  return { spec, options: z.strictObject({}), errors, connect, publish, choices: { album: albums } };
}

/** What the account alone knows. */
const albums: NonNullable<NetworkAdapter["choices"]>[string] = async (context) => {
  const { id, name } = accountSchema.parse((await context.request({ method: "GET", url: `${api}/me` })).body);
  return [{ value: id, name }];
};
