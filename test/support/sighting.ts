import type { CommitInput, PublishedPart, Publisher, Sighting } from "../../src/networks/adapter.ts";
import { weigh } from "../../src/networks/evidence.ts";

/** What the engine makes of a look: what it would take for the part, what it cannot explain, and whether it saw all. */
export interface Verdict {
  candidates: PublishedPart[];
  unexplained: string[];
  complete: boolean;
}

/** `since`: nothing older is the part, milliseconds. */
export function verdictOf(
  sighting: Sighting,
  { part, index }: Pick<CommitInput, "part" | "index">,
  { publisher, since }: { publisher: Publisher; since: number },
): Verdict | Exclude<Sighting, { lists: unknown }> {
  if (!("lists" in sighting)) return sighting;
  const { strong, unexplained, isWhole } = weigh(sighting, {
    says: publisher.says(part, index),
    window: { from: since, to: Number.MAX_SAFE_INTEGER, isKnown: true },
    owned: new Set(),
    trusted: new Set(),
  });
  return {
    candidates: strong.map(({ published }) => published),
    unexplained: unexplained.map(({ published }) => published.id),
    complete: isWhole,
  };
}
