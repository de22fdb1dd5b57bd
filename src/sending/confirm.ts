import type { Published, PublishedPart } from "../networks/contract/plan.ts";
import { NotReady } from "../networks/contract/request.ts";
import { NetworkRefusal } from "../networks/runtime/session.ts";
import { PublishingError } from "../wire/errors.ts";
import { LeaseLost } from "../work/lease.ts";
import type { BoundRequest } from "./bound-publisher.ts";
import type { Keys } from "./intent.ts";
import type { PartRun } from "./part-run.ts";
import { type Progress, putOff } from "./progress.ts";
import { countOf, type SubjectRun } from "./subject-run.ts";
import { rememberVisibleLists } from "./visible-lists.ts";

/** A live post waits no longer than this for a network in trouble to do the rest, milliseconds. */
const confirmPatienceMs = 120_000;

/** When to try again what failed after a post was live: null, after a while; undefined, not at all. */
function nextConfirm(run: SubjectRun, error: unknown): number | null | undefined {
  if (error instanceof NotReady) return null;
  const now = run.lease.now();
  const until = (run.state().patience?.since ?? now) + confirmPatienceMs;
  if (now >= until) return undefined;
  if (!(error instanceof NetworkRefusal)) return PublishingError.is(error) && error.isPassing ? null : undefined;
  const { refusal } = error;
  if (refusal.effect === "later") return (refusal.retryAt ?? 0) > until ? undefined : refusal.retryAt;
  return refusal.effect === "unknown" ? null : undefined;
}

/** Does what is left to do for a part that is live, and for those that went out with it. Its failure never fails the target. */
export async function confirm(
  run: SubjectRun,
  part: PartRun,
  { published, keys }: { published: Published; keys: Keys },
): Promise<Progress> {
  const { following = [], ...first } = published;
  const { live } = run.state();
  const confirmed: PublishedPart[] = [];
  for (const [offset, each] of [first, ...following].entries()) {
    const key = keys[offset];
    const index = part.index + offset;
    // A retry may have been planned with fewer parts than an earlier attempt had.
    if (key === undefined || index >= countOf(run)) break;
    const attempt = run.publisherOf(index, [...live, ...confirmed]).requestFor([key]);
    const progress = await confirmPart(run, { attempt, index, published: each });
    if (progress.kind !== "live") return progress;
    confirmed.push(...progress.published);
  }
  return { kind: "live", published: confirmed };
}

async function confirmPart(
  run: SubjectRun,
  { attempt, index, published }: { attempt: BoundRequest; index: number; published: PublishedPart },
): Promise<Progress> {
  try {
    const confirmed = await attempt.confirm(run.credentials.context, published);
    await rememberVisibleLists(run, confirmed, attempt);
    return { kind: "live", published: [confirmed] };
  } catch (error) {
    if (error instanceof LeaseLost) throw error;
    const reason = error instanceof Error ? error.message : "unknown";
    const until = nextConfirm(run, error);
    if (until !== undefined) {
      const message = `The post is live; its additions are still pending. ${reason}`;
      const progress = putOff(run, { code: "network_error", message, until });
      if (progress.kind === "wait") return progress;
    }
    run.ports.logger.warn("a published part could not be completed", {
      [run.label]: run.id,
      part: index,
      error: reason,
    });
    return { kind: "live", published: [incomplete(published, attempt, reason)] };
  }
}

/** The part, with a warning where something that was asked for is missing. */
function incomplete(published: PublishedPart, { unconfirmed }: BoundRequest, reason: string): PublishedPart {
  if (unconfirmed === null) return published;
  return { ...published, warnings: [...(published.warnings ?? []), `${unconfirmed}: ${reason}`] };
}
