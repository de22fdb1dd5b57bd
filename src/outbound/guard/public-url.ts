import { isIP } from "node:net";
import { refusalOf } from "./addresses.ts";

/** Suffixes of names that only resolve on a machine, in a household or in a company. */
const localNames = /(?:^|\.)(?:localhost|local|internal|lan|home\.arpa)$/;

/** Why a URL cannot be fetched from the internet, as far as the URL itself shows; null: it may be public. */
export function whyNotPublic(url: string): string | null {
  const { protocol, hostname } = new URL(url);
  if (protocol !== "https:") return "is not https";
  const name = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (isIP(name) !== 0) return refusalOf(name) === null ? null : "is not a public address";
  return localNames.test(name) || !name.includes(".") ? "resolves only on your own network" : null;
}
