import type { JsonObject } from "../../wire/json.ts";
import type { ProfileLimits } from "./limits.ts";

/** What the adapter itself learnt about an account when it was connected. */
export interface ProfileFacts {
  /** The profile's: `prof_…`. */
  id: string;
  /** The account's own id on the network. */
  external_id: string;
  /** What people call it on the network; null: it has no such name. */
  handle: string | null;
  /** Where people see the account; null: nowhere. */
  url: string | null;
  /** In what this account is not as the network's spec says. */
  limits: ProfileLimits;
  /** The account's own server, vetted when it was connected: `pds.example.com`. Null where all accounts share the network's hosts. */
  host: string | null;
  /** What `login` or `inspect` wants to find again; never a secret. */
  account_facts: JsonObject;
  /** As in `Identity`. */
  scopes: readonly string[];
}

/** Who an account is, as the network tells it. */
export interface Identity {
  /** Unique on the whole network; for federated networks it holds the instance. */
  external_id: string;
  /** What the account is called where people see it. */
  name: string;
  /** What people call it on the network; null: it has no such name. */
  handle: string | null;
  /** Its picture; null: none. */
  avatar_url: string | null;
  /** Where people see the account; null: nowhere. */
  url: string | null;
  /** What the credentials may do, in the network's own words. */
  scopes: string[];
  /** In what this account is not as the network's spec says. */
  limits: ProfileLimits;
  /** As in `ProfileFacts`. */
  host: string | null;
  /** As in `ProfileFacts`. */
  account_facts: JsonObject;
  /** The network's id for the host's app that the credentials came through. Of a login only. Absent: none is known. */
  app?: string;
  /** As in `Credentials`. Of an inspection only. Absent: what was known stays. */
  reconnect_by?: number | null;
  /** Lists that show older posts of the account, by `AccountList.name`: their silence counts from the first post on. Of a login only. Absent: none is known to. */
  seen?: readonly string[];
}

/** A set of credentials as the vault keeps it. */
export interface Credentials {
  /** What `sign` needs. Encrypted at rest, never shown. */
  secret: JsonObject;
  /** When it must be renewed, milliseconds; null: never. */
  expires_at: number | null;
  /** When it is renewed although nothing needs it, because it would die of idleness, milliseconds. Absent: it would not. */
  refresh_at?: number;
  /**
   * When the login ends although it is renewed, milliseconds: before, the account's owner must log in again. Null: no
   * such end is known. Absent: of a login, the same; of a renewal, what was known stays. Credentials that cannot be
   * renewed end when they expire, which need not be said again where the adapter has no `refresh`.
   */
  reconnect_by?: number | null;
  /**
   * Tells the person's grant, where several profiles may stand on one that ends as a whole: it is taken back with the
   * last of them. Of a login only. Absent: each login is a grant of its own.
   */
  grant_id?: string;
}
