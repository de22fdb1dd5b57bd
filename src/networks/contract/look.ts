import type { Json } from "../../wire/json.ts";
import type { PublishingFailure } from "./acceptance.ts";
import type { CommitInput } from "./commit.ts";
import type { AnyOptions, IdentifiedPart, Published, PublishedPart } from "./plan.ts";
import type { NetworkContext } from "./request.ts";

/** What a look for a part goes by: what its request was made from, and since when it may be there. */
export interface LookInput<Options = AnyOptions> extends CommitInput<Options>, LookQuery {}

/** What a look needs besides what the request was made from. */
export interface LookQuery {
  /** Nothing older than this can be the part, milliseconds in the network's time (the intent's less two minutes). */
  since: number;
  /**
   * The store was restored from a backup: what was sent, and when, is not on
   * record, only the part. `staged` is empty, and `created_at` may be later.
   */
  isRestored?: boolean;
  /** What the request was answered with (`Acceptance`): the network works on it, or did. */
  job?: Json;
  /** What the account has written in the conversation since, as the network told it by itself (`Replier.needsEchoes`). */
  echoes?: readonly Echo[];
}

/** A message of the account's own that its inbox has read. */
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
 * What a look at the account shows. The engine weighs what the lists show; it
 * drops what other targets own.
 */
export type LookResult =
  /** By our own key or handle, so certain. Of parts that follow it, those that are there, up to the first that is not. */
  | { live: Published }
  | { absent: true }
  /** The account's posts, to be compared with the part. */
  | AccountPosts
  /** It will never be public, for certain: a job that failed. */
  | { failed: PublishingFailure }
  /** The network is still working on it. */
  | Pending
  /** This account cannot be read; the reason is for humans. */
  | { cannot_tell: string };

/** The network is still at work on the part. */
export interface Pending {
  /** What it waits for, for humans. */
  pending: string;
  /** The next look, seconds from now. @default 30 */
  again_seconds?: number;
  /**
   * It is live, for certain, and one of these posts: what is missing is its id.
   * If exactly one post fits, it is the one; otherwise the engine looks again.
   */
  among?: AccountPosts;
  /** The result after `pendingCapSeconds` without a change. @default undecided: it may be live */
  at_cap?: { live: Published } | { failed: PublishingFailure };
}

/** What the lists of an account show. */
export interface AccountPosts {
  /** What the part replies to; null: nothing. */
  parent: string | null;
  /** Everything that was read of it. */
  lists: readonly AccountList[];
}

/** The account's posts as one of the network's lists shows them. */
export interface AccountList {
  /** All that were read, older ones too. */
  posts: readonly ListedPost[];
  /** Paging reached `since`. */
  isWhole: boolean;
  /**
   * Posts like this part, of its visibility and kind, are known to stand in
   * this list: by the network's documents, or because one does. Else its
   * silence means nothing, unless it has shown one under `name` before.
   */
  showsSuch: boolean;
  /** List, software and kind of post; as in `AccountLists.names`. */
  name: string;
}

/** A post on the account. */
export interface ListedPost {
  /** As it would be recorded, if it is the part. */
  published: IdentifiedPart;
  /** Milliseconds, the network's time. NaN: it is not told, or cannot be read, so that the post may be of any time. */
  created_at: number;
  /** What it says, in each form in which the network shows it: compared with `Publisher.says`. */
  texts: readonly string[];
  /** What its author sent, word for word, in a form that `Publisher.says` has, too: short texts are compared whole by it. Absent: the network tells only what it made of it. */
  source?: string;
  /** What it replies to; null: nothing. Absent: the list does not tell. */
  parent?: string | null;
  /** It has as many files and so on as the part, but for what the network may change. */
  isSameKind: boolean;
  /** Others may read it than the part is for, which the network is not known to change by itself. Absent: the same, or it is not told. */
  hasOtherReaders?: boolean;
  /** It bears our own handle, or one that cannot be ours; null: neither can be seen. */
  origin: "ours" | "foreign" | null;
}

/** Lists whose silence counts only once they have shown a post of the same kind. */
export interface AccountLists<Options = AnyOptions> {
  /** Names under which it is remembered that they do, one of which is enough; none where that is known. */
  names(input: CommitInput<Options>): readonly string[];
  /** One that shows a part that is certainly live, if any does. */
  showing(context: NetworkContext, published: PublishedPart, input: CommitInput<Options>): Promise<readonly string[]>;
}
