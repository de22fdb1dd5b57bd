import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { NetworkId } from "../networks/contract/network-id.ts";
import type { ProfileRow } from "../profiles/rows.ts";
import type { SendingPorts } from "../sending/ports.ts";
import type { SubjectKind } from "../sending/subject-kind.ts";
import type { Lease } from "../work/lease.ts";

/** What the processing of profiles needs. */
export interface DispatchPorts extends SendingPorts {
  /** What goes out on profiles. */
  kinds: readonly SubjectKind[];
  adapter(network: NetworkId): NetworkAdapter | undefined;
  /** Asks the network about a profile that the caller holds, and stores what it says. @throws SocialError `publish_failed` when it cannot be asked now */
  checkHeld(profile: ProfileRow, lease: Lease): Promise<void>;
  /** As in `InboxPorts`. */
  hookUrl(network: NetworkId, appId: string): string | null;
  /** Asks to be called for a profile at a moment, milliseconds; may be forgotten. */
  wake(at: number, profileId: string): void;
}
