import { PublishingError } from "../../wire/errors.ts";
import { withRemedy } from "../../wire/remedy.ts";

/** oauth4webapi, which reads every answer as strictly as the standards ask. */
export type OAuthLibrary = typeof import("oauth4webapi");

let library: OAuthLibrary | null = null;

/**
 * Only who has browser logins needs it.
 *
 * @param load replaced in tests only
 * @throws PublishingError `unsupported` with the line to type, a passing one: what waits for it goes on when it is there
 */
export async function loadOAuth(load?: () => Promise<OAuthLibrary>): Promise<OAuthLibrary> {
  // Inside `try`, a bundler of the host takes the import for one that may fail: without the package it builds all the same.
  try {
    if (load !== undefined) return await load();
    // Where the loader has hooks, asking it takes turns of the event loop each time.
    library ??= await import("oauth4webapi");
    return library;
  } catch (cause) {
    const message = withRemedy("Bluesky's browser login is not available here.", "npm install oauth4webapi");
    throw new PublishingError("unsupported", message, { cause, isPassing: true });
  }
}
