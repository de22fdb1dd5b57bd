import type { Hosting } from "../hosting/hosting.ts";
import type { Ids } from "../ports/ids.ts";
import type { StartPorts } from "../publishing/ports.ts";
import type { DueWorker } from "../work/due-worker.ts";

/** The ports that posts need. */
export interface PostPorts extends StartPorts {
  ids: Ids;
  hosting: Pick<Hosting, "keyOf" | "inspect" | "forAccount">;
  worker: DueWorker;
  /** The message for a request that names a network which the service does not have. Null: it has it. */
  networkRefusal(given: unknown): string | null;
  /** Receives work that continues after its call has returned. */
  track(work: Promise<unknown>): void;
  /** Requests a wake-up for a profile at a time, milliseconds. It may be lost. */
  wake(at: number, profileId: string): void;
  /** How long `create` and `retry` wait for the outcome, milliseconds. */
  publishWaitMs: number;
}
