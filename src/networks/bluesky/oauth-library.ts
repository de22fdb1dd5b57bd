import { PublishingError } from "../../wire/errors.ts";
import { withRemedy } from "../../wire/remedy.ts";

/** oauth4webapi, which checks every response strictly against the standards. */
export type OAuthLibrary = typeof import("oauth4webapi");

let library: OAuthLibrary | null = null;

/**
 * Loads the library, which only browser sign-ins need.
 *
 * @param load replaced only in tests
 * @throws PublishingError `unsupported` with the command to run, marked as temporary: waiting work continues once the
 * package is installed
 */
export async function loadOAuth(load?: () => Promise<OAuthLibrary>): Promise<OAuthLibrary> {
  // Because of `try`, a host's bundler treats the import as optional and builds without the package.
  try {
    if (load !== undefined) return await load();
    // Cached, because a loader with hooks takes several turns of the event loop for each import.
    library ??= await import("oauth4webapi");
    return library;
  } catch (cause) {
    const message = withRemedy("Bluesky's browser sign-in is not available here.", "npm install oauth4webapi");
    throw new PublishingError("unsupported", message, { cause, isPassing: true });
  }
}
