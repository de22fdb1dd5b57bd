import { Pool } from "pg";
import { memoryStorage } from "../../src/storage/memory.ts";
import { postgresStorage } from "../../src/storage/postgres/index.ts";
import { sqliteStorage } from "../../src/storage/sqlite/index.ts";
import type { Storage } from "../../src/storage/storage.ts";
import type { ManualClock } from "../../src/testing/clock.ts";
import { startPostgres } from "../support/postgres.ts";

/** A kind of storage, of which each scene gets an empty one. */
export interface SceneStores {
  open(clock: ManualClock): Promise<Storage>;
  close(): Promise<void>;
}

export const storeNames = ["memory", "sqlite", "postgres"] as const;
export type StoreName = (typeof storeNames)[number];

/** @returns the reason when there can be none here */
export async function createStores(name: StoreName): Promise<SceneStores | string> {
  const close = async (): Promise<void> => undefined;
  if (name === "memory") return { open: async (clock) => memoryStorage({ clock }), close };
  if (name === "sqlite") return { open: async (clock) => clock.watch(sqliteStorage(":memory:", { clock })), close };
  const server = await startPostgres();
  if (typeof server === "string") return server;
  // With more connections it is chance whose question is answered first.
  const pool = new Pool({ connectionString: server.url, max: 1 });
  // Told when the server ends.
  pool.on("error", () => undefined);
  let opened = 0;
  return {
    async open(clock) {
      opened += 1;
      return clock.watch(postgresStorage(pool, { tablePrefix: `scene_${opened}_` }));
    },
    async close() {
      await pool.end();
      await server.remove();
    },
  };
}
