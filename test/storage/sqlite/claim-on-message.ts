import { sqliteStorage } from "../../../src/storage/sqlite/index.ts";

/** A child process: at each message it claims that many rows from a file, and sends their ids. */
const storage = sqliteStorage(process.argv[2] ?? "");

process.on("message", async (limit: number) => {
  const claimed = await storage.claim("profiles", { now: 1000, leaseUntil: 2000, limit });
  process.send?.(claimed.map((row) => row.id));
});
process.on("disconnect", () => storage.close());
