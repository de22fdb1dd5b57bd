import type { PublishingCode } from "../../wire/errors.ts";
import type { FileRule, MediaRule, MediaSpec, MediaType, PostType, ProfileLimits, TextRule } from "./limits.ts";
import type { NetworkId } from "./network-id.ts";
import type { AnyOptions, Part, PlanInput } from "./plan.ts";
import type { ProfileFacts } from "./profile.ts";

/** What may be done with messages of one kind: nothing, read them, or reply to them as well. */
export type InboxAccess = "none" | "read" | "reply";

/** What a table cannot say: a named check of one planned target. */
export interface SpecRule<Options = AnyOptions> {
  /** What a post that breaks it is refused with. */
  code: PublishingCode;
  /** Judges one planned target. @returns what is wrong, with the field concerned; null when nothing is */
  check(plan: RuleInput<Options>): { field: string; message: string } | null;
}

/** What a rule of a network is asked about: one planned target. */
export interface RuleInput<Options = AnyOptions> {
  /** The post, overrides applied. */
  input: PlanInput<Options>;
  /** What is to go out, in order. */
  parts: readonly Part<Options>[];
  /** With the account's own limits put in. */
  spec: NetworkSpec;
  /** The account that it goes out on. */
  profile: ProfileFacts;
}

/** Posts for which a network has other rules. An account's own limits hold for these, too. */
export interface Variant {
  /** All that is named must hold. */
  when: {
    /** Posts of this kind. */
    post_type?: PostType;
    /** All files are of this type; `none`: there are no files. */
    media?: MediaType | "none";
    /** At least this many files. */
    min_items?: number;
  };
  /** What replaces the rule for text. */
  text?: Partial<TextRule>;
  /** What replaces the rules for files. */
  media?: Partial<MediaSpec>;
  /** What replaces the rule for titles; null: there are none. */
  title?: { max: number; required: boolean } | null;
  /** What becomes of a link, where that is otherwise. */
  link_card?: NetworkSpec["link_card"];
}

/**
 * The API versions that an adapter speaks: the day from which on the network no
 * longer takes each, in UTC, as `2028-07-29`; null where none is announced.
 * Where there are several, the adapter has the setting `apiVersion`.
 */
export type ApiVersions = Readonly<Record<string, string | null>>;

/** A price, as it was in one month. */
export interface Cost {
  /** `post_with_link`: a post whose text holds an address · `read`: each post that is read back. */
  for: "post" | "post_with_link" | "read";
  /** US dollars for each. */
  usd: number;
  /** The month it was read: `2026-08`. */
  as_of: string;
}

/** How many posts a network takes of the host's app in a day, on all profiles together. The service counts its own. */
export interface AppQuota {
  /** Of a day. */
  posts: number;
  /** The zone in which the day begins at midnight: `America/Los_Angeles`. */
  day_in: string;
}

/**
 * What a network accepts, as data. The code that validates, splits and counts
 * executes it, and `social.networks.list()` shows it; nothing repeats it.
 */
export interface NetworkSpec<Options = AnyOptions> {
  /** Its id. */
  network: NetworkId;
  /** As the network writes itself. */
  name: string;
  /** How long one post may be. */
  text: TextRule;
  /** May a caption become several posts that reply to each other? */
  threads: boolean;
  /** Which files one post may have. */
  media: MediaSpec;
  /**
   * Options whose value is a file's URL, and the accepted files. Such a file
   * is inspected while the post is planned, stored before anything is sent, and read by
   * `StageContext.readMedia`. Absent: there are none.
   */
  option_files?: Readonly<Record<string, FileRule>>;
  /**
   * Accepted images for a link card (`link.image_url`). Others are converted
   * automatically, or left out with a warning. Absent: the network accepts none from the service.
   */
  link_picture?: readonly MediaRule[];
  /** The kinds of posts that there are. */
  post_types: readonly PostType[];
  /** Null: the network has no titles. */
  title: { max: number; required: boolean } | null;
  /**
   * `field`: the link is attached as a card · `from_text`: the network makes a
   * card of an address in the text, so the link is appended to it · `none`: it
   * shows no links; one that is given is left out, with a warning.
   */
  link_card: "field" | "from_text" | "none";
  /** How long a comment under a post of one's own may be. Absent: the network has none that can be written with the post. */
  comment?: { text: TextRule };
  /** What is otherwise for some posts: the first variant that fits a post is laid over what stands above. */
  variants?: readonly Variant[];
  /** What may be done with direct messages, comments and mentions. */
  inbox: { dm: InboxAccess; comment: InboxAccess; mention: InboxAccess };
  /**
   * What happens when an answer is lost. `keyed`: a key makes the request
   * repeatable · `located`: read back before anything is repeated ·
   * `may_be_live`: neither is possible, so the target says that it may be live.
   */
  duplicates: readonly ("keyed" | "located" | "may_be_live")[];
  /** The API version that requests are made for, one of `versions`. */
  api_version: string;
  /** The API versions that the adapter speaks, and when they end. */
  versions: ApiVersions;
  /** What the network charges the owner of the app. Absent: nothing is known that it charges for. */
  cost?: readonly Cost[];
  /** How many posts of the app the network takes in a day. Absent: it sets no such bound, or tells of its own what is left. */
  app_quota?: AppQuota;
  /** Hosts that this network's credentials may go to, besides the profile's own vetted host; one that begins with a dot stands for all hosts below it. */
  hosts: readonly string[];
  /** Headers that every request carries because the network demands them. */
  headers?: Readonly<Record<string, string>>;
  /** Checks that a table cannot say, in order. */
  rules: readonly SpecRule<Options>[];
  /** How much of every part's limit these options take up: a content warning counts with the text. */
  takenFromText?(options: Options, text: TextRule): number;
  /**
   * Where each number comes from: path in this object (or the start of one) →
   * address and the month it was read. The network contract demands one for
   * every number.
   */
  sources: Readonly<Record<string, string>>;
}

/** The spec with an account's own limits put in. */
export function applyLimits(spec: NetworkSpec, limits: ProfileLimits): NetworkSpec {
  return {
    ...spec,
    text: { ...spec.text, ...limits.text },
    media: { ...spec.media, ...limits.media },
  };
}
