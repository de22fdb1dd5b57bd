import { z } from "zod";
import { networkId } from "../networks/contract/network-id.ts";
import type { EventsOf } from "../ports/events.ts";
import { documentedAnswer, documentedObject } from "../wire/documented-object.ts";
import { pageSchema } from "../wire/pagination.ts";

const profileStatuses = ["connected", "needs_attention", "disconnected"] as const;

const inboxAccess = z.enum(["none", "read", "reply"]);

export const profileSchema = documentedAnswer({
  id: z.string(),
  name: z.string(),
  network: networkId,
  handle: z.string().nullable(),
  avatar_url: z.string().nullable(),
  /** Its page on the network. */
  url: z.string().nullable().describe("Its page on the network."),
  /** The account's own id on the network. */
  external_id: z.string().describe("The account's own id on the network."),
  /** Posts go out on `connected` profiles only. */
  status: z.enum(profileStatuses).describe("Posts go out on `connected` profiles only."),
  /** Why it needs attention, and what to do. */
  status_reason: z.string().nullable().describe("Why it needs attention, and what to do."),
  /** What the network lets the service do, in the network's words. */
  scopes: z.array(z.string()).describe("What the network lets the service do, in the network's words."),
  /** Renewed before, where the network allows. */
  token_expires_at: z.string().nullable().describe("Renewed before, where the network allows."),
  /** What this account or instance allows beyond the network's default. */
  limits: z.record(z.string(), z.json()).describe("What this account or instance allows beyond the network's default."),
  inbox: documentedAnswer({ dm: inboxAccess, comment: inboxAccess, mention: inboxAccess }),
  created_at: z.string(),
  updated_at: z.string(),
  /** When the network last confirmed it. */
  last_checked_at: z.string().nullable().describe("When the network last confirmed it."),
}).meta({ id: "Profile" });

/** A connected account. Never holds a token. */
export type Profile = z.infer<typeof profileSchema>;

/** What the events of profiles tell. Emitted after the change is stored. */
export interface ProfileEvents {
  "profile.connected": { account_id: string; profile: Profile };
  "profile.disconnected": { account_id: string; profile: Profile };
  /** A profile's credentials have stopped working; once per break. */
  "profile.needs_attention": { account_id: string; profile: Profile };
}

export type ProfileEvent = EventsOf<ProfileEvents>;

export const connectProfileSchema = documentedObject({
  /** Which network. */
  network: networkId.describe("Which network."),
  /** An app password, a token, a webhook address: as the network's folder says. */
  credentials: z
    .record(z.string(), z.json())
    .describe("An app password, a token, a webhook address: as the network's folder says."),
  /** Reconnect this profile; the credentials must be the same account's. */
  profile_id: z.string().nullish().describe("Reconnect this profile; the credentials must be the same account's."),
}).meta({ id: "ConnectProfile" });

/** What `profiles.connect` takes: a network and the credentials of an account there. */
export type ConnectProfile = z.input<typeof connectProfileSchema>;

export const listProfilesSchema = pageSchema.extend({
  /** Only profiles on this network. */
  network: networkId.optional().describe("Only profiles on this network."),
  /** Only profiles in this status. */
  status: z.enum(profileStatuses).optional().describe("Only profiles in this status."),
});

/** What `profiles.list` takes: which profiles, and which page of them. */
export type ListProfiles = z.input<typeof listProfilesSchema>;
