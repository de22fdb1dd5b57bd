import type { Operation, Where } from "../storage/storage.ts";
import { waitsTrustedSince } from "../work/clock-jump.ts";
import type { DueWork } from "../work/due-worker.ts";
import type { DispatchPorts } from "./ports.ts";
import { dueNow, type SubjectPlace } from "./waiting.ts";

/** Restarts waits after a clock jump, because their times are no longer reliable. */
export interface ClockJumps extends Required<Pick<DueWork<never>, "afterJump" | "afterLeaseAhead">> {
  /** Waits that began before this time start again. */
  waitsSince(now: number): number;
}

export function createClockJumps({ storage, kinds }: Pick<DispatchPorts, "storage" | "kinds">): ClockJumps {
  /** When the last clock jump of this machine was noticed, the store's time; 0: never. */
  let jumpAt = 0;

  /** Reads the subjects that are due later than now, by a clock that may have been wrong. */
  async function readAhead(where: Where, now: number): Promise<(SubjectPlace & { profileId: string })[]> {
    const found = kinds.map(async ({ collection }) => {
      const { rows } = await storage.find(collection, {
        where: { ...where, due_at: { gte: now + 1 } },
        isCounted: false,
      });
      return rows.map(({ id, profile_id }) => ({ collection, id, profileId: String(profile_id) }));
    });
    return (await Promise.all(found)).flat();
  }

  return {
    async afterJump(now) {
      jumpAt = now;
      const ahead = await readAhead({}, now);
      const profileIds = new Set(ahead.map(({ profileId }) => profileId));
      await storage.write([
        ...ahead.map((subject) => dueNow(subject, now)),
        ...[...profileIds].map((id) => dueNow({ collection: "profiles", id }, now)),
      ]);
    },
    async afterLeaseAhead(id, now): Promise<Operation[]> {
      return (await readAhead({ profile_id: id }, now)).map((subject) => dueNow(subject, now));
    },
    waitsSince: (now) => waitsTrustedSince(jumpAt, now),
  };
}
