import type { Lease } from "../work/lease.ts";
import type { Ingest, Intake } from "./ingest.ts";
import type { InboxState } from "./rows.ts";

/** What the lists of an inbox bring in one turn, on its way into the store. */
export interface IngestBuffer {
  /** Together with what was put off. */
  ingest: Ingest;
  /** What becomes of the inbox's own record, with the next write of this turn: most looks bring nothing else. */
  putOff(change: Intake["state"]): void;
  /** Writes what was put off. */
  end(): Promise<void>;
}

export function beginIngestBuffer({ ingest, lease }: { ingest: Ingest; lease: Lease }): IngestBuffer {
  let waiting: Intake["state"][] = [];

  const withWaiting = (stored: InboxState): InboxState => waiting.reduce((state, change) => change(state), stored);

  async function take(intake: Intake): Promise<number> {
    const state = (stored: InboxState): InboxState => intake.state(withWaiting(stored));
    const rows = await ingest({ ...intake, state });
    waiting = [];
    return rows;
  }

  return {
    ingest: take,
    putOff: (change) => void waiting.push(change),
    async end() {
      if (waiting.length > 0) await take({ facts: [], readAt: lease.now(), state: (stored) => stored });
    },
  };
}
