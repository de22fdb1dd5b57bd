import type { PublishingCode } from "../../wire/errors.ts";
import type { Budget } from "./budgets.ts";
import type { InboxKind } from "./inbox.ts";
import type { ExplainedAccess, InboxAccess } from "./inbox-access.ts";
import type { FileRule, MediaRule, MediaSpec, MediaType, PostType, ProfileLimits, TextRule } from "./limits.ts";
import type { NetworkId } from "./network-id.ts";
import type { AnyOptions, Part, PlanInput } from "./plan.ts";
import type { ProfileFacts } from "./profile.ts";

/** A check that a table cannot express, for one planned target. */
export interface SpecRule<Options = AnyOptions> {
  /** The error code of a post that breaks the rule. */
  code: PublishingCode;
  /** Checks one planned target. @returns the problem and the field concerned; null: none */
  check(plan: RuleInput<Options>): { field: string; message: string } | null;
}

/** The input of a rule: one planned target. */
export interface RuleInput<Options = AnyOptions> {
  /** The post, overrides applied. */
  input: PlanInput<Options>;
  /** The parts that go out, in order. */
  parts: readonly Part<Options>[];
  /** Including the account's own limits. */
  spec: NetworkSpec;
  /** The profile that posts. */
  profile: ProfileFacts;
}

/** Posts for which a network has different rules. An account's own limits also apply to these. */
export interface Variant {
  /** All given conditions must hold. */
  when: {
    /** Posts of this kind. */
    post_type?: PostType;
    /** All files are of this type; `none`: there are no files. */
    media?: MediaType | "none";
    /** At least this many files. */
    min_items?: number;
  };
  /** Overrides of the text rule. */
  text?: Partial<TextRule>;
  /** Overrides of the media rules. */
  media?: Partial<MediaSpec>;
  /** The title rule that applies instead. Null: no titles. */
  title?: { max: number; required: boolean } | null;
  /** How links are shown, if different. */
  link_card?: NetworkSpec["link_card"];
}

/**
 * The API versions that an adapter supports, and the UTC date from which the network no longer accepts each, such as
 * `2028-07-29`. Null: no date is announced. With several versions, the adapter has the setting `apiVersion`.
 */
export type ApiVersions = Readonly<Record<string, string | null>>;

/** A price, valid in one month. */
export interface Cost {
  /** `post_with_link`: a post whose text holds a URL · `read`: each post that is read. */
  for: "post" | "post_with_link" | "read";
  /** US dollars for each. */
  usd: number;
  /** The month in which the price was read: `2026-08`. */
  as_of: string;
}

/**
 * The rules of a network, as data. The code that validates, splits and counts executes them, and
 * `social.networks.list()` shows them. No other code repeats them.
 */
export interface NetworkSpec<Options = AnyOptions> {
  /** The network's id. */
  network: NetworkId;
  /** The network's own spelling of its name. */
  name: string;
  /** How long one post may be. */
  text: TextRule;
  /** True: a caption may become several posts that reply to each other. */
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
  /** The supported kinds of posts. */
  post_types: readonly PostType[];
  /** Null: the network has no titles. */
  title: { max: number; required: boolean } | null;
  /**
   * `field`: the link is attached as a card · `from_text`: the network makes a card from a URL in the text, so the link
   * is appended to it · `none`: the network shows no links; a given one is dropped, with a warning.
   */
  link_card: "field" | "from_text" | "none";
  /** How long a comment under the account's own post may be. Absent: the service cannot publish a comment together with a post here. */
  comment?: { text: TextRule };
  /** Different rules for some posts: the first variant that matches a post overrides the rules above. */
  variants?: readonly Variant[];
  /** The supported actions on direct messages, comments and mentions. A profile may allow less: `Inbox.access`. */
  inbox: Readonly<Record<InboxKind, InboxAccess | ExplainedAccess>>;
  /**
   * How the service proceeds when a response is lost. `keyed`: a key makes the request safe to repeat · `located`: the
   * service looks for the post before it retries · `may_be_live`: neither is possible, so the target says that it may
   * be live.
   */
  duplicates: readonly ("keyed" | "located" | "may_be_live")[];
  /** The API version that requests are made for, one of `versions`. */
  api_version: string;
  /** The API versions that the adapter supports, and when they end. */
  versions: ApiVersions;
  /** The network's charges to the owner of the app. Absent: no charge is known. */
  cost?: readonly Cost[];
  /**
   * Limits of the network that the service counts. `posts`: how many posts per day the network accepts from the app.
   * Absent: it sets none, or reports itself what is left.
   */
  budgets?: readonly Budget[];
  /** Hosts that may receive this network's credentials, in addition to the profile's own checked host. A leading dot stands for all subdomains. */
  hosts: readonly string[];
  /** Headers that the network requires on every request. */
  headers?: Readonly<Record<string, string>>;
  /** Checks that a table cannot express, in order. */
  rules: readonly SpecRule<Options>[];
  /** How much of every part's text limit these options use: a content warning counts together with the text. */
  takenFromText?(options: Options, text: TextRule): number;
  /**
   * The source of each number: path in this object (or the start of one) → URL and the month in which it was read. The
   * network contract test requires one for every number.
   */
  sources: Readonly<Record<string, string>>;
}

/** The spec with an account's own limits applied. */
export function applyLimits(spec: NetworkSpec, limits: ProfileLimits): NetworkSpec {
  return {
    ...spec,
    text: { ...spec.text, ...limits.text },
    media: { ...spec.media, ...limits.media },
  };
}
