import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { type MediaRow, wholeStatuses } from "../../src/hosting/rows.ts";
import { filesStore } from "../../src/media/files.ts";
import { memoryMediaStore } from "../../src/media/memory.ts";
import type { MediaStore } from "../../src/media/store/store.ts";
import type { SocialServiceOptions } from "../../src/options.ts";
import type { CollectionName } from "../../src/storage/schema.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { fromRow } from "../../src/storage/typed.ts";
import type { ManualClock } from "../../src/testing/clock.ts";
import { createTestService, type TestService } from "./service.ts";

export const hourMs = 3_600_000;

/** A media store of which a test can see everything that is in it. */
export interface WatchedStore {
  store: MediaStore;
  /** What is in it, whole or half written: the keys, `/` written as `+`. */
  names(): string[];
  cleanup(): void;
}

/** Files in a folder that goes with the test. */
export function folderStore(): WatchedStore {
  const folder = mkdtempSync(join(tmpdir(), "postrider-media-"));
  return {
    store: filesStore(folder),
    names: () => readdirSync(folder).sort(),
    cleanup: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Files in memory; `names` leaves out what is half written. */
export function memoryStore(): WatchedStore {
  const store = memoryMediaStore();
  const keys = new Set<string>();
  return {
    store: {
      ...store,
      async put(key, body, options) {
        const put = await store.put(key, body, options);
        keys.add(key);
        return put;
      },
      async delete(key, options) {
        await store.delete(key, options);
        keys.delete(key);
      },
    },
    names: () => [...keys].map((key) => key.replaceAll("/", "+")).sort(),
    cleanup: () => undefined,
  };
}

export interface HostingBench extends TestService {
  kept: WatchedStore;
  rows(): Promise<MediaRow[]>;
  /** Everything that the hourly work does. */
  sweep(): Promise<void>;
}

export function hostingBench(
  options: Partial<SocialServiceOptions> & { tenants?: false; clock?: ManualClock; kept?: WatchedStore } = {},
): HostingBench {
  const { kept = memoryStore(), ...given } = options;
  const service = createTestService({ mediaStore: kept.store, ...given });
  return {
    ...service,
    kept,
    rows: () => mediaRows(service.storage),
    async sweep() {
      await service.clock.advance(hourMs);
      await service.clock.run(async () => void (await service.social.runDue()));
    },
  };
}

export async function mediaRows(storage: Storage): Promise<MediaRow[]> {
  return (await allRows(storage, "media")).map((row) => fromRow<MediaRow>(row));
}

async function allRows(storage: Storage, collection: CollectionName) {
  return (await storage.find(collection, { where: {} })).rows;
}

/** Rows and files tell the same: no file without its row, no shown row without its file, and the room that they take together. */
export async function expectAgreement(storage: Storage, kept: WatchedStore, when = ""): Promise<void> {
  const rows = await mediaRows(storage);
  const names = rows.map(({ id }) => id.replaceAll("/", "+"));
  const strays = kept.names().filter((file) => !names.some((name) => file.includes(name)));
  expect(strays, `files without a row, ${when}`).toEqual([]);
  for (const row of rows.filter(({ status }) => wholeStatuses.includes(status))) {
    expect(await kept.store.head(row.id), `a row without its file, ${when}`).toMatchObject({
      size_bytes: row.size_bytes,
    });
  }
  const accounts = await allRows(storage, "media_accounts");
  for (const account of accounts) {
    const own = rows.filter(({ account_id }) => account_id === account.id);
    const taken = own.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
    expect(account.bytes, `the room of ${account.id}, ${when}`).toBe(taken);
  }
  const keys = new Set(rows.map(({ id }) => id));
  for (const use of await allRows(storage, "media_uses")) expect(keys, when).toContain(use.media_id);
}

/** A stream of these bytes, in pieces. */
export function streamOf(bytes: Uint8Array, pieceBytes = 1_000): ReadableStream<Uint8Array> {
  let offset = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (offset >= bytes.length) return controller.close();
        controller.enqueue(bytes.slice(offset, offset + pieceBytes));
        offset += pieceBytes;
      },
    },
    { highWaterMark: 0 },
  );
}
