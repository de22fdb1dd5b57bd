import type { PublishingCode } from "../wire/errors.ts";

const broken: ReadonlySet<PublishingCode> = new Set(["reauthentication_required", "profile_unavailable"]);

/**
 * True: the problem is the network account itself. Nothing can be published until its owner has reconnected it, or
 * contacted the network.
 */
export function breaksProfile(code: PublishingCode): boolean {
  return broken.has(code);
}
