import type { CommitInput } from "../../src/networks/contract/commit.ts";
import type { LookResult } from "../../src/networks/contract/look.ts";
import type { IdentifiedPart } from "../../src/networks/contract/plan.ts";
import type { Publisher } from "../../src/networks/contract/publish.ts";
import { matchPosts } from "../../src/networks/runtime/match-posts.ts";

/** What the engine makes of a look: what it would take for the part, what it cannot explain, and whether it saw all. */
export interface Verdict {
  candidates: IdentifiedPart[];
  unexplained: string[];
  complete: boolean;
}

/** `since`: nothing older is the part, milliseconds. */
export function verdictOf(
  sighting: LookResult,
  { part, index }: Pick<CommitInput, "part" | "index">,
  { publisher, since }: { publisher: Publisher; since: number },
): Verdict | Exclude<LookResult, { lists: unknown }> {
  if (!("lists" in sighting)) return sighting;
  const { strong, unexplained, isWhole } = matchPosts(sighting, {
    textForms: publisher.textForms(part, index),
    window: { from: since, to: Number.MAX_SAFE_INTEGER, isKnown: true },
    owned: new Set(),
    knowsHandles: true,
    trusted: new Set(),
  });
  return {
    candidates: strong.map(({ published }) => published),
    unexplained: unexplained.map(({ published }) => published.id),
    complete: isWhole,
  };
}
