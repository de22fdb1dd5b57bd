import * as z from "zod";
import { networkId } from "../networks/contract/network-id.ts";
import { inboxAccessSchema } from "../networks/runtime/inbox-access-schema.ts";
import type { EventsOf } from "../ports/events.ts";
import { dateTime } from "../wire/date-time.ts";
import { documentedAnswer, documentedObject } from "../wire/documented-object.ts";
import { type PageQuery, pageSchema } from "../wire/pagination.ts";

const profileStatuses = ["connected", "needs_attention", "disconnected"] as const;

export const profileSchema = documentedAnswer({
  /** The profile's id: `prof_…`. */
  id: z.string().describe("The profile's id: `prof_…`."),
  /** The account's display name. */
  name: z.string().describe("The account's display name."),
  /** The account's network. */
  network: networkId.describe("The account's network."),
  /** The account's handle on the network. */
  handle: z.string().nullable().describe("The account's handle on the network."),
  /** URL of its avatar. */
  avatar_url: z.string().nullable().describe("URL of its avatar."),
  /** URL of its page on the network. */
  url: z.string().nullable().describe("URL of its page on the network."),
  /** The account's own id on the network. */
  external_id: z.string().describe("The account's own id on the network."),
  /** Only `connected` profiles can publish. */
  status: z.enum(profileStatuses).describe("Only `connected` profiles can publish."),
  /** Why it needs attention, and the remedy. */
  status_reason: z.string().nullable().describe("Why it needs attention, and the remedy."),
  /** The granted scopes, in the network's terms. */
  scopes: z.array(z.string()).describe("The granted scopes, in the network's terms."),
  /** When the credentials expire. They are renewed before, if the network allows it. */
  token_expires_at: z
    .string()
    .nullable()
    .describe("When the credentials expire. They are renewed before, if the network allows it."),
  /** When the owner must reconnect the profile, because renewals end. Null: no end is known. */
  reconnect_by: z
    .string()
    .nullable()
    .describe("When the owner must reconnect the profile, because renewals end. Null: no end is known."),
  /** Limits of this account or instance that differ from the network's default. */
  limits: z
    .record(z.string(), z.json())
    .describe("Limits of this account or instance that differ from the network's default."),
  /** The inbox features of the profile, by its permissions. */
  inbox: inboxAccessSchema.describe("The inbox features of the profile, by its permissions."),
  /** When it was first connected. */
  created_at: z.string().describe("When it was first connected."),
  /** When it last changed. */
  updated_at: z.string().describe("When it last changed."),
  /** When the network last confirmed the credentials. */
  last_checked_at: z.string().nullable().describe("When the network last confirmed the credentials."),
}).meta({ id: "Profile" });

/** A connection to an account on a network. Never contains a token. */
export type Profile = z.infer<typeof profileSchema>;

export const optionChoiceSchema = documentedAnswer({
  /** The option's value. */
  value: z.string().describe("The option's value."),
  /** The display name of the value. */
  name: z.string().describe("The display name of the value."),
}).meta({ id: "OptionChoice" });

/** The payloads of profile events. They are emitted after the change is stored. */
export interface ProfileEvents {
  "profile.connected": { account_id: string; profile: Profile };
  "profile.disconnected": { account_id: string; profile: Profile };
  /** A profile's credentials have stopped working. Emitted once each time. */
  "profile.needs_attention": { account_id: string; profile: Profile };
}

export type ProfileEvent = EventsOf<ProfileEvents>;

export const connectProfileSchema = documentedObject({
  /** The network. */
  network: networkId.describe("The network."),
  /** An app password, a token or a webhook URL: see the network's guide. */
  credentials: z
    .record(z.string(), z.json().optional())
    .describe("An app password, a token or a webhook URL: see the network's guide."),
  /** Reconnect this profile; the credentials must belong to the same account. */
  profile_id: z.string().nullish().describe("Reconnect this profile; the credentials must belong to the same account."),
}).meta({ id: "ConnectProfile" });

/** The argument of `profiles.connect`: a network and the credentials of an account there. */
export type ConnectProfile = z.input<typeof connectProfileSchema>;

const profileFilters = documentedObject({
  /** Only profiles on this network. */
  network: networkId.optional().describe("Only profiles on this network."),
  /** Only profiles in this status. */
  status: z.enum(profileStatuses).optional().describe("Only profiles in this status."),
  /** Only profiles that the owner must reconnect at or before this time. */
  reconnect_before: dateTime.optional().describe("Only profiles that the owner must reconnect at or before this time."),
});
export const listProfilesSchema = pageSchema.extend(profileFilters.shape);

/** The argument of `profiles.list`: filters and the page. */
export type ListProfiles = PageQuery & z.input<typeof profileFilters>;

export const choicesQuerySchema = documentedObject({
  /** A search text, at most 200 characters. Default: all values that the network returns. */
  query: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe("A search text, at most 200 characters. Default: all values that the network returns."),
});

/** The argument of `profiles.choices`. */
export type ChoicesQuery = z.input<typeof choicesQuerySchema>;
