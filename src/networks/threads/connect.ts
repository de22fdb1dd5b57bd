import * as z from "zod";
import { documentedObject } from "../../wire/documented-object.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { Connector } from "../contract/adapter.ts";
import { clientId, endTime, scopeList } from "../shared/credential-fields.ts";
import { withToken } from "../shared/meta/graph.ts";
import { renewing, renewLongToken } from "../shared/meta/long-token.ts";
import { identityOf, readMe, readTokenFacts } from "./account.ts";
import { readKnown } from "./known.ts";
import { longTokens } from "./oauth.ts";

export const credentialsSchema = documentedObject({
  /** A long-lived access token of Threads. */
  access_token: z
    .string()
    .trim()
    // It goes into a header.
    .regex(/^[\w.|-]{20,2000}$/, "An access token, as Threads gave it.")
    .describe("A long-lived access token of Threads."),
  /**
   * When the token runs out, ISO 8601. Default: what Threads says; if nothing, it is renewed after a day, and then it
   * is known.
   */
  expires_at: endTime
    .optional()
    .describe(
      "When the token runs out, ISO 8601. Default: what Threads says; if nothing, it is renewed after a day, and then it is known.",
    ),
  /** Id of the app that the token came from. */
  client_id: clientId.optional().describe("Id of the app that the token came from."),
  /** What the token may do. Default: what Threads says. */
  scopes: scopeList.optional().describe("What the token may do. Default: what Threads says."),
});

/** There is no `revoke`: Threads documents no call for it. */
export const connector: Connector<typeof credentialsSchema> = {
  credentials: credentialsSchema,

  async login(context, input) {
    const { access_token: token, client_id, ...given } = credentialsSchema.parse(input);
    const reading = { request: context.request, now: context.now, token };
    const account = await readMe(reading);
    const told = await readTokenFacts(reading, token);
    const identity = await identityOf(reading, { account, scopes: told.scopes ?? given.scopes ?? null });
    const expires_at = given.expires_at === undefined ? told.expires_at : Date.parse(given.expires_at);
    const secret: JsonObject = client_id === undefined ? { access_token: token } : { access_token: token, client_id };
    return {
      identity: client_id === undefined ? identity : { ...identity, app: client_id },
      credentials: renewing(secret, { now: context.now(), expires_at }),
    };
  },

  async inspect(context) {
    const reading = { request: context.request, now: context.now };
    const account = await readMe(reading);
    const { scopes } = await readTokenFacts(reading, String(context.secret.access_token));
    const known = readKnown(context.profile).scopes;
    return identityOf(reading, { account, scopes: scopes ?? (known.length > 0 ? known : null) });
  },

  sign: (request, { secret }) => withToken(request, String(secret.access_token)),

  refresh: (context) => renewLongToken(longTokens, context, context.secret),
};
