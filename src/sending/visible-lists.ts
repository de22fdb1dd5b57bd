import type { PublishedPart } from "../networks/contract/plan.ts";
import { NetworkRefusal } from "../networks/runtime/session.ts";
import { freshLists, withVisible } from "../profiles/visible-lists.ts";
import { PublishingError } from "../wire/errors.ts";
import type { BoundRequest } from "./bound-publisher.ts";
import type { SubjectRun } from "./subject-run.ts";

/**
 * Remembers which of the network's lists show a part that is certainly live. After a lost response, the absence from
 * one of these lists proves that nothing was published.
 */
export async function rememberVisibleLists(
  run: SubjectRun,
  published: PublishedPart,
  attempt: BoundRequest,
): Promise<void> {
  const now = run.lease.now();
  const state = run.credentials.profile().private;
  const fresh = freshLists(state, now);
  const wanted = attempt.listNames();
  if (wanted.length === 0 || wanted.some((name) => Object.hasOwn(fresh, name))) return;
  try {
    const showing = await attempt.listsShowing(run.credentials.context, published);
    if (showing.length > 0) await run.credentials.save({ visible_lists: withVisible(state, showing, now) });
  } catch (error) {
    if (!(error instanceof NetworkRefusal) && !PublishingError.is(error)) throw error;
    // The part is live; a later one may fill this in.
    run.ports.logger.info("a network's lists could not be read", { profile: run.lease.id, error: error.message });
  }
}
