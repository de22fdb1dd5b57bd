import type { Credentials } from "../networks/contract/profile.ts";
import type { Operation, Storage } from "../storage/storage.ts";

/** The network's grant of each profile; a row's id is the profile's. */
const collection = "grants";

/** The operations to write with a new profile's credentials. */
export function keepGrant(profileId: string, { grant_id }: Credentials): Operation[] {
  return grant_id === undefined ? [] : [{ kind: "insert", collection, row: { id: profileId, grant_id } }];
}

/** The operations to write with new credentials of an existing profile. */
export function replaceGrant(profileId: string, credentials: Credentials): Operation[] {
  return [forgetGrant(profileId), ...keepGrant(profileId, credentials)];
}

/** The operation to write when a profile's credentials are deleted. */
export function forgetGrant(profileId: string): Operation {
  return { kind: "delete", collection, id: profileId };
}

/** False: another connected profile, of any account, uses the same grant. */
export async function isLastOnGrant(storage: Storage, profileId: string): Promise<boolean> {
  const row = await storage.get(collection, profileId);
  if (row === null) return true;
  const grants = await storage.find(collection, {
    where: { grant_id: row.grant_id as string },
    order: { column: "id", direction: "asc" },
    isCounted: false,
  });
  const others = grants.rows.map(({ id }) => id).filter((id) => id !== profileId);
  const where = { id: { in: others }, status: { in: ["connected", "needs_attention"] } };
  const { rows } = await storage.find("profiles", { where, limit: 1, isCounted: false });
  return rows.length === 0;
}
