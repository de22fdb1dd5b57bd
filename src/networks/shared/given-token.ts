import { PublishingError } from "../../wire/errors.ts";
import type { Connector } from "../contract/adapter.ts";

/** The field of a caller's credentials that holds the token. */
const place = "access_token: ";

/**
 * The same login. If the network rejects the token, the error names the field. The error table cannot do that, because
 * its messages are also for stored tokens, which no caller sent.
 */
export function namingToken(login: Connector["login"]): Connector["login"] {
  return (context, input) =>
    login(context, input).catch((error: unknown) => {
      if (!PublishingError.is(error) || error.code !== "reauthentication_required") throw error;
      if (error.message.startsWith(place)) throw error;
      throw new PublishingError(error.code, `${place}${error.message}`, { cause: error });
    });
}
