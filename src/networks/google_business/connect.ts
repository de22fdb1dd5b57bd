import type * as z from "zod";
import { documentedObject } from "../../wire/documented-object.ts";
import { PublishingError } from "../../wire/errors.ts";
import type { Connector } from "../contract/adapter.ts";
import type { Identity } from "../contract/profile.ts";
import { bearerToken, inNameOf, signWithAccessToken } from "../shared/bearer.ts";
import { clientId, endOf, endTime } from "../shared/credential-fields.ts";
import { defined } from "../shared/defined.ts";
import { infoOfGiven, infoOfStored, type TokenInfo } from "../shared/google/login.ts";
import { type GoogleAppSetting, toGoogleCredentials, withGoogleApp } from "../shared/google/tokens.ts";
import type { Purpose } from "../shared/scopes.ts";
import { browserLogin } from "./browser.ts";
import { readKnown } from "./known.ts";
import {
  accountName,
  identityOf,
  locationId,
  type Reached,
  readAccounts,
  readLocation,
  readLocations,
} from "./locations.ts";
import { oauth } from "./oauth.ts";
import { manage } from "./scopes.ts";

export const credentialsSchema = documentedObject({
  /** An access token of a manager of the location, with the scope business.manage. It expires after an hour. */
  access_token: bearerToken.describe(
    "An access token of a manager of the location, with the scope business.manage. It expires after an hour.",
  ),
  /** The refresh token, issued by the same app. Without one the connection ends within the hour. */
  refresh_token: bearerToken
    .optional()
    .describe("The refresh token, issued by the same app. Without one the connection ends within the hour."),
  /** The location, `locations/123`; required if the token gives access to several. */
  location: locationId
    .optional()
    .describe("The location, `locations/123`; required if the token gives access to several."),
  /** The account that manages the location, `accounts/123`. Default: looked up. */
  account: accountName
    .optional()
    .describe("The account that manages the location, `accounts/123`. Default: looked up."),
  /**
   * When the refresh token expires, ISO 8601, if Google reports it: a week after the sign-in while the app is in
   * testing. Default: never.
   */
  refresh_expires_at: endTime
    .optional()
    .describe(
      "When the refresh token expires, ISO 8601, if Google reports it: a week after the sign-in while the app is in testing. Default: never.",
    ),
  /** The app of the browser sign-in that issued it. Leave it out for credentials entered by hand. */
  client_id: clientId
    .optional()
    .describe("The app of the browser sign-in that issued it. Leave it out for credentials entered by hand."),
});

type Given = z.infer<typeof credentialsSchema>;

/** @param options.app the host's app; undefined: locations are connected only by tokens, which cannot be renewed */
export function createConnector(options: {
  app: GoogleAppSetting | undefined;
  purposes: readonly Purpose[];
}): Connector<typeof credentialsSchema> {
  const { app, purposes } = options;
  if (app === undefined) return connector;
  return withGoogleApp(connector, { oauth, app, what: "the location", browser: browserLogin(app, purposes) });
}

const connector: Connector<typeof credentialsSchema> = {
  credentials: credentialsSchema,

  async login(context, input) {
    const given = credentialsSchema.parse(input);
    const { access_token, refresh_token, client_id } = given;
    const info = await infoOfGiven(context, access_token);
    if (!info.scopes.includes(manage))
      throw new PublishingError("invalid_request", `access_token: it lacks the scope ${manage}.`);
    const reading = inNameOf(context, access_token);
    const accounts = await readAccounts(reading);
    const reached = chosen(await readLocations(reading, accounts), given);
    const secret = defined({ access_token, refresh_token, client_id });
    const ends = { expires_at: info.expires_at, refresh_expires_at: endOf(given.refresh_expires_at) };
    const credentials = toGoogleCredentials(secret, ends, context.now());
    // A user's grant covers all of their locations, and ends for all of them.
    const grant_id = `${client_id}/${accounts.personal}`;
    return {
      identity: identityOf(reached, info),
      credentials: { ...credentials, ...(client_id && accounts.personal && { grant_id }) },
    };
  },

  async inspect(context) {
    const { external_id } = context.profile;
    // This first request renews an expired token.
    const location = await readLocation(context, external_id);
    const info = await infoOfStored(context);
    return identityWith({ location, parent: readKnown(context.profile).parent }, info);
  },

  sign: signWithAccessToken,
};

function identityWith(reached: Reached, info: TokenInfo): Identity {
  if (info.scopes.includes(manage)) return identityOf(reached, info);
  throw new PublishingError(
    "reauthentication_required",
    `The access token lacks the scope ${manage}: reconnect the location.`,
  );
}

/** @throws PublishingError naming the available locations */
function chosen(all: readonly Reached[], { location: wanted, account }: Given): Reached {
  const own = account === undefined ? all : all.filter(({ parent }) => parent === account);
  if (wanted !== undefined) {
    const found = own.find(({ location }) => location.name === wanted);
    if (found !== undefined) return found;
    throw new PublishingError("invalid_request", `location: the token gives no access to ${wanted}.`);
  }
  const [only, another] = own;
  if (only === undefined)
    throw new PublishingError("profile_unavailable", "This Google account manages no business profile.");
  if (another === undefined) return only;
  const names = own.slice(0, 10).map(({ location }) => location.name);
  throw new PublishingError(
    "invalid_request",
    `location: the token gives access to several, such as ${names.join(", ")}.`,
  );
}
