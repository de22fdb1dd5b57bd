import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { Inbox } from "../networks/contract/inbox.ts";
import { isOwnHost } from "../networks/runtime/exchange.ts";
import { factsOf, type ProfileRow } from "../profiles/rows.ts";
import type { Storage } from "../storage/storage.ts";
import { keepWhile, type Lease, LeaseLost } from "../work/lease.ts";
import { type ListAllowance, unboundedLists } from "./allowance.ts";
import { createIngest, type Ingest, type IngestPorts } from "./ingest.ts";
import { beginIngestBuffer, type IngestBuffer } from "./ingest-buffer.ts";
import { createListBudgets, type ListBudgets } from "./list-budgets.ts";
import type { InboxPorts } from "./ports.ts";
import { openReader, type Reader } from "./reader.ts";
import type { InboxRow } from "./rows.ts";

/** A process's turn on an inbox: everything that its tasks share. */
export interface Turn extends IngestBuffer {
  storage: Storage;
  row: InboxRow;
  inbox: Inbox;
  lease: Lease;
  allowance: ListAllowance;
  budgets: ListBudgets;
  /** Opens the profile's credentials at the first call. */
  reader(): Promise<Reader>;
  /** The reader; null: no task has needed it. */
  opened(): Reader | null;
  /**
   * True: the profile is no longer connected. A network may reject an access token for the inbox alone; then only the
   * inbox waits.
   */
  isBroken(): Promise<boolean>;
}

export type TurnPorts = InboxPorts & IngestPorts & { allowanceOf(accountId: string): ListAllowance };

export interface Opened {
  row: InboxRow;
  profile: ProfileRow;
  adapter: NetworkAdapter;
  inbox: Inbox;
  lease: Lease;
}

export function openTurn(ports: TurnPorts, given: Opened): Turn {
  const { row, profile, inbox, lease } = given;
  const { storage, clock, logger } = ports;
  const budgets = createListBudgets({ ...given, storage });
  const write = createIngest(ports, { row, lease, reports: inbox.reports, window: inbox.window });
  const ingest: Ingest = (intake) => write({ ...intake, state: (before) => budgets.into(intake.state(before)) });
  let reader: Reader | null = null;

  const isConnected = async (): Promise<boolean> => (await storage.get("profiles", profile.id))?.status === "connected";

  return {
    ...beginIngestBuffer({ ingest, lease }),
    storage,
    row,
    inbox,
    lease,
    budgets,
    allowance: hasOwnServer(given) ? ports.allowanceOf(row.account_id) : unboundedLists,
    async reader() {
      reader ??= await openReader(ports, given);
      return reader;
    },
    opened: () => reader,
    async isBroken() {
      if (!(await isConnected())) return true;
      await keepWhile(lease, clock, () => ports.checkProfile(profile)).catch((error: unknown) => {
        if (error instanceof LeaseLost) throw error;
        logger.warn("a profile could not be checked", { profile: profile.id, error: String(error) });
      });
      return !(await isConnected());
    },
  };
}

/** True: the profile's server is not the network's own; its owner may be the user who connected the profile. */
function hasOwnServer({ profile, adapter }: Pick<Opened, "profile" | "adapter">): boolean {
  const { host } = factsOf(profile);
  return host !== null && !isOwnHost(adapter, host);
}
