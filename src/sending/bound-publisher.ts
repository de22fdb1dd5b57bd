import type { Acceptance } from "../networks/contract/acceptance.ts";
import type { CommitRequest, Staged } from "../networks/contract/commit.ts";
import type { LookQuery, LookResult } from "../networks/contract/look.ts";
import type { IdentifiedPart, MediaSource, PlannedMedia, PublishedPart } from "../networks/contract/plan.ts";
import type { CommitRules } from "../networks/contract/publish.ts";
import type { NetworkContext, NetworkResponse, StageContext } from "../networks/contract/request.ts";
import type { Keys } from "./intent.ts";

/**
 * The publisher of a network, bound to one part of a subject, its content and its state. The engine knows nothing else
 * about what it sends.
 */
export interface BoundPublisher {
  rules: CommitRules;
  media: readonly PlannedMedia[];
  /** The files named by its options, and the image of its link. */
  optionFiles: readonly MediaSource[];
  /** True: the network deletes it after a day. */
  isStory: boolean;
  /** The part's text, in each form in which the network may return it. */
  textForms(): readonly string[];
  /** The part that this one replies to. Null: none, or its id is unknown. */
  previous: IdentifiedPart | null;
  /** Uploads and look-ups that make nothing public. Absent: none are needed. */
  stage?(context: StageContext): Promise<void>;
  /** Number of parts, from this one on, that one request sends. Absent: one. */
  partsPerRequest?(): number;
  /** Reads the id of a part that is live without one. Absent: the network offers no way to. */
  lookUpId?(context: NetworkContext, published: PublishedPart): Promise<PublishedPart>;
  /** The idempotency keys of this part and of those sent with it. `bodyHash`: SHA-256 of the body with empty keys. */
  keys(count: number, bodyHash: string): Keys;
  /** `staged`: the staged values of an intent, part by part, if they differ from the current ones. */
  requestFor(keys: Keys, staged?: readonly Staged[]): BoundRequest;
}

/** One request for a part and those sent with it. */
export interface BoundRequest {
  /** Staged values, part by part. */
  staged: readonly Staged[];
  /** Pure: returns the same request each time. */
  request(): CommitRequest;
  /** Reads a success. Null: the response cannot be interpreted. */
  accepted(response: NetworkResponse): Acceptance | null;
  /** The post that the network names when it refuses a duplicate. */
  duplicateOf(body: unknown): IdentifiedPart | null;
  lookFor(context: NetworkContext, query: LookQuery): Promise<LookResult>;
  /** Completes a part that is live. */
  confirm(context: NetworkContext, published: PublishedPart): Promise<PublishedPart>;
  /** What is missing if that fails permanently, for humans. Null: nothing that was requested. */
  unconfirmed: string | null;
  /**
   * The network's lists that must have shown a part of this kind before its absence from them counts. Empty: all lists
   * show it.
   */
  listNames(): readonly string[];
  /** The lists that show this part. */
  listsShowing(context: NetworkContext, published: PublishedPart): Promise<readonly string[]>;
}
