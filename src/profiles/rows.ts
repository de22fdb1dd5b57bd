import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { ProfileLimits } from "../networks/contract/limits.ts";
import type { Credentials, ProfileFacts } from "../networks/contract/profile.ts";
import { accessOf } from "../networks/runtime/inbox-access.ts";
import { isoTime } from "../ports/clock.ts";
import type { JsonObject } from "../wire/json.ts";
import type { ClaimableRow } from "../work/lease.ts";
import type { RefreshPause } from "./refresh-pause.ts";
import { type Profile, profileSchema } from "./schema.ts";

/** A profile as stored: the response fields, the lease, and private state. */
export type ProfileRow = Omit<Profile, "inbox"> & {
  account_id: string;
  limits: ProfileLimits;
  /** No further post of a backlog is published before this time, milliseconds; absent: there was none. */
  paced_until?: number;
  private: ProfileState;
} & ClaimableRow;

export interface ProfileState {
  /** The encrypted credentials; null: deleted. */
  secret: string | null;
  /** When the credentials were last supplied, milliseconds. */
  connected_at: number;
  /** When the credentials must be renewed, milliseconds. */
  expires_at: number | null;
  /** When they are renewed even if unused, milliseconds; null: they do not expire when unused. */
  refresh_at: number | null;
  /** No renewal is attempted before its end; null or absent: none. */
  refresh_pause?: RefreshPause | null;
  host: string | null;
  account_facts: JsonObject;
  /** The host's app that the credentials belong to; null: unknown. */
  app: string | null;
  /** The end of the network's rate limit, milliseconds. */
  limited_until: number | null;
  /** When each list of the network last showed posts of a kind, by `AccountList.name`, milliseconds. */
  visible_lists?: Record<string, number>;
}

export function factsOf(row: ProfileRow): ProfileFacts {
  const { id, external_id, handle, url, limits, scopes } = row;
  return {
    id,
    external_id,
    handle,
    url,
    limits,
    host: row.private.host,
    account_facts: row.private.account_facts,
    scopes,
  };
}

/** Rounds the times of credentials to whole milliseconds, which stores require: an adapter may halve an odd time. */
export function timesOf({ expires_at, refresh_at }: Pick<Credentials, "expires_at" | "refresh_at">): {
  expires_at: number | null;
  refresh_at: number | null;
} {
  const whole = (ms: number | null): number | null => (ms === null ? null : Math.floor(ms));
  return { expires_at: whole(expires_at), refresh_at: whole(refresh_at ?? null) };
}

/** When unused credentials must be renewed, milliseconds; null: never. */
export function renewalOf({ status, private: state }: Pick<ProfileRow, "status" | "private">): number | null {
  return status === "connected" && state.secret !== null ? state.refresh_at : null;
}

/** How long after its stated end a connection is checked, milliseconds: a network's clock may be late. */
const lookAfterEndMs = 60_000;

/** When a profile is checked because its connection should have ended, milliseconds; null: no end is known. */
export function endLookOf({ status, reconnect_by }: Pick<ProfileRow, "status" | "reconnect_by">): number | null {
  return status === "connected" && reconnect_by !== null ? Date.parse(reconnect_by) + lookAfterEndMs : null;
}

/** When unused credentials next need a renewal or a check, milliseconds; null: never. */
export function loginDueOf(profile: Pick<ProfileRow, "status" | "private" | "reconnect_by">): number | null {
  const times = [renewalOf(profile), endLookOf(profile)].filter((at) => at !== null);
  return times.length === 0 ? null : Math.min(...times);
}

/** An end time, given in milliseconds, as responses show it. */
export function endTimeOf(ms: number | null | undefined): string | null {
  return ms == null ? null : isoTime(Math.floor(ms));
}

/**
 * A profile as responses show it. Its inbox features are computed here and not stored, so that a profile has those that
 * its adapter gained after it was connected.
 *
 * @param adapter undefined: the service does not have the profile's network
 */
export function toProfile(row: ProfileRow, adapter: NetworkAdapter | undefined): Profile {
  return profileSchema.parse({ ...row, inbox: accessOf(adapter, factsOf(row)) });
}
