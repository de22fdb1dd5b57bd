import * as z from "zod";
import { whyNotPublic } from "../outbound/guard/public-url.ts";
import { withRemedy } from "../wire/remedy.ts";
import type { HostingPorts } from "./ports.ts";

export const signedUrlSchema = z.strictObject({
  seconds: z.int().min(1).max(604_800),
  own_host: z.boolean().default(false),
});

/** What an address is to hold for. */
export interface SignedUrl {
  /** How long it is good, 1 to 604,800 (a week). */
  seconds: number;
  /** True: an address below `baseUrl`, for networks that fetch from hosts that they know. @default false */
  own_host?: boolean | undefined;
}

/** An address from which anyone can fetch a file for a time. */
export async function signedAddress(
  { store, addresses, signer, clock, isPrivate }: HostingPorts,
  { key, mime_type }: { key: string; mime_type: string },
  { seconds, own_host }: SignedUrl,
): Promise<string> {
  if (store.address !== undefined && own_host !== true) {
    return store.address(key, { seconds, contentType: mime_type });
  }
  const url = addresses.urlOf(key);
  if (!isPrivate) return url;
  const until = Math.ceil(clock.now() / 1_000) + seconds;
  return `${url}?${signer.sign(key, until)}`;
}

/** Any key will do: whether an address can be reached does not depend on the file. */
const anyKey = `${"0".repeat(32)}/0`;

/**
 * Why no network can fetch a file that the service keeps, and what to do; null:
 * nothing is known that stands in the way.
 */
export async function pullProblem(ports: HostingPorts): Promise<string | null> {
  const url = await signedAddress(ports, { key: anyKey, mime_type: "image/jpeg" }, { seconds: 60 });
  const why = whyNotPublic(url);
  if (why === null) return null;
  const { origin } = new URL(url);
  const isStores = ports.store.address !== undefined;
  const what = isStores ? "a mediaStore whose URLs are public" : "a baseUrl that is public";
  return withRemedy(`this service's files are at ${origin}, which ${why}`, `Set createSocialService to use ${what}.`);
}

/** As `pullProblem`, of a file that the service does not keep. */
export function pullProblemAt(url: string): string | null {
  const why = whyNotPublic(url);
  if (why === null) return null;
  return withRemedy(`its URL ${why}; use a public one`, "Or set createSocialService's mediaStore.");
}
