import type { MediaStore } from "../media/store/store.ts";
import type { MediaTransformer } from "../media/transform/transformer.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Logger } from "../ports/logger.ts";
import type { Storage } from "../storage/storage.ts";
import type { Addresses } from "./address.ts";
import type { MediaBounds, UploadSlots } from "./bounds.ts";
import type { AddressSigner } from "./signer.ts";

/** What hosting works with. */
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
  /** What makes files fit; the first that makes what is needed. */
  transformers: readonly MediaTransformer[];
  /** Only signed addresses are answered. */
  isPrivate: boolean;
  /** Files are sent with the locations in them. */
  keepsLocation: boolean;
  /** Fetches files from addresses that a caller gave: the guard. */
  untrustedHttp: typeof fetch;
}
