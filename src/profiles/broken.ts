import type { PublishingCode } from "../wire/errors.ts";

const broken: ReadonlySet<PublishingCode> = new Set(["reauthentication_required", "profile_unavailable"]);

/** It is about the account itself: nothing goes on with it until its owner has reconnected it, or contacted the network. */
export function breaksProfile(code: PublishingCode): boolean {
  return broken.has(code);
}
