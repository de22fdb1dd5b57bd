import type { Hosting } from "../hosting/hosting.ts";
import type { Ids } from "../ports/ids.ts";
import type { StartPorts } from "../publishing/ports.ts";
import type { DueWorker } from "../work/due-worker.ts";

/** What posts work with. */
export interface PostPorts extends StartPorts {
  ids: Ids;
  hosting: Pick<Hosting, "keyOf" | "inspect" | "forAccount">;
  worker: DueWorker;
  /** What to tell whoever names a network that the service does not have; null: it has it. */
  networkRefusal(given: unknown): string | null;
  /** Gets the work that goes on after the call that began it has answered. */
  track(work: Promise<unknown>): void;
  /** Asks to be called for a profile at a moment, milliseconds; may be forgotten. */
  wake(at: number, profileId: string): void;
  /** How long `create` and `retry` wait for the outcome, milliseconds. */
  publishWaitMs: number;
}
