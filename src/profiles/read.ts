import type { Storage } from "../storage/storage.ts";
import { fromRow } from "../storage/typed.ts";
import { SocialError } from "../wire/errors.ts";
import type { ProfileRow } from "./rows.ts";

/** @throws SocialError `not_found`, for another account's, too */
export async function readProfile(
  { storage }: { storage: Storage },
  accountId: string,
  id: string,
): Promise<ProfileRow> {
  const row = await storage.get("profiles", id);
  const profile = row === null ? null : fromRow<ProfileRow>(row);
  if (profile !== null && profile.account_id === accountId) return profile;
  throw new SocialError("not_found", "This account has no such profile.");
}
