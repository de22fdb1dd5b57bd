import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import { type ProfileRow, toProfile } from "../profiles/rows.ts";
import { fromRow } from "../storage/typed.ts";
import { type ErrorDetail, SocialError } from "../wire/errors.ts";
import type { PlanningPorts } from "./ports.ts";

/** A profile that a post is addressed to, and its network. */
export interface Addressee {
  profile: ProfileRow;
  adapter: NetworkAdapter;
}

/**
 * Reads the profiles that a request names, in its order. Another account's profile is treated like one that does not
 * exist.
 *
 * @throws SocialError `invalid_request` with one detail per id that cannot be addressed
 */
export async function readAddressees(
  ports: PlanningPorts,
  accountId: string,
  profileIds: readonly string[],
): Promise<Addressee[]> {
  const details: ErrorDetail[] = [];
  const addressees: Addressee[] = [];
  for (const [index, id] of profileIds.entries()) {
    const field = `profile_ids[${index}]`;
    if (profileIds.indexOf(id) !== index) {
      details.push({ field, code: "invalid_request", message: "This profile is listed twice; list each once." });
      continue;
    }
    const row = await ports.storage.get("profiles", id);
    const profile = row === null ? null : fromRow<ProfileRow>(row);
    const adapter = profile === null ? undefined : ports.adapter(profile.network);
    if (profile === null || profile.account_id !== accountId) {
      details.push({
        field,
        code: "profile_unavailable",
        message: "This profile does not exist; see the list of profiles.",
      });
    } else if (adapter === undefined) {
      const message = `The service was created without the network ${profile.network}.`;
      details.push({ field, network: profile.network, code: "profile_unavailable", message });
    } else if (adapter.publish === undefined) {
      const message = `${adapter.spec.name} does not support publishing: profiles there have only an inbox.`;
      details.push({ field, network: profile.network, code: "unsupported", message });
    } else {
      addressees.push({ profile, adapter });
    }
  }
  refuse(details);
  return addressees;
}

/** @throws SocialError `invalid_request` if a profile cannot publish now */
export function assertUsable(addressees: readonly Addressee[], profileIds: readonly string[]): void {
  refuse(
    addressees.flatMap(({ profile }): ErrorDetail[] => {
      if (profile.status === "connected") return [];
      const field = `profile_ids[${profileIds.indexOf(profile.id)}]`;
      if (profile.status === "disconnected") {
        const message = "This profile is disconnected. Reconnect it.";
        return [{ field, network: profile.network, code: "profile_unavailable", message }];
      }
      const message = profile.status_reason ?? "This profile needs attention. Reconnect it.";
      return [{ field, network: profile.network, code: "reauthentication_required", message }];
    }),
  );
}

/** @throws SocialError `payment_required` if the host's `entitlements` refuse */
export async function assertEntitled(
  ports: PlanningPorts,
  accountId: string,
  addressees: readonly Addressee[],
): Promise<void> {
  const details: ErrorDetail[] = [];
  for (const { adapter, profile } of addressees) {
    if (await ports.entitlements({ account_id: accountId, profile: toProfile(profile, adapter) })) continue;
    const message = `The plan does not cover publishing on ${profile.name}.`;
    details.push({ field: "profile_ids", network: profile.network, code: "payment_required", message });
  }
  if (details.length > 0) {
    throw new SocialError("payment_required", "The plan does not cover every profile of this post.", { details });
  }
}

function refuse(details: ErrorDetail[]): void {
  if (details.length === 0) return;
  throw new SocialError("invalid_request", "Some profiles of the post cannot publish; see details.", {
    details,
  });
}
