import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import { type Operation, type Storage, StorageConflict } from "./storage.ts";

const betweenTriesMs = 200;
const patienceMs = 20_000;

/**
 * Writes data that exist nowhere else; retries while the store cannot be reached.
 *
 * @throws StorageConflict immediately; any other error after 20 s
 */
export async function writeWithRetries(
  ports: { storage: Storage; clock: Clock; logger: Logger },
  operations: readonly Operation[],
): Promise<void> {
  const until = ports.clock.monotonic() + patienceMs;
  for (;;) {
    try {
      return await ports.storage.write(operations);
    } catch (error) {
      if (error instanceof StorageConflict || ports.clock.monotonic() >= until) throw error;
      ports.logger.warn("the store rejected a write; retrying", { error: String(error) });
      await ports.clock.sleep(betweenTriesMs);
    }
  }
}
