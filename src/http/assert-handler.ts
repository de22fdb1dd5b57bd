import { SocialError } from "../wire/errors.ts";
import type { Handler } from "./handler.ts";

/**
 * Rejects a service that is passed in place of a handler, which would otherwise fail only at the first request.
 *
 * @param call the function that received it
 * @throws SocialError `invalid_options`
 */
export function assertHandler(call: string, given: unknown): asserts given is Handler {
  if (typeof given === "function") return;
  const isService = typeof given === "object" && given !== null && "forAccount" in given;
  const came = isService ? " Pass the service to createHandler, and its result to this function." : "";
  throw new SocialError("invalid_options", `${call} requires a handler: ${call}(createHandler(social)).${came}`);
}
