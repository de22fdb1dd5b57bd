import type { PublishedPart } from "../networks/contract/plan.ts";
import { NetworkRefusal } from "../networks/runtime/session.ts";
import { PublishingError } from "../wire/errors.ts";
import type { Attempt } from "./act.ts";
import { trustMs } from "./look.ts";
import type { SubjectRun } from "./subject-run.ts";

/** Lists of one profile that are remembered; a server that changes its version with every answer fills no row. */
const maxLists = 100;

/**
 * Remembers which of the network's lists show a part that is certainly live:
 * after a lost answer the silence of such a list means that nothing went out.
 */
export async function learnLists(run: SubjectRun, published: PublishedPart, attempt: Attempt): Promise<void> {
  const now = run.lease.now();
  const { seen = {} } = run.credentials.profile().private;
  const fresh = Object.entries(seen).filter(([, at]) => at > now - trustMs);
  const names = new Set(fresh.map(([name]) => name));
  const wanted = attempt.listNames();
  if (wanted.length === 0 || wanted.some((name) => names.has(name))) return;
  try {
    const showing = await attempt.listsShowing(run.credentials.context, published);
    const learnt = [...fresh, ...showing.map((name): [string, number] => [name, now])].slice(-maxLists);
    if (showing.length > 0) await run.credentials.save({ seen: Object.fromEntries(learnt) });
  } catch (error) {
    if (!(error instanceof NetworkRefusal) && !PublishingError.is(error)) throw error;
    // The part is live; the next one may teach us.
    run.ports.logger.info("a network's lists could not be read", { profile: run.lease.id, error: error.message });
  }
}
