import type { JsonObject } from "../../wire/json.ts";
import type { ProfileLimits } from "./limits.ts";

/** Facts about a connected profile: its ids, and what the adapter learnt about the account. */
export interface ProfileFacts {
  /** The profile's id: `prof_…`. */
  id: string;
  /** The account's own id on the network. */
  external_id: string;
  /** The account's handle on the network. Null: it has none. */
  handle: string | null;
  /** The account's page. Null: it has none. */
  url: string | null;
  /** Limits that differ from the network's spec. */
  limits: ProfileLimits;
  /** The account's own server, checked when it was connected: `pds.example.com`. Null: all accounts share the network's hosts. */
  host: string | null;
  /** Data that `login` or `inspect` needs later. Never a secret. */
  account_facts: JsonObject;
  /** As in `Identity`. */
  scopes: readonly string[];
}

/** An account, as the network describes it. */
export interface Identity {
  /** Unique on the whole network. On federated networks it includes the instance. */
  external_id: string;
  /** The display name. */
  name: string;
  /** The account's handle on the network. Null: it has none. */
  handle: string | null;
  /** The URL of the avatar. Null: none. */
  avatar_url: string | null;
  /** The account's page. Null: it has none. */
  url: string | null;
  /** The granted scopes, by the network's names. */
  scopes: string[];
  /** Limits that differ from the network's spec. */
  limits: ProfileLimits;
  /** As in `ProfileFacts`. */
  host: string | null;
  /** As in `ProfileFacts`. */
  account_facts: JsonObject;
  /** The network's id for the host's app that issued the credentials. Only from `login`. Absent: unknown. */
  app?: string;
  /** As in `Credentials`. Only from `inspect`. Absent: the stored value stays. */
  reconnect_by?: number | null;
  /**
   * Lists that show older posts of the account, by `AccountList.name`. A post that is missing from them counts from the
   * first post on. Only from `login`. Absent: no list is known to.
   */
  seen?: readonly string[];
}

/** A set of credentials, as stored in the vault. */
export interface Credentials {
  /** Data for `sign`. Encrypted at rest, never shown. */
  secret: JsonObject;
  /** When it must be renewed, milliseconds. Null: never. */
  expires_at: number | null;
  /** When it is renewed only to stay valid, because unused credentials expire, milliseconds. Absent: they do not. */
  refresh_at?: number;
  /**
   * When the connection ends despite renewal, milliseconds: the account's owner must sign in again before that. Null:
   * the end is not known. Absent: from `login` the same as null; from `refresh`, the stored value stays. Credentials
   * that cannot be renewed end when they expire. An adapter without `refresh` need not repeat that here.
   */
  reconnect_by?: number | null;
  /**
   * Identifies the user's grant, if several profiles may share one that is revoked as a whole. It is revoked together
   * with the last of them. Only from `login`. Absent: each connection has its own grant.
   */
  grant_id?: string;
}
