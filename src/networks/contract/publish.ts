import type { Acceptance } from "./acceptance.ts";
import type { CommitInput, CommitRequest, KeySubject } from "./commit.ts";
import type { AccountLists, LookInput, LookResult } from "./look.ts";
import type { AnyOptions, IdentifiedPart, Part, PlanInput, PublishedPart } from "./plan.ts";
import type { ProfileFacts } from "./profile.ts";
import type { NetworkContext, NetworkResponse, StageContext } from "./request.ts";

/** How long to wait and look, as data; from the network's notes. */
export interface CommitRules {
  /** After this the request is over, whatever happened, seconds. */
  hardEndSeconds: number;
  /**
   * After a lost answer the network may still accept for this long beyond the
   * hard end; no look before that. 0: one look decides at once, because a
   * second request under the same key is refused.
   */
  settleSeconds: { text: number; image: number; video: number };
  /** Empty looks that make *absent*. */
  emptyReads: 1 | 2;
  /** Two looks that find nothing and are closer than this count as one, seconds. */
  betweenLooksSeconds: number;
  /** After a lost answer the process that sent it sends the same request again for this long after the intent; the network drops the repetition by its key. 0: never. */
  replaySeconds: number;
  /** A part on which the network is still at work this long after its request (or its job's beginning) is given up, seconds. */
  pendingCapSeconds: number;
  /** A second request under the same key is refused for ever, so what the key shows is certain. */
  isKeyed: boolean;
}

/** For networks that must be read back. */
export const readBackRules: CommitRules = {
  hardEndSeconds: 30,
  settleSeconds: { text: 30, image: 120, video: 300 },
  emptyReads: 2,
  betweenLooksSeconds: 60,
  replaySeconds: 0,
  pendingCapSeconds: 3600,
  isKeyed: false,
};

/** How many posts a network takes, and how many it had taken when it was asked. */
export interface ToldQuota {
  posts: number;
  used: number;
  /** When the network told, ISO 8601. */
  as_of: string;
}

/**
 * The verbs of a network on which posts are published. `Options`: as the
 * adapter's schema gives them; whoever holds an adapter of any network knows
 * only that they are an object.
 */
export interface Publisher<Options = AnyOptions> {
  /**
   * Makes of the parts what is to go out, in order: adds a first comment, or
   * gives each file of a story a part of its own. Pure. Absent: they go out as
   * they are.
   */
  prepare?(input: PlanInput<Options>, parts: readonly Part<Options>[]): Part<Options>[];
  /** May differ by profile and by part. */
  rules(profile: ProfileFacts, part: Part<Options>): CommitRules;
  /** The idempotency key: stable for the same input. Absent: the network knows none. */
  key?(subject: KeySubject): string;
  /**
   * Uploads and look-ups that nobody can see. May run again at any time; what
   * it made is kept under a name with `context.once`.
   */
  stage?(context: StageContext, part: Part<Options>): Promise<void>;
  /**
   * How many parts of the input, from the first on, one request makes public, all or none of them: at least one.
   * Only where a second request under the same keys is refused (`isKeyed`). Pure. Absent: one.
   */
  partsPerRequest?(input: CommitInput<Options>): number;
  /** The one request that makes the part public, and those that follow it. Pure; at most one per part. */
  commit(input: CommitInput<Options>): CommitRequest;
  /** What a 2xx answer says of all parts of the request; null when it does not say. */
  accepted(response: NetworkResponse, input: CommitInput<Options>): Acceptance | null;
  /** The post that a duplicate refusal names. */
  duplicateOf?(body: unknown, input: CommitInput<Options>): IdentifiedPart | null;
  /** Reads until the network is done; completes the permalink. Its failure never fails the target. */
  confirm?(context: NetworkContext, published: PublishedPart, input: CommitInput<Options>): Promise<PublishedPart>;
  /** What the post's warning begins with where `confirm` fails for good: "YouTube did not set the thumbnail". Absent: nothing that was asked for is missing then. */
  unconfirmed?: string;
  /**
   * Asks once more for the id and address of a part that went live without an
   * id. Only reads; what it asks with is in `ref`. Returns the part as it is
   * while there is none. Absent: an id that is null stays so.
   */
  lookUpId?(context: NetworkContext, published: PublishedPart): Promise<PublishedPart>;
  /** Did the part whose answer was lost go out? Only reads. */
  lookFor(context: NetworkContext, input: LookInput<Options>): Promise<LookResult>;
  /** What the network last told of how many posts it takes of the account in 24 hours; null: nothing yet. Pure. Absent: it tells none. */
  quota?(profile: ProfileFacts): ToldQuota | null;
  /** All the words that the part shows, in each form that the network may make of them. Pure. */
  textForms(part: Part<Options>, index: number): readonly string[];
  /** Absent: the network's lists are known to show everything. */
  lists?: AccountLists<Options>;
}
