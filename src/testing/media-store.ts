import { describe, it } from "vitest";
import type { MediaStore } from "../media/store/store.ts";
import type { MediaStoreCase } from "./media-store/case.ts";
import { keyCases } from "./media-store/keys.ts";
import { readCases } from "./media-store/reads.ts";
import { writeCases } from "./media-store/writes.ts";

/** The options of `mediaStoreContract`. */
export interface MediaStoreContractOptions {
  /** The title of the tests. */
  name: string;
  /** Creates an empty store before each test. */
  create(): TestedMediaStore | Promise<TestedMediaStore>;
  /** Tests that this store cannot pass, by name, each with the reason. */
  skip?: readonly { test: string; reason: string }[];
}

/** An empty store for one test. */
export interface TestedMediaStore {
  /** The tested store. */
  store: MediaStore;
  /** A second handle on the same store, as another process would open it. @default the first one */
  another?: MediaStore;
  /** Fetches the URLs of `address` and `upload`. Without it, the tests that need it are skipped. */
  http?: typeof fetch;
  /** Called after each test. */
  cleanup?(): void | Promise<void>;
}

const cases: readonly MediaStoreCase[] = [...writeCases, ...keyCases, ...readCases];

/**
 * Tests every requirement that hosted media have of a store. Call it at the top of a vitest file; a store that passes
 * may be used.
 *
 * @throws Error if `skip` names a test that does not exist
 *
 * @example
 * mediaStoreContract({ name: "memory", create: () => ({ store: memoryMediaStore() }) });
 */
export function mediaStoreContract({ name, create, skip = [] }: MediaStoreContractOptions): void {
  const misnamed = skip.find(({ test }) => !cases.some((known) => known.test === test));
  if (misnamed !== undefined) throw new Error(`The media store contract has no test "${misnamed.test}" to skip.`);

  describe(`media store contract: ${name}`, () => {
    for (const { test, needs, run } of cases) {
      it(test, async (context) => {
        const skipped = skip.find((entry) => entry.test === test);
        if (skipped !== undefined) context.skip(skipped.reason);
        const { store, another = store, http = withoutHttp, cleanup } = await create();
        try {
          if (needs !== undefined && store[needs] === undefined) context.skip(`the store has no ${needs}`);
          if (needs !== undefined && http === withoutHttp) context.skip("create() returns no http");
          await run({ store, another, http });
        } finally {
          await cleanup?.();
        }
      });
    }
  });
}

function withoutHttp(): Promise<Response> {
  return Promise.reject(new Error("create() returns no http"));
}
