/** Starts a service on a database, waits for its first sweep, and tells how much memory the process then has. */
import { setImmediate } from "node:timers/promises";
import { systemClock } from "../../src/ports/clock.ts";
import { silentLogger } from "../support/logger.ts";
import { testKey } from "../support/service.ts";

const [file = "", core = "", sqlite = "", network = ""] = process.argv.slice(2);
const { createSocialService } = (await import(core)) as typeof import("../../src/index.ts");
const { sqliteStorage } = (await import(sqlite)) as typeof import("../../src/storage/sqlite/index.ts");
const { bluesky } = (await import(network)) as typeof import("../../src/networks/bluesky/index.ts");

let onPause = (): void => {};
const swept = new Promise<void>((resolve) => {
  onPause = resolve;
});
const clock = {
  ...systemClock,
  // A service that has nothing to do sleeps after its first sweep, and not before.
  sleep(ms: number, signal?: AbortSignal) {
    onPause();
    return systemClock.sleep(ms, signal);
  },
};
const storage = sqliteStorage(file);
const social = createSocialService({
  storage,
  networks: [bluesky()],
  clock,
  encryptionKey: testKey,
  logger: silentLogger,
});
await social.start();
await swept;
for (let round = 0; round < 5; round++) {
  globalThis.gc?.();
  await setImmediate();
}
process.send?.(process.memoryUsage.rss());
