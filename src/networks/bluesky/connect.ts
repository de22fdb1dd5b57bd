import { PublishingError } from "../../wire/errors.ts";
import type { Connector } from "../contract/adapter.ts";
import type { Purpose } from "../shared/scopes.ts";
import { accountSchema, assertActive } from "./account.ts";
import { isPublic, readAnswer, withBearer, xrpc } from "./api.ts";
import type { BlueskyApp } from "./app.ts";
import { browserLogin } from "./browser.ts";
import { anyCredentials, type CredentialsSchema, passwordCredentials } from "./credentials.ts";
import {
  type GrantTools,
  grantedScopes,
  isGrant,
  loginWithGrant,
  refreshGrant,
  revokeGrant,
  signWithGrant,
} from "./grant.ts";
import { readIdentity } from "./identity.ts";
import { deleteSession, loginWithPassword, refreshSession, scopesOf } from "./password.ts";
import { createProver } from "./prover.ts";
import { findServer, operatorsOf, shareSessions } from "./server.ts";

/** What accounts are connected by. */
export interface ConnectSettings extends Pick<GrantTools, "load"> {
  /** Where accounts log in; an address other than the default is asked directly, without looking further. */
  service: string;
  /** Undefined: accounts are connected by app passwords alone. */
  app: BlueskyApp | undefined;
  /** What a login in the browser asks for. */
  purposes: readonly Purpose[];
}

export function createConnector({ service, app, purposes, load }: ConnectSettings): Connector<CredentialsSchema> {
  const prover = createProver();
  const tools: GrantTools = { app, service, prover, load };
  const credentials: CredentialsSchema = app === undefined ? passwordCredentials : anyCredentials;

  return {
    credentials,
    ...(app === undefined ? {} : { browser: browserLogin(app, { purposes, tools }) }),

    async login(context, input) {
      const given = credentials.parse(input);
      return "identifier" in given ? loginWithPassword(context, service, given) : loginWithGrant(context, given, tools);
    },

    async inspect(context) {
      const { known } = context.profile;
      const pds = String(known.pds);
      const response = await context.request({ method: "GET", url: xrpc(pds, "com.atproto.server.getSession") });
      const account = readAnswer(accountSchema, response);
      assertActive(account);
      const scopes = grantedScopes(known) ?? scopesOf(String(context.secret.access));
      const identity = await readIdentity(context, { pds, account, scopes, sign: (request) => request });
      if (known.oauth === undefined) return identity;
      return { ...identity, known: { ...identity.known, oauth: known.oauth } };
    },

    sign(request, signing) {
      if (isPublic(request.url)) return request;
      if (isGrant(signing.secret)) return signWithGrant(request, signing, prover);
      return withBearer(request, String(signing.secret.access));
    },

    heard: prover.heard,

    refresh: (context) => (isGrant(context.secret) ? refreshGrant(context, tools) : refreshSession(context)),

    async relocate(context) {
      const { external_id, known } = context.profile;
      // Any other DID's document lies on a host of its own, to which no credential may be taken along.
      if (!external_id.startsWith("did:plc:") || String(known.pds) === operatorsOf(service)) return null;
      const pds = await findServer(context, external_id);
      if (pds === known.pds) return null;
      const { host } = new URL(pds);
      if (shareSessions(String(known.pds), pds)) return { host, known: { ...known, pds } };
      const again = known.oauth === undefined ? ", with an app password made there" : "";
      throw new PublishingError(
        "reauthentication_required",
        `The account has moved to ${host}: connect the profile again${again}.`,
      );
    },

    revoke: (context) => (isGrant(context.secret) ? revokeGrant(context, tools) : deleteSession(context)),
  };
}
