import type { Logger } from "./logger.ts";
import type { DueWorker } from "./storage/due-worker.ts";

/** Works off what is due in one collection, so many rows at once. */
export interface Pool {
  /** Claims what is due, as far as there is room and at most so many. Returns how many rows that were. */
  claimDue(atMost?: number): Promise<number>;
  /** Works one row off, unless others wait for room: then the next sweep does, the earliest due first. */
  work(id: string): Promise<void>;
  hasRoom(): boolean;
  /** The work under way; none of it rejects. */
  running: ReadonlySet<Promise<void>>;
}

export interface PoolPorts {
  logger: Logger;
  worker: DueWorker;
  /** Rows worked off side by side; one that takes long holds up none of the others. */
  atOnce: number;
  /** Called when there is room for what an alarm has announced in vain. */
  onRoom(): void;
}

export function createPool({ logger, worker, atOnce, onRoom }: PoolPorts): Pool {
  const running = new Set<Promise<void>>();
  /** An alarm was left to the sweep. */
  let isMissed = false;
  /** As many rows were due as there was room for, or more: alarms must not get ahead of those that wait. */
  let isBehind = false;

  const hasRoom = (): boolean => running.size < atOnce;

  function tellOfRoom(): void {
    if (!isMissed || !hasRoom()) return;
    isMissed = false;
    onRoom();
  }

  function add(work: Promise<void>): Promise<void> {
    const done: Promise<void> = work.finally(() => {
      running.delete(done);
      tellOfRoom();
    });
    running.add(done);
    return done;
  }

  return {
    running,
    hasRoom,
    async claimDue(atMost = atOnce) {
      const limit = Math.min(atOnce - running.size, atMost);
      if (limit <= 0) return 0;
      const works = await worker.claimDue(limit);
      isBehind = works.length === limit;
      for (const work of works) void add(work);
      return works.length;
    },
    async work(id) {
      if (!hasRoom() || isBehind) {
        isMissed = true;
        return tellOfRoom();
      }
      const report = (error: unknown): void =>
        logger.error("an alarm's work failed; the sweep repeats it", { id, error: String(error) });
      await add(worker.work(id).catch(report));
    },
  };
}
