import type { ListedPost } from "../networks/contract/look.ts";
import { foldedForms, hasWords, type Window } from "../networks/runtime/match-posts.ts";
import { fromRow } from "../storage/typed.ts";
import { windowOf } from "./ask-network.ts";
import { type IntentRow, type IntentState, inconclusiveStates } from "./intent.ts";
import type { PartRun } from "./part-run.ts";

/** A request for another part on the profile, whose outcome is unknown. */
export interface CompetingRequest {
  state: IntentState;
  /** True: earlier looks did not find it, and a retry looks for it once more. */
  isSoughtAgain: boolean;
  window: Window;
  /** The text of its part, as `hasWords` compares it. */
  wanted: ReadonlySet<string>;
}

export async function readCompetingRequests(run: PartRun): Promise<CompetingRequest[]> {
  const { storage } = run.ports;
  const found = await storage.find("intents", {
    where: { profile_id: run.lease.id, state: { in: inconclusiveStates } },
    isCounted: false,
  });
  const others = found.rows
    .map((row) => fromRow<IntentRow>(row))
    .filter(({ subject_id, part }) => subject_id !== run.subjectId || part !== run.index);
  if (others.length === 0) return [];
  const wordsOf = await run.textsInFlight([...new Set(others.map(({ subject_id }) => subject_id))]);
  return others.flatMap((intent) => {
    const words = wordsOf(intent.subject_id, intent.part);
    if (words === null) return [];
    const isSoughtAgain = intent.private.outcome_before_retry !== null;
    return [
      {
        state: intent.state,
        isSoughtAgain,
        window: windowOf({ ...run, unresolvedIntents: [] }, intent),
        wanted: foldedForms(words),
      },
    ];
  });
}

/** The requests that may have made this post. */
export function competingFor(post: ListedPost, competing: readonly CompetingRequest[]): CompetingRequest[] {
  return competing.filter(
    ({ window, wanted }) => !(post.created_at < window.from || post.created_at > window.to) && hasWords(post, wanted),
  );
}
