import type { Logger } from "../ports/logger.ts";
import type { Operation, Storage } from "../storage/storage.ts";
import { fromRow, toChange } from "../storage/typed.ts";
import { SocialError } from "../wire/errors.ts";
import { readTargets } from "./read.ts";
import type { TargetRow } from "./rows.ts";

/** Targets that are marked in one write. */
const batch = 100;

/**
 * After a backup was restored: everything that is due or under way may have
 * gone out since the backup was made, so it is looked for before it is sent.
 *
 * @param restoredFrom when the backup was made
 * @returns how many targets are held
 * @throws SocialError `invalid_request` for a time that is none, or lies ahead
 */
export async function markRestored(
  { storage, logger }: { storage: Storage; logger: Logger },
  restoredFrom: Date | string,
): Promise<number> {
  const now = await storage.now();
  const since = timeOf(restoredFrom);
  if (since === null || since > now) {
    const message = `restoredFrom: must be the time of the backup, as a Date or a string such as "2026-11-21T04:00:00Z", not ${String(restoredFrom)}.`;
    throw new SocialError("invalid_request", message, { details: [{ field: "restoredFrom", message }] });
  }
  const posts = await storage.find("posts", { where: { status: "scheduled", due_at: { lte: now } }, isCounted: false });
  const underWay = await storage.find("targets", { where: { due_at: { not_null: true } }, isCounted: false });
  const due = posts.rows.length === 0 ? [] : await readTargets(storage, ...posts.rows.map(({ id }) => id));
  const targets = [...due, ...underWay.rows.map((row) => fromRow<TargetRow>(row))];
  for (let start = 0; start < targets.length; start += batch)
    await storage.write(targets.slice(start, start + batch).map((target) => held(target, since)));
  logger.warn(
    "the store was restored from a backup: the service first looks for posts that may have been published since",
    {
      targets: targets.length,
    },
  );
  return targets.length;
}

function held({ id, private: state }: TargetRow, since: number): Operation {
  const restored_from = Math.min(since, state.restored_from ?? since);
  const change = toChange({ private: { ...state, restored_from } });
  return { kind: "update", collection: "targets", id, change, where: {} };
}

function timeOf(given: Date | string): number | null {
  const ms =
    given instanceof Date ? given.getTime() : /(?:Z|[+-]\d\d:\d\d)$/.test(given) ? Date.parse(given) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}
