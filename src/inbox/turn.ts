import type { InboxReports } from "../networks/contract/inbox.ts";
import type { Lease } from "../work/lease.ts";
import { type IngestPorts, type Intake, ingest } from "./ingest.ts";
import type { InboxState } from "./rows.ts";

/** What one turn of an inbox brings, on its way into the store. */
export interface Turn {
  /** As `ingest`, together with what was put off. */
  ingest(intake: Omit<Intake, "reports">): Promise<void>;
  /** What becomes of the inbox's own record, with the next write of this turn: most looks bring nothing else. */
  putOff(change: Intake["state"]): void;
  /** Writes what was put off. */
  end(): Promise<void>;
}

/** @param given.reports the network's */
export function beginTurn(ports: IngestPorts, { lease, reports }: { lease: Lease; reports: InboxReports }): Turn {
  let waiting: Intake["state"][] = [];

  const withWaiting = (stored: InboxState): InboxState => waiting.reduce((state, change) => change(state), stored);

  async function take(intake: Omit<Intake, "reports">): Promise<void> {
    const state = (stored: InboxState): InboxState => intake.state(withWaiting(stored));
    await ingest(ports, lease, { ...intake, reports, state });
    waiting = [];
  }

  return {
    ingest: take,
    putOff: (change) => void waiting.push(change),
    async end() {
      if (waiting.length > 0) await take({ facts: [], readAt: lease.now(), state: (stored) => stored });
    },
  };
}
