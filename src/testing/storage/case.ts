import type { Storage } from "../../storage/storage.ts";

/** One demand of the contract. */
export interface StorageCase {
  /** What the storage does, as a sentence; what `skip` names. */
  test: string;
  /** Takes a second handle on the same store. */
  needsAnother?: true;
  /** Takes what stands on the disk. */
  needsBytes?: true;
  /** `another` is the second handle, or the first again where there is none; `bytes` gives none where that is not known. */
  run(stores: { storage: Storage; another: Storage; bytes(): Promise<Uint8Array> }): Promise<void>;
}
