import { withDeadline } from "../../async/deadline.ts";
import type { Clock } from "../../ports/clock.ts";
import { codeOf, guardError, refused } from "./errors.ts";
import { type Resolve, readAllowList, vetUrl } from "./target.ts";

/** How long a name is looked up before nothing is said about it, milliseconds. */
const timeoutMs = 5_000;

/**
 * Makes a function that says why the guard would refuse an address, by the name
 * of the class; null: it would not, or the name cannot be looked up now. It
 * sends nothing.
 *
 * @param options as the guard's
 */
export function createRefusalOf(options: {
  clock: Clock;
  resolve: Resolve;
  allow: readonly string[];
}): (url: string) => Promise<string | null> {
  const { clock, resolve } = options;
  const rules = { resolve, allow: readAllowList(options.allow) };
  const deadline = { clock, timeoutMs, expired: () => guardError("CONNECT_TIMEOUT", "the DNS look-up timed out") };
  return async (url) => {
    try {
      if (!URL.canParse(url)) throw refused("not a valid address");
      await withDeadline(deadline, () => vetUrl(new URL(url), rules));
      return null;
    } catch (error) {
      if (codeOf(error) !== "ADDRESS_REFUSED") return null;
      return error instanceof Error ? error.message : String(error);
    }
  };
}
