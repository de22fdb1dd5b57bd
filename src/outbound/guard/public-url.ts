import { isIP } from "node:net";
import { refusalOf } from "./addresses.ts";

/** Ends of names that only a machine, a household or a company knows. */
const localNames = /(?:^|\.)(?:localhost|local|internal|lan|home\.arpa)$/;

/**
 * Why somebody on the internet cannot fetch from an address, as far as the
 * address itself tells; null: it may be public.
 */
export function whyNotPublic(url: string): string | null {
  const { protocol, hostname } = new URL(url);
  if (protocol !== "https:") return "is not https";
  const name = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (isIP(name) !== 0) return refusalOf(name) === null ? null : "is not a public address";
  return localNames.test(name) || !name.includes(".") ? "resolves only on your own network" : null;
}
