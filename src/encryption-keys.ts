import type { Ids } from "./ports/ids.ts";
import type { Logger } from "./ports/logger.ts";
import { missingKey, throwAwayKey } from "./ports/vault.ts";
import type { Storage } from "./storage/storage.ts";

/** The keys that a service seals credentials with. @throws SocialError `invalid_options` where one is missing that must outlive the process */
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

/** One for each store: a second service on it, as after a reload, goes on with what the first has stored. */
const throwAwayKeys = new WeakMap<Storage, string>();
