import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { NetworkId } from "../networks/contract/network-id.ts";
import type { ProfileRow } from "../profiles/rows.ts";
import type { SendingPorts } from "../sending/ports.ts";
import type { SubjectKind } from "../sending/subject-kind.ts";
import type { Lease } from "../work/lease.ts";

/** Dependencies of the processing of profiles. */
export interface DispatchPorts extends SendingPorts {
  /** The kinds of subjects that are sent on profiles. */
  kinds: readonly SubjectKind[];
  adapter(network: NetworkId): NetworkAdapter | undefined;
  /**
   * Asks the network about a profile that the caller holds, and stores the response.
   *
   * @throws SocialError `publish_failed` if the network cannot be asked now
   */
  checkHeld(profile: ProfileRow, lease: Lease): Promise<void>;
  /** As in `InboxPorts`. */
  hookUrl(network: NetworkId, appId: string): string | null;
  /** Schedules work on a profile, milliseconds. The alarm may be lost. */
  wake(at: number, profileId: string): void;
}
