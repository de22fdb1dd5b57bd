import * as z from "zod";
import { documentedObject } from "../../wire/documented-object.ts";
import { PublishingError } from "../../wire/errors.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { Connector } from "../contract/adapter.ts";
import type { NetworkRequest } from "../contract/request.ts";
import { withBearer } from "../shared/bearer.ts";
import { accountSchema, assertActive } from "./account.ts";
import { isPublic, readAnswer, xrpc } from "./api.ts";
import type { BlueskyApp } from "./app.ts";
import { credentialsSchema } from "./credentials.ts";
import { readIdentity } from "./identity.ts";
import type { LoginSettings, Logins } from "./logins.ts";
import { deleteSession, loginWithPassword, refreshSession, scopesOf } from "./password.ts";
import { findServer, operatorsOf, shareSessions } from "./server.ts";

/** The input of a browser sign-in. */
const input = documentedObject({
  /**
   * The account's handle (alice.bsky.social) or DID; or a server, which asks the user for the account:
   * https://bsky.social.
   */
  handle: z
    .string()
    .min(1)
    .max(2048)
    .describe(
      "The account's handle (alice.bsky.social) or DID; or a server, which asks the user for the account: https://bsky.social.",
    ),
});

export function createConnector(settings: LoginSettings): Connector<typeof credentialsSchema> {
  const { service, app } = settings;
  const logins = lazily(settings);

  return {
    credentials: credentialsSchema,
    ...(app === undefined ? {} : { browser: browserOf(app, logins.load) }),

    async login(context, credentials) {
      const given = credentialsSchema.parse(credentials);
      if (!("login_secrets" in given)) return loginWithPassword(context, service, given);
      return (await logins.load()).login(context, given.login_secrets);
    },

    async inspect(context) {
      const { account_facts: known } = context.profile;
      const pds = String(known.pds);
      const response = await context.request({ method: "GET", url: xrpc(pds, "com.atproto.server.getSession") });
      const account = readAnswer(accountSchema, response);
      assertActive(account);
      const oauth = known.oauth as { scopes: string[] } | undefined;
      const scopes = oauth?.scopes ?? scopesOf(String(context.secret.access));
      const confirmed = known.confirmed_handle;
      const sign = (request: NetworkRequest): NetworkRequest => request;
      const identity = await readIdentity(context, { pds, account, service, confirmed, scopes, sign });
      return oauth === undefined ? identity : { ...identity, account_facts: { ...identity.account_facts, oauth } };
    },

    async sign(request, signing) {
      if (isPublic(request.url)) return request;
      if (isGrant(signing.secret)) return (await logins.load()).sign(request, signing);
      return withBearer(request, String(signing.secret.access));
    },

    onResponse: (answer) => logins.loaded()?.onResponse(answer),

    async refresh(context) {
      return isGrant(context.secret) ? (await logins.load()).refresh(context) : refreshSession(context);
    },

    async relocate(context) {
      const { external_id, account_facts: known } = context.profile;
      // The document of any other DID is on its own host, to which credentials may not be sent.
      if (!external_id.startsWith("did:plc:") || String(known.pds) === operatorsOf(service)) return null;
      const pds = await findServer(context, external_id);
      if (pds === known.pds) return null;
      const { host } = new URL(pds);
      if (shareSessions(String(known.pds), pds)) return { host, account_facts: { ...known, pds } };
      const how = known.oauth === undefined ? ", with an app password created there" : "";
      throw new PublishingError(
        "reauthentication_required",
        `The account has moved to ${host}: reconnect the profile${how}.`,
      );
    },

    async revoke(context) {
      return isGrant(context.secret) ? (await logins.load()).revoke(context) : deleteSession(context);
    },
  };
}

/** True: the credentials come from a browser sign-in. */
function isGrant(secret: JsonObject): boolean {
  return secret.key !== undefined;
}

function browserOf(app: BlueskyApp, load: () => Promise<Logins>): NonNullable<Connector["browser"]> {
  return {
    input,
    begin: async (context, given) => (await load()).browser(app).begin(context, given),
    finish: async (context, back) => (await load()).browser(app).finish(context, back),
    documents: async (place) => (await load()).browser(app).documents(place),
  };
}

let loginsModule: typeof import("./logins.ts") | null = null;

/** Loads the code for browser sign-ins with the first one, because most hosts have none. */
function lazily(settings: LoginSettings): { load(): Promise<Logins>; loaded(): Logins | null } {
  let loaded: Logins | null = null;
  return {
    async load() {
      loginsModule ??= await import("./logins.ts");
      loaded ??= loginsModule.createLogins(settings);
      return loaded;
    },
    loaded: () => loaded,
  };
}
