import { sqliteStorage } from "../../../src/storage/sqlite/index.ts";

/** Run as a process of its own: at each message it claims from a file as many rows as the message says, and sends their ids. */
const storage = sqliteStorage(process.argv[2] ?? "");

process.on("message", async (limit: number) => {
  const claimed = await storage.claim("profiles", { now: 1000, leaseUntil: 2000, limit });
  process.send?.(claimed.map((row) => row.id));
});
process.on("disconnect", () => storage.close());
