import type { Acceptance } from "./acceptance.ts";
import type { CommitInput, CommitRequest, KeySubject } from "./commit.ts";
import type { AccountLists, LookInput, LookResult } from "./look.ts";
import type { AnyOptions, IdentifiedPart, Part, PlanInput, PublishedPart } from "./plan.ts";
import type { ProfileFacts } from "./profile.ts";
import type { NetworkContext, NetworkResponse, StageContext } from "./request.ts";

/** How long to wait and how often to look, from the network's notes. */
export interface CommitRules {
  /** The timeout of the request, seconds. */
  hardEndSeconds: number;
  /**
   * How long after the timeout the network may still accept a request whose response was lost, seconds. The engine does
   * not look before that. 0: one look decides immediately, because the network rejects a second request with the same
   * key.
   */
  settleSeconds: { text: number; image: number; video: number };
  /** Number of looks without a result that prove *absent*. */
  emptyReads: 1 | 2;
  /** Two looks that find nothing count as one if they are closer than this, seconds. */
  betweenLooksSeconds: number;
  /**
   * After a lost response the same process repeats the request until this long after the intent, seconds. The network
   * drops the repeated request by its key. 0: never.
   */
  replaySeconds: number;
  /** The engine gives up on a part that the network is still processing this long after the request (or the start of its job), seconds. */
  pendingCapSeconds: number;
  /** True: the network rejects a second request with the same key for ever, so what the key shows is certain. */
  isKeyed: boolean;
}

/** Rules for networks that must be read after a lost response. */
export const readBackRules: CommitRules = {
  hardEndSeconds: 30,
  settleSeconds: { text: 30, image: 120, video: 300 },
  emptyReads: 2,
  betweenLooksSeconds: 60,
  replaySeconds: 0,
  pendingCapSeconds: 3600,
  isKeyed: false,
};

/** How many posts a network accepts, and how many it had counted at the time of `as_of`. */
export interface ToldQuota {
  posts: number;
  used: number;
  /** When the network said so, ISO 8601. */
  as_of: string;
}

/**
 * The functions of a network that publishes posts. `Options`: the output of the adapter's schema. Code that handles any
 * network knows only that it is an object.
 */
export interface Publisher<Options = AnyOptions> {
  /**
   * Converts the parts to those that go out, in order: adds a first comment, or splits a story into one part per file.
   * Pure. Absent: they go out unchanged.
   */
  prepare?(input: PlanInput<Options>, parts: readonly Part<Options>[]): Part<Options>[];
  /** The rules for a part, which may depend on profile and part. */
  rules(profile: ProfileFacts, part: Part<Options>): CommitRules;
  /** The idempotency key. The same input gives the same key. Absent: the network supports none. */
  key?(subject: KeySubject): string;
  /**
   * Uploads files and reads data. Nothing of it is visible to users. May run again at any time; `context.once` keeps
   * its results under a name.
   */
  stage?(context: StageContext, part: Part<Options>): Promise<void>;
  /**
   * How many parts, counted from the first of the input, one request makes public: at least one, and all or none of
   * them. Only for networks that reject a second request with the same keys (`isKeyed`). Pure. Absent: one.
   */
  partsPerRequest?(input: CommitInput<Options>): number;
  /** Returns the one request that makes the part public, together with those that follow it. Pure; at most one request per part. */
  commit(input: CommitInput<Options>): CommitRequest;
  /** The outcome that a 2xx response states for all parts of the request. Null: it states none. */
  accepted(response: NetworkResponse, input: CommitInput<Options>): Acceptance | null;
  /** The post that the network names when it rejects a duplicate. */
  duplicateOf?(body: unknown, input: CommitInput<Options>): IdentifiedPart | null;
  /** Reads until the network is done, and completes the permalink. The target stays published even if it fails. */
  confirm?(context: NetworkContext, published: PublishedPart, input: CommitInput<Options>): Promise<PublishedPart>;
  /**
   * The start of the post's warning when `confirm` fails permanently: "YouTube did not set the thumbnail". Absent:
   * nothing that the caller requested is missing then.
   */
  unconfirmed?: string;
  /**
   * Reads the id and URL of a part that went live without an id, using the data in `ref`. Only reads. Returns the part
   * unchanged while the network has no id. Absent: a null id stays null.
   */
  lookUpId?(context: NetworkContext, published: PublishedPart): Promise<PublishedPart>;
  /** Finds out whether the part whose response was lost was published. Only reads. */
  lookFor(context: NetworkContext, input: LookInput<Options>): Promise<LookResult>;
  /** The network's last stated limit of posts per 24 hours for this account. Null: not stated yet. Pure. Absent: it never states one. */
  quota?(profile: ProfileFacts): ToldQuota | null;
  /** All text that the part shows, in each form to which the network may convert it. Pure. */
  textForms(part: Part<Options>, index: number): readonly string[];
  /** Absent: the network's lists are known to show everything. */
  lists?: AccountLists<Options>;
}
