import * as z from "zod";
import { networkId } from "../networks/contract/network-id.ts";
import type { EventsOf } from "../ports/events.ts";
import { dateTime } from "../wire/date-time.ts";
import { documentedAnswer, documentedObject } from "../wire/documented-object.ts";
import { type PageQuery, pageSchema } from "../wire/pagination.ts";

const profileStatuses = ["connected", "needs_attention", "disconnected"] as const;

const inboxAccess = z.enum(["none", "read", "reply"]);

export const profileSchema = documentedAnswer({
  /** The profile's id: `prof_…`. */
  id: z.string().describe("The profile's id: `prof_…`."),
  /** What the account is called. */
  name: z.string().describe("What the account is called."),
  /** Where the account is. */
  network: networkId.describe("Where the account is."),
  /** What people call it there. */
  handle: z.string().nullable().describe("What people call it there."),
  /** Its picture. */
  avatar_url: z.string().nullable().describe("Its picture."),
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
  /**
   * When the login ends, however often it is renewed: before, its owner must log in again. Null: no such end is known.
   */
  reconnect_by: z
    .string()
    .nullable()
    .describe(
      "When the login ends, however often it is renewed: before, its owner must log in again. Null: no such end is known.",
    ),
  /** What this account or instance allows beyond the network's default. */
  limits: z.record(z.string(), z.json()).describe("What this account or instance allows beyond the network's default."),
  /** What may be done with what others write to it. */
  inbox: documentedAnswer({
    /** Direct messages. */
    dm: inboxAccess.describe("Direct messages."),
    /** Comments under its posts. */
    comment: inboxAccess.describe("Comments under its posts."),
    /** Posts that name it. */
    mention: inboxAccess.describe("Posts that name it."),
  }).describe("What may be done with what others write to it."),
  /** When it was first connected. */
  created_at: z.string().describe("When it was first connected."),
  /** When it last changed. */
  updated_at: z.string().describe("When it last changed."),
  /** When the network last confirmed it. */
  last_checked_at: z.string().nullable().describe("When the network last confirmed it."),
}).meta({ id: "Profile" });

/** A connected account. Never holds a token. */
export type Profile = z.infer<typeof profileSchema>;

export const optionChoiceSchema = documentedAnswer({
  /** What the option takes. */
  value: z.string().describe("What the option takes."),
  /** What people call it. */
  name: z.string().describe("What people call it."),
}).meta({ id: "OptionChoice" });

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
    .record(z.string(), z.json().optional())
    .describe("An app password, a token, a webhook address: as the network's folder says."),
  /** Reconnect this profile; the credentials must be the same account's. */
  profile_id: z.string().nullish().describe("Reconnect this profile; the credentials must be the same account's."),
}).meta({ id: "ConnectProfile" });

/** What `profiles.connect` takes: a network and the credentials of an account there. */
export type ConnectProfile = z.input<typeof connectProfileSchema>;

const profileFilters = documentedObject({
  /** Only profiles on this network. */
  network: networkId.optional().describe("Only profiles on this network."),
  /** Only profiles in this status. */
  status: z.enum(profileStatuses).optional().describe("Only profiles in this status."),
  /** Only profiles whose owner must log in again at or before this time. */
  reconnect_before: dateTime.optional().describe("Only profiles whose owner must log in again at or before this time."),
});
export const listProfilesSchema = pageSchema.extend(profileFilters.shape);

/** What `profiles.list` takes: which profiles, and which page of them. */
export type ListProfiles = PageQuery & z.input<typeof profileFilters>;

export const choicesQuerySchema = documentedObject({
  /** What to look for, at most 200 characters. Default: everything that the network shows. */
  query: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe("What to look for, at most 200 characters. Default: everything that the network shows."),
});

/** What `profiles.choices` looks for. */
export type ChoicesQuery = z.input<typeof choicesQuerySchema>;
