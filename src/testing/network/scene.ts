import type { CommitInput, CommitRequest, Staged } from "../../networks/contract/commit.ts";
import type { AccountPosts, LookResult } from "../../networks/contract/look.ts";
import type { Part } from "../../networks/contract/plan.ts";
import type { ProfileFacts } from "../../networks/contract/profile.ts";
import type { Publisher } from "../../networks/contract/publish.ts";
import type { NetworkResponse, StageContext } from "../../networks/contract/request.ts";
import { type MatchResult, matchPosts } from "../../networks/runtime/match-posts.ts";
import type { Faults } from "../../sandbox/faults.ts";
import type { JsonObject } from "../../wire/json.ts";

/** One post that is about to be sent to one simulated account. */
export interface NetworkScene {
  /** The connected account. */
  profile: ProfileFacts;
  /** Its credentials. */
  secret: JsonObject;
  /** The part to publish. */
  part: Part;
  /** The profile's context; `once` keeps its values for the whole scene. */
  context: StageContext;
  /** The values that `once` has kept so far. */
  staged(): Staged;
  /** Sends a request of `commit` once, with the profile's credential. */
  send(request: CommitRequest): Promise<NetworkResponse>;
  /** All requests that reached the network, in order. */
  requests(): readonly { method: string; operation: string }[];
  /** Causes failures on demand. */
  faults: Faults;
  /** Runs work that may wait, on the scene's clock. */
  run<Value>(work: () => Promise<Value>): Promise<Value>;
  /** Lets time pass on the scene's clock. */
  wait(seconds: number): Promise<void>;
}

/** One kind of post for the network contract. */
export interface NetworkCase {
  /** The content: "a text", "four pictures". */
  name: string;
  /**
   * True: posts cannot be read there, so that after a lost response it stays unknown whether the post is live.
   * @default false
   */
  cannotBeRead?: true;
  /** True: the network accepts the post, and works on it for a while before it is public. @default false */
  isJob?: true;
  /** Creates a new network, account and post. Nothing is published yet. */
  create(): Promise<NetworkScene>;
}

/** The ids that the engine would match to a part with these texts. */
export function idsIn(sighting: LookResult, says: readonly string[]): string[] {
  if ("live" in sighting) return sighting.live.id === null ? [] : [sighting.live.id];
  if ("pending" in sighting && sighting.among !== undefined) return strongIn(sighting.among, says);
  return "lists" in sighting ? strongIn(sighting, says) : [];
}

function strongIn(sight: AccountPosts, says: readonly string[]): string[] {
  return weighed(sight, says).strong.map(({ published }) => published.id);
}

export function isWhole(sighting: LookResult, says: readonly string[]): boolean {
  return "absent" in sighting || ("lists" in sighting && weighed(sighting, says).isWhole);
}

function weighed(sight: AccountPosts, says: readonly string[]): MatchResult {
  const window = { from: 0, to: Number.MAX_SAFE_INTEGER, isKnown: true };
  return matchPosts(sight, { textForms: says, window, owned: new Set(), knowsHandles: true, trusted: new Set() });
}

export async function stageAll(publish: Publisher, scene: NetworkScene): Promise<void> {
  await scene.run(async () => publish.stage?.(scene.context, scene.part));
}

export function commitInput(publish: Publisher, scene: NetworkScene, staged = scene.staged()): CommitInput {
  const createdAt = scene.context.now();
  return {
    profile: scene.profile,
    secret: scene.secret,
    part: scene.part,
    index: 0,
    staged,
    first: null,
    previous: null,
    key: publish.key?.({ subjectId: "tgt_contract", createdAt, part: 0, bodyHash: "9f86d081" }) ?? "",
    created_at: new Date(createdAt).toISOString(),
  };
}

/** Strings that are long enough not to occur by chance. */
export function secretsOf(secret: JsonObject): string[] {
  return Object.values(secret).filter((value) => typeof value === "string" && value.length >= 8) as string[];
}

/** @param reads operations that only read although they are not GET requests */
export function isWrite(
  { method, operation }: { method: string; operation: string },
  reads: readonly string[],
): boolean {
  return method !== "GET" && method !== "HEAD" && !reads.includes(operation);
}
