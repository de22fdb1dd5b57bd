import type { Lease } from "../work/lease.ts";
import type { Ingest, Intake } from "./ingest.ts";
import type { InboxState } from "./rows.ts";

/** Stores what the lists of an inbox return in one turn, in as few writes as possible. */
export interface IngestBuffer {
  /** As `Ingest`; also writes the changes that were put off. */
  ingest: Ingest;
  /** Adds a change of the inbox's state to the next write of this turn. Most polls change nothing else. */
  putOff(change: Intake["state"]): void;
  /** Writes the changes that were put off. */
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
