import type { Json } from "../../wire/json.ts";
import type { PublishingFailure } from "./acceptance.ts";
import type { CommitInput } from "./commit.ts";
import type { AnyOptions, IdentifiedPart, Published, PublishedPart } from "./plan.ts";
import type { NetworkContext } from "./request.ts";

/** Input for a look for a part: what its request was made from, and the earliest time at which it may exist. */
export interface LookInput<Options = AnyOptions> extends CommitInput<Options>, LookQuery {}

/** The input of a look, in addition to the request's input. */
export interface LookQuery {
  /** The part cannot be older than this, milliseconds in the network's time (the intent's time minus two minutes). */
  since: number;
  /**
   * True: the store was restored from a backup. Only the part is on record, not what was sent or when. `staged` is
   * empty, and `created_at` may be later than the real time.
   */
  isRestored?: boolean;
  /** The job from the response (`Acceptance`): the network is processing it, or has. */
  job?: Json;
  /** Messages that the account has sent in the conversation since, from the network's webhooks (`Replier.needsEchoes`). */
  echoes?: readonly Echo[];
}

/** A message of the account itself that its inbox has read. */
export interface Echo {
  /** The network's own id. */
  id: string;
  text: string;
  /** Milliseconds, the network's time. */
  sent_at: number;
  /** `NewMessage.ref`. */
  ref: Json;
}

/**
 * The result of a look at the account. The engine compares listed posts with the part, and drops those that other
 * targets own.
 */
export type LookResult =
  /** Found by our own key or marker, so certain. `following`: the parts after it that exist, up to the first that does not. */
  | { live: Published }
  | { absent: true }
  /** The account's posts, to compare with the part. */
  | AccountPosts
  /** It will certainly never be public: its job failed. */
  | { failed: PublishingFailure }
  /** The network is still working on it. */
  | Pending
  /** This account cannot be read. The reason is for humans. */
  | { cannot_tell: string };

/** The network is still processing the part. */
export interface Pending {
  /** The reason for the wait, for humans. */
  pending: string;
  /** Seconds until the next look. @default 30 */
  again_seconds?: number;
  /**
   * The part is certainly live and one of these posts; only its id is unknown. If exactly one post matches, it is the
   * part. Otherwise the engine looks again.
   */
  among?: AccountPosts;
  /** The result after `pendingCapSeconds` without a change. @default undecided: it may be live */
  at_cap?: { live: Published } | { failed: PublishingFailure };
}

/** The posts in an account's lists. */
export interface AccountPosts {
  /** The id of what the part replies to. Null: nothing. */
  parent: string | null;
  /** All lists that were read. */
  lists: readonly AccountList[];
}

/** The account's posts in one of the network's lists. */
export interface AccountList {
  /** All posts that were read, including older ones. */
  posts: readonly ListedPost[];
  /** True: paging reached `since`. */
  isWhole: boolean;
  /**
   * True: this list is known to show posts like this part, of its visibility and kind, from the network's documents or
   * because it shows one now. False: a missing post proves nothing, unless the list has shown a post like this part
   * before, under `name`.
   */
  showsSuch: boolean;
  /** List, software and kind of post, as in `AccountLists.names`. */
  name: string;
}

/** A post on the account. */
export interface ListedPost {
  /** The record of the post, if it is the part. */
  published: IdentifiedPart;
  /** Milliseconds, the network's time. NaN: unknown or unreadable, so the post may be from any time. */
  created_at: number;
  /** Its text, in each form in which the network shows it. Compared with `Publisher.textForms`. */
  texts: readonly string[];
  /**
   * The author's original text, in a form that `Publisher.textForms` has too. Short texts are compared by it as a
   * whole. Absent: the network only returns its converted text.
   */
  source?: string;
  /** The id of what it replies to. Null: nothing. Absent: the list does not say. */
  parent?: string | null;
  /** True: it has the same number of files and so on as the part, apart from what the network may change. */
  isSameKind: boolean;
  /** True: its audience is not the part's, and the network is not known to change audiences. Absent: the same, or unknown. */
  hasOtherReaders?: boolean;
  /** `ours`: it bears our marker · `foreign`: it bears one that cannot be ours · null: neither is visible. */
  origin: "ours" | "foreign" | null;
}

/** Lists in which a missing post counts only after they have shown a post of the same kind. */
export interface AccountLists<Options = AnyOptions> {
  /**
   * Names under which the service remembers that a list shows posts of this kind; one is enough. Empty: that is known
   * already.
   */
  names(input: CommitInput<Options>): readonly string[];
  /** The names of lists that show a part that is certainly live. */
  showing(context: NetworkContext, published: PublishedPart, input: CommitInput<Options>): Promise<readonly string[]>;
}
