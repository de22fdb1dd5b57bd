import type { MediaStore } from "../media/store/store.ts";
import type { MediaTransformer } from "../media/transform/transformer.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Logger } from "../ports/logger.ts";
import type { Storage } from "../storage/storage.ts";
import type { Addresses } from "./address.ts";
import type { MediaBounds, UploadSlots } from "./bounds.ts";
import type { AddressSigner } from "./signer.ts";

/** The ports of hosting. */
export interface HostingPorts {
  storage: Storage;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  store: MediaStore;
  addresses: Addresses;
  signer: AddressSigner;
  bounds: MediaBounds;
  slots: UploadSlots;
  /** Convert files; the first suitable one is used. */
  transformers: readonly MediaTransformer[];
  /** True: files are served only at signed URLs. */
  isPrivate: boolean;
  /** True: files are sent with the locations in them. */
  keepsLocation: boolean;
  /** The guarded `fetch` for files at URLs from callers. */
  untrustedHttp: typeof fetch;
}
