import { describe, it } from "vitest";
import type { Storage } from "../storage/storage.ts";
import type { StorageCase } from "./storage/case.ts";
import { claimCases } from "./storage/claims.ts";
import { counterCases } from "./storage/counters.ts";
import { queryCases } from "./storage/queries.ts";
import { rowCases } from "./storage/rows.ts";
import { wipingCases } from "./storage/wiping.ts";
import { writeCases } from "./storage/writes.ts";

/** The options of `storageContract`. */
export interface StorageContractOptions {
  /** The title of the tests. */
  name: string;
  /** Creates an empty store before each test. The tests migrate and close it. */
  create(): TestedStorage | Promise<TestedStorage>;
  /** Tests that this storage cannot pass, by name, each with the reason. */
  skip?: readonly { test: string; reason: string }[];
}

/** A storage for one test. */
export interface TestedStorage {
  /** The tested storage. */
  storage: Storage;
  /** Opens a second handle on the same store, as another process would. Without it, the tests that need one are skipped. */
  another?(): Promise<Storage>;
  /** All bytes of the store on the disk at this moment, including logs. Without it, the test that needs them is skipped. */
  bytes?(): Uint8Array | Promise<Uint8Array>;
  /** Called after each test. */
  cleanup?(): void | Promise<void>;
}

const cases: readonly StorageCase[] = [
  ...rowCases,
  ...queryCases,
  ...writeCases,
  ...claimCases,
  ...counterCases,
  ...wipingCases,
];

/**
 * Tests every requirement that the package has of a storage. Call it at the top of a vitest file; a storage that
 * passes may be used.
 *
 * @throws Error if `skip` names a test that does not exist
 *
 * @example
 * storageContract({ name: "memory", create: () => ({ storage: memoryStorage() }) });
 */
export function storageContract({ name, create, skip = [] }: StorageContractOptions): void {
  const misnamed = skip.find(({ test }) => !cases.some((known) => known.test === test));
  if (misnamed !== undefined) throw new Error(`The storage contract has no test "${misnamed.test}" to skip.`);

  describe(`storage contract: ${name}`, () => {
    for (const { test, needsAnother, needsClaimPosts, needsBytes, run } of cases) {
      it(test, async (context) => {
        const skipped = skip.find((entry) => entry.test === test);
        if (skipped !== undefined) context.skip(skipped.reason);
        const { storage, another, bytes, cleanup } = await create();
        try {
          if (needsAnother && another === undefined) context.skip("create() returns no second handle on the store");
          if (needsClaimPosts && storage.claimPosts === undefined) context.skip("the storage has no claimPosts");
          if (needsBytes && bytes === undefined) context.skip("create() does not return the bytes on the disk");
          await storage.migrate();
          const second = await another?.();
          try {
            await run({
              storage,
              another: second ?? storage,
              bytes: async () => (await bytes?.()) ?? new Uint8Array(),
            });
          } finally {
            await second?.close();
          }
        } finally {
          await storage.close();
          await cleanup?.();
        }
      });
    }
  });
}
