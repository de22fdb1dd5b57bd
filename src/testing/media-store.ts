import { describe, it } from "vitest";
import type { MediaStore } from "../media/store/store.ts";
import type { MediaStoreCase } from "./media-store/case.ts";
import { keyCases } from "./media-store/keys.ts";
import { readCases } from "./media-store/reads.ts";
import { writeCases } from "./media-store/writes.ts";

/** What `mediaStoreContract` takes. */
export interface MediaStoreContractOptions {
  /** Heads the tests. */
  name: string;
  /** Called before each test, for an empty store. */
  create(): TestedMediaStore | Promise<TestedMediaStore>;
  /** Tests that this store cannot pass, by their names, each with the reason. */
  skip?: readonly { test: string; reason: string }[];
}

/** An empty store for one test. */
export interface TestedMediaStore {
  /** The one that is tested. */
  store: MediaStore;
  /** A second handle on the same store, as another process would open it. @default the first again */
  another?: MediaStore;
  /** Fetches what `address` and `upload` give. Without it the tests that need it are skipped. */
  http?: typeof fetch;
  /** Called after each test. */
  cleanup?(): void | Promise<void>;
}

const cases: readonly MediaStoreCase[] = [...writeCases, ...keyCases, ...readCases];

/**
 * Everything that hosted media relies on in a store, as tests. Call it at the
 * top of a vitest file; a store that passes may be used.
 *
 * @throws Error when `skip` names a test that does not exist
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
          if (needs !== undefined && http === withoutHttp) context.skip("create() gives no http");
          await run({ store, another, http });
        } finally {
          await cleanup?.();
        }
      });
    }
  });
}

function withoutHttp(): Promise<Response> {
  return Promise.reject(new Error("create() gives no http"));
}
