import type { Pace } from "../async/pace.ts";
import type { MediaTools } from "../media/fit/fit.ts";
import type { ChangeWarnings } from "../media/transform/choose.ts";
import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { NetworkId } from "../networks/contract/network-id.ts";
import type { Profile } from "../profiles/schema.ts";
import type { Storage } from "../storage/storage.ts";
import type { LocationHandling } from "./check-location.ts";
import type { InspectMedia } from "./media.ts";

/** Decides whether an account may publish on a profile. */
export type Entitlements = (question: { account_id: string; profile: Profile }) => boolean | Promise<boolean>;

/** The ports that planning needs. */
export interface PlanningPorts {
  storage: Storage;
  inspectMedia: InspectMedia;
  /** The transformers for automatic conversion. */
  mediaTools: MediaTools;
  /** What a file loses by a conversion. */
  changeWarnings: ChangeWarnings;
  /** Why no network can download the file from a URL, and the remedy. Null: no reason is known. */
  pullProblem(url: string): Promise<string | null>;
  location: LocationHandling;
  /** Called between the pieces of long work, so that other work gets a turn. */
  pace: Pace;
  entitlements: Entitlements;
  adapter(network: NetworkId): NetworkAdapter | undefined;
}
