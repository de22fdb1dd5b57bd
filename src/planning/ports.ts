import type { Pace } from "../async/pace.ts";
import type { MediaTools } from "../media/fit/fit.ts";
import type { ChangeWarnings } from "../media/transform/choose.ts";
import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { NetworkId } from "../networks/contract/network-id.ts";
import type { Profile } from "../profiles/schema.ts";
import type { Storage } from "../storage/storage.ts";
import type { LocationHandling } from "./check-location.ts";
import type { InspectMedia } from "./media.ts";

/** May this account publish on this profile? */
export type Entitlements = (question: { account_id: string; profile: Profile }) => boolean | Promise<boolean>;

/** What planning works with. */
export interface PlanningPorts {
  storage: Storage;
  inspectMedia: InspectMedia;
  /** The transformers for automatic conversion. */
  mediaTools: MediaTools;
  /** What a file is going to lose by a change. */
  changeWarnings: ChangeWarnings;
  /** Why no network can fetch the file at an address, and what to do; null: nothing is known that stands in the way. */
  pullProblem(url: string): Promise<string | null>;
  location: LocationHandling;
  /** Between the pieces of long work: lets others have their turn. */
  pace: Pace;
  entitlements: Entitlements;
  adapter(network: NetworkId): NetworkAdapter | undefined;
}
