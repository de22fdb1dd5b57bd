import type { Storage } from "../../storage/storage.ts";

/** One requirement of the contract. */
export interface StorageCase {
  /** What the storage does, as a sentence; `skip` uses it as the name. */
  test: string;
  /** True: it needs a second handle on the same store. */
  needsAnother?: true;
  /** True: it needs the optional function `claimPosts`. */
  needsClaimPosts?: true;
  /** True: it needs the bytes on the disk. */
  needsBytes?: true;
  /** `another` is the second handle; without one, the first again. `bytes` returns none if they are unknown. */
  run(stores: { storage: Storage; another: Storage; bytes(): Promise<Uint8Array> }): Promise<void>;
}
