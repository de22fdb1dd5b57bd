import type { MediaStore } from "../../media/store/store.ts";

/** One requirement of the contract. */
export interface MediaStoreCase {
  /** What the store does, as a sentence; `skip` uses it as the name. */
  test: string;
  /** Optional methods that the test needs. */
  needs?: "address" | "upload";
  /** `another` is a second handle on the same store; without one, the first again. */
  run(stores: { store: MediaStore; another: MediaStore; http: typeof fetch }): Promise<void>;
}
