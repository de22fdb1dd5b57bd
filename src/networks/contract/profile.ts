import type { JsonObject } from "../../wire/json.ts";
import type { ProfileLimits } from "./limits.ts";

/** What the adapter itself learnt about an account when it was connected. */
export interface ProfileFacts {
  id: string;
  /** The account's own id on the network. */
  external_id: string;
  handle: string | null;
  url: string | null;
  limits: ProfileLimits;
  /** The account's own server, vetted when it was connected: `pds.example.com`. Null where all accounts share the network's hosts. */
  host: string | null;
  /** What `login` or `inspect` wants to find again; never a secret. */
  known: JsonObject;
}

/** Who an account is, as the network tells it. */
export interface Identity {
  /** Unique on the whole network; for federated networks it holds the instance. */
  external_id: string;
  name: string;
  handle: string | null;
  avatar_url: string | null;
  url: string | null;
  /** What the credentials may do, in the network's own words. */
  scopes: string[];
  limits: ProfileLimits;
  host: string | null;
  known: JsonObject;
}

/** A set of credentials as the vault keeps it. */
export interface Credentials {
  /** What `sign` needs. Encrypted at rest, never shown. */
  secret: JsonObject;
  /** When it must be renewed, milliseconds; null: never. */
  expires_at: number | null;
  /** When it is renewed although nothing needs it, because it would die of idleness, milliseconds. Absent: it would not. */
  refresh_at?: number;
}
