import type { Acceptance } from "../networks/contract/acceptance.ts";
import type { CommitRequest, Staged } from "../networks/contract/commit.ts";
import type { LookQuery, LookResult } from "../networks/contract/look.ts";
import type { IdentifiedPart, MediaSource, PlannedMedia, PublishedPart } from "../networks/contract/plan.ts";
import type { CommitRules } from "../networks/contract/publish.ts";
import type { NetworkContext, NetworkResponse, StageContext } from "../networks/contract/request.ts";
import type { Keys } from "./intent.ts";

/**
 * What is to be done for one part of a subject: its network's verbs, bound to
 * what the part says and where it stands. The engine needs to know no more of
 * what it sends.
 */
export interface BoundPublisher {
  rules: CommitRules;
  media: readonly PlannedMedia[];
  /** The files that its options name, and the picture of its link. */
  optionFiles: readonly MediaSource[];
  /** The network takes it away after a day. */
  isStory: boolean;
  /** The part's words, in each form in which the network may show them. */
  textForms(): readonly string[];
  /** The part that this one replies to; null: none, or its id is not known. */
  previous: IdentifiedPart | null;
  /** Uploads and look-ups that nobody can see. Absent: none are needed. */
  stage?(context: StageContext): Promise<void>;
  /** How many parts, from this one on, go out in one request. Absent: one. */
  partsPerRequest?(): number;
  /** Asks for the id of a part that is live without one. Absent: there is no way to. */
  lookUpId?(context: NetworkContext, published: PublishedPart): Promise<PublishedPart>;
  /** The keys of this part and of those that go out with it. `bodyHash`: SHA-256 of what is sent, made with empty keys. */
  keys(count: number, bodyHash: string): Keys;
  /** `staged`: an intent's, part by part, where it is not what is staged now. */
  requestFor(keys: Keys, staged?: readonly Staged[]): BoundRequest;
}

/** One request for a part, with those that go out with it, bound to what it is made from. */
export interface BoundRequest {
  /** Part by part. */
  staged: readonly Staged[];
  /** Pure: the same each time. */
  request(): CommitRequest;
  /** What a success says; null when it does not say. */
  accepted(response: NetworkResponse): Acceptance | null;
  /** The post that a duplicate refusal names. */
  duplicateOf(body: unknown): IdentifiedPart | null;
  lookFor(context: NetworkContext, query: LookQuery): Promise<LookResult>;
  /** Does what is left once the part is live. */
  confirm(context: NetworkContext, published: PublishedPart): Promise<PublishedPart>;
  /** What is missing where that fails for good, for humans; null: nothing that was asked for. */
  unconfirmed: string | null;
  /** The network's lists that must have shown such a part before their silence counts. None where all do. */
  listNames(): readonly string[];
  /** Those that show this one. */
  listsShowing(context: NetworkContext, published: PublishedPart): Promise<readonly string[]>;
}
