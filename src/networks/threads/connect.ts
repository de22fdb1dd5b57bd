import * as z from "zod";
import { documentedObject } from "../../wire/documented-object.ts";
import type { Connector } from "../contract/adapter.ts";
import { inNameOf } from "../shared/bearer.ts";
import { clientId, endTime, scopeList } from "../shared/credential-fields.ts";
import { defined } from "../shared/defined.ts";
import { namingToken } from "../shared/given-token.ts";
import { signForGraph } from "../shared/meta/graph.ts";
import { renewing, renewLongToken } from "../shared/meta/long-token.ts";
import { identityOf, readMe, readTokenFacts } from "./account.ts";
import { readKnown } from "./known.ts";
import { longTokens } from "./oauth.ts";

export const credentialsSchema = documentedObject({
  /** A long-lived access token of Threads. */
  access_token: z
    .string()
    .trim()
    // The token is sent in a header.
    .regex(/^[\w.|-]{20,2000}$/, "An access token issued by Threads.")
    .describe("A long-lived access token of Threads."),
  /**
   * When the token expires, ISO 8601. Default: Threads reports it, or it is unknown until the token is renewed after a
   * day.
   */
  expires_at: endTime
    .optional()
    .describe(
      "When the token expires, ISO 8601. Default: Threads reports it, or it is unknown until the token is renewed after a day.",
    ),
  /** Id of the app that issued the token. */
  client_id: clientId.optional().describe("Id of the app that issued the token."),
  /** The token's scopes. Default: Threads reports them. */
  scopes: scopeList.optional().describe("The token's scopes. Default: Threads reports them."),
});

/** There is no `revoke`: Threads documents no call for it. */
export const connector: Connector<typeof credentialsSchema> = {
  credentials: credentialsSchema,

  login: namingToken(async (context, input) => {
    const { access_token: token, client_id, ...given } = credentialsSchema.parse(input);
    const reading = inNameOf(context, token);
    const account = await readMe(reading);
    const told = await readTokenFacts(reading, token);
    const identity = await identityOf(reading, { account, scopes: told.scopes ?? given.scopes ?? null });
    const expires_at = given.expires_at === undefined ? told.expires_at : Date.parse(given.expires_at);
    return {
      identity: { ...identity, ...(client_id && { app: client_id }) },
      credentials: renewing(defined({ access_token: token, client_id }), { now: context.now(), expires_at }),
    };
  }),

  async inspect(context) {
    const account = await readMe(context);
    const { scopes } = await readTokenFacts(context, String(context.secret.access_token));
    const known = readKnown(context.profile).scopes;
    return identityOf(context, { account, scopes: scopes ?? (known.length > 0 ? known : null) });
  },

  sign: signForGraph,

  refresh: (context) => renewLongToken(longTokens, context, context.secret),
};
