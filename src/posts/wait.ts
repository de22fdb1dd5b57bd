import { waitAtMost } from "../ports/clock.ts";
import { readPost, readTargets, toPost } from "../publishing/read.ts";
import type { TargetRow } from "../publishing/rows.ts";
import type { Post } from "../publishing/schema.ts";
import { isOpen } from "../publishing/status.ts";
import { fromRow } from "../storage/typed.ts";
import type { PostPorts } from "./ports.ts";

/** Time between two polls of work in another process, milliseconds. */
const pollMs = 250;

/**
 * Processes a post's profiles until every target has settled. Returns after `publishWaitMs` at the latest; the work
 * then continues in the background.
 */
export async function driveUntilSettled(ports: PostPorts, postId: string): Promise<Post> {
  const until = ports.clock.monotonic() + ports.publishWaitMs;
  const targets = await readTargets(ports.storage, postId);
  const work = Promise.all(targets.map(({ id, profile_id }) => driveTarget(ports, { id, profile_id, until }))).catch(
    (error: unknown) =>
      ports.logger.error("publishing was interrupted; the worker continues it", { error: String(error) }),
  );
  ports.track(work);
  await waitAtMost(ports.clock, ports.publishWaitMs, work);
  return readWhole(ports, postId);
}

/** Waits for another process's work, and does none itself. */
export async function waitUntilSettled(ports: PostPorts, postId: string): Promise<Post> {
  const until = ports.clock.monotonic() + ports.publishWaitMs;
  for (;;) {
    const { status } = await readPost(ports.storage, postId);
    if (status !== "publishing" || ports.clock.monotonic() >= until) return readWhole(ports, postId);
    await ports.clock.sleep(pollMs);
  }
}

export async function readWhole(ports: PostPorts, postId: string): Promise<Post> {
  return toPost(await readPost(ports.storage, postId), await readTargets(ports.storage, postId));
}

async function driveTarget(
  ports: PostPorts,
  { id, profile_id, until }: { id: string; profile_id: string; until: number },
): Promise<void> {
  for (;;) {
    await ports.worker.work(profile_id);
    const row = await ports.storage.get("targets", id);
    const leftMs = until - ports.clock.monotonic();
    if (row === null || leftMs <= 0) return;
    const { status, due_at } = fromRow<TargetRow>(row);
    if (!isOpen(status)) return;
    const untilDueMs = (due_at ?? 0) - (await ports.storage.now());
    await ports.clock.sleep(Math.min(Math.max(untilDueMs, pollMs), leftMs));
  }
}
