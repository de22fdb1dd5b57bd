import type { PublishingCode } from "../wire/errors.ts";
import type { JsonObject } from "../wire/json.ts";
import type { Part, PlanInput, ProfileFacts } from "./adapter.ts";

/** The networks that posts go to. */
export const publishNetworks = [
  "facebook",
  "instagram",
  "x",
  "linkedin",
  "pinterest",
  "bluesky",
  "threads",
  "tiktok",
  "youtube",
  "google_business",
  "mastodon",
  "discord",
] as const;

export type NetworkId = (typeof publishNetworks)[number];

export type PostType = "post" | "reel" | "story";
export const mediaTypes = ["image", "video", "gif"] as const;
export type MediaType = (typeof mediaTypes)[number];
export type InboxAccess = "none" | "read" | "reply";

/** How long a text may be, and how the network counts it. */
export interface TextRule {
  max: number;
  /**
   * - `graphemes`: what a reader sees as one character
   * - `utf16`: JavaScript's `length`
   * - `utf8`: bytes
   * - `weighted`: X's count (CJK and emoji 2, a URL `url_length`)
   */
  unit: "graphemes" | "utf16" | "utf8" | "weighted";
  /** Besides, at most this many UTF-8 bytes. */
  max_bytes?: number;
  /** Every link counts as this many, whatever its length. */
  url_length?: number;
  /** `@user@host` counts as `@user`. */
  bare_mentions?: boolean;
}

/** One kind of file that the network takes. */
export interface MediaRule {
  type: MediaType;
  mime: string;
  max_bytes: number;
  min_width?: number;
  max_width?: number;
  min_height?: number;
  max_height?: number;
  max_pixels?: number;
  max_seconds?: number;
  /** Shown otherwise than the caller may expect; `validate` says so. */
  action?: string;
}

export interface MediaSpec {
  max_items: number;
  /** How many of each type one post may have; absent: `max_items`. */
  max_of_type?: Partial<Record<MediaType, number>>;
  /** `any`: types may stand side by side · `one_type`: all files of one post are of one type. */
  mixing: "any" | "one_type";
  types: readonly MediaRule[];
  /** Alt text, in UTF-16 units. */
  max_alt?: number;
  /** All files of one post together. */
  max_total_bytes?: number;
}

/** What a table cannot say: a named check of one planned target. */
export interface SpecRule {
  code: PublishingCode;
  /** @returns what is wrong, with the field concerned; null when nothing is */
  check(plan: RuleInput): { field: string; message: string } | null;
}

export interface RuleInput {
  input: PlanInput;
  parts: readonly Part[];
  /** With the account's own limits put in. */
  spec: NetworkSpec;
  profile: ProfileFacts;
}

/**
 * What a network accepts, as data. The code that validates, splits and counts
 * executes it, and `social.networks.list()` shows it; nothing repeats it.
 */
export interface NetworkSpec {
  network: NetworkId;
  /** As the network writes itself. */
  name: string;
  text: TextRule;
  /** May a caption become several posts that reply to each other? */
  threads: boolean;
  media: MediaSpec;
  post_types: readonly PostType[];
  /** Null: the network has no titles. */
  title: { max: number; required: boolean } | null;
  /**
   * `field`: the link is attached as a card · `from_text`: the network makes a
   * card of an address in the text, so the link is appended to it.
   */
  link_card: "field" | "from_text";
  inbox: { dm: InboxAccess; comment: InboxAccess; mention: InboxAccess };
  /**
   * What happens when an answer is lost. `keyed`: a key makes the request
   * repeatable · `located`: read back before anything is repeated ·
   * `may_be_live`: neither is possible, so the target says that it may be live.
   */
  duplicates: readonly ("keyed" | "located" | "may_be_live")[];
  api_version: string;
  /** When the network switches this API version off. */
  sunset_at: string | null;
  /** Hosts that this network's credentials may go to, besides the profile's own vetted host. */
  hosts: readonly string[];
  rules: readonly SpecRule[];
  /** How much of every part's limit these options take up: a content warning counts with the text. */
  takenFromText?(options: JsonObject, text: TextRule): number;
  /**
   * Where each number comes from: path in this object (or the start of one) →
   * address and the month it was read. The network contract demands one for
   * every number.
   */
  sources: Readonly<Record<string, string>>;
}

/**
 * What one account or instance allows beyond (or short of) its network's
 * default, as read when the profile was connected or checked.
 */
export interface ProfileLimits {
  text?: Partial<TextRule>;
  media?: Partial<Omit<MediaSpec, "mixing">>;
}

/** The spec with an account's own limits put in. */
export function applyLimits(spec: NetworkSpec, limits: ProfileLimits): NetworkSpec {
  return {
    ...spec,
    text: { ...spec.text, ...limits.text },
    media: { ...spec.media, ...limits.media },
  };
}
