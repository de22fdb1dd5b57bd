import type { Ids } from "./ports/ids.ts";
import type { Logger } from "./ports/logger.ts";
import { missingKey, throwAwayKey } from "./ports/vault.ts";
import type { Storage } from "./storage/storage.ts";

/**
 * The keys that a service encrypts credentials with. @throws SocialError `invalid_options` if a persistent storage is
 * used without one
 */
export function encryptionKeysFor(options: {
  storage: Storage;
  encryptionKey?: string | readonly string[] | undefined;
  ids: Ids;
  logger: Logger;
}): readonly string[] {
  const { storage, encryptionKey, ids, logger } = options;
  if (encryptionKey !== undefined) return typeof encryptionKey === "string" ? [encryptionKey] : encryptionKey;
  if (storage.isVolatile !== true) throw missingKey();
  logger.warn("no encryptionKey: a temporary key is used, which is lost when the process exits");
  const key = throwAwayKeys.get(storage) ?? throwAwayKey(ids);
  throwAwayKeys.set(storage, key);
  return [key];
}

/** One temporary key per store, so that a second service on the same store can decrypt the first one's data. */
const throwAwayKeys = new WeakMap<Storage, string>();
