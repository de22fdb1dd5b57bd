import type { ProfileLimits } from "../networks/contract/limits.ts";
import type { Credentials, ProfileFacts } from "../networks/contract/profile.ts";
import { isoTime } from "../ports/clock.ts";
import type { JsonObject } from "../wire/json.ts";
import type { ClaimableRow } from "../work/lease.ts";
import type { RefreshPause } from "./refresh-pause.ts";
import { type Profile, profileSchema } from "./schema.ts";

/** A profile as stored: the wire's fields, who holds it, and what only we see. */
export type ProfileRow = Profile & {
  account_id: string;
  limits: ProfileLimits;
  /** Before this no further post of a backlog goes out, milliseconds; absent: there was none. */
  paced_until?: number;
  private: ProfileState;
} & ClaimableRow;

export interface ProfileState {
  /** The sealed credentials; null once destroyed. */
  secret: string | null;
  /** When the credentials were given last, milliseconds. */
  connected_at: number;
  /** When the credentials must be renewed, milliseconds. */
  expires_at: number | null;
  /** When they are renewed although nothing needs them, milliseconds; null: they do not die of idleness. */
  refresh_at: number | null;
  /** Before its end nobody asks for a renewal; null or absent: there is none. */
  refresh_pause?: RefreshPause | null;
  host: string | null;
  account_facts: JsonObject;
  /** The host's app that the credentials came through; null: none is known. */
  app: string | null;
  /** The network's rate limit ends, milliseconds. */
  limited_until: number | null;
  /** Lists of the network that have shown posts of a kind, by `AccountList.name`: when they last did, milliseconds. */
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

/** When credentials end and are renewed, in whole milliseconds, as a store takes them: an adapter may halve an odd time. */
export function timesOf({ expires_at, refresh_at }: Pick<Credentials, "expires_at" | "refresh_at">): {
  expires_at: number | null;
  refresh_at: number | null;
} {
  const whole = (ms: number | null): number | null => (ms === null ? null : Math.floor(ms));
  return { expires_at: whole(expires_at), refresh_at: whole(refresh_at ?? null) };
}

/** When a profile's login is to be renewed although nothing needs it, milliseconds; null: never. */
export function renewalOf({ status, private: state }: Pick<ProfileRow, "status" | "private">): number | null {
  return status === "connected" && state.secret !== null ? state.refresh_at : null;
}

/** After a login should have ended, milliseconds: a network's clock may be late. */
const lookAfterEndMs = 60_000;

/** When a profile's login is looked at, because it should have ended, milliseconds; null: no end is known. */
export function endLookOf({ status, reconnect_by }: Pick<ProfileRow, "status" | "reconnect_by">): number | null {
  return status === "connected" && reconnect_by !== null ? Date.parse(reconnect_by) + lookAfterEndMs : null;
}

/** When a profile's login needs care although nothing uses it, milliseconds; null: never. */
export function loginDueOf(profile: Pick<ProfileRow, "status" | "private" | "reconnect_by">): number | null {
  const times = [renewalOf(profile), endLookOf(profile)].filter((at) => at !== null);
  return times.length === 0 ? null : Math.min(...times);
}

/** The end of a login, milliseconds, as the wire shows it. */
export function endTimeOf(ms: number | null | undefined): string | null {
  return ms == null ? null : isoTime(Math.floor(ms));
}

/** A profile as the wire shows it. */
export function toProfile(row: ProfileRow): Profile {
  return profileSchema.parse(row);
}
