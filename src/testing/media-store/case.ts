import type { MediaStore } from "../../media/store/store.ts";

/** One demand of the contract. */
export interface MediaStoreCase {
  /** What the store does, as a sentence; what `skip` names. */
  test: string;
  /** What not every store has. */
  needs?: "address" | "upload";
  /** `another` is a second handle on the same store, or the first again where there is none. */
  run(stores: { store: MediaStore; another: MediaStore; http: typeof fetch }): Promise<void>;
}
