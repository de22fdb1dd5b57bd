import { SocialError } from "../wire/errors.ts";
import type { Handler } from "./handler.ts";

/**
 * A service in place of a handler would be noticed only at the first request.
 *
 * @param call the function that it was given to
 * @throws SocialError `invalid_options`
 */
export function assertHandler(call: string, given: unknown): asserts given is Handler {
  if (typeof given === "function") return;
  const isService = typeof given === "object" && given !== null && "forAccount" in given;
  const came = isService ? " Pass the service to createHandler, and its result to this function." : "";
  throw new SocialError("invalid_options", `${call} takes a handler: ${call}(createHandler(social)).${came}`);
}
