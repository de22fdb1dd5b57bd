import type { Logger } from "../ports/logger.ts";
import type { Vault } from "../ports/vault.ts";
import type { Storage } from "../storage/storage.ts";
import { fromRow } from "../storage/typed.ts";
import { SocialError } from "../wire/errors.ts";
import type { ProfileRow } from "./rows.ts";

/** Number of profiles to check from each end: those that are due first and those due last. */
const looked = 50;

/**
 * Creates a check of the service's encryption keys against stored credentials. Each call checks until one has
 * succeeded.
 *
 * @throws SocialError `internal_error` if the keys decrypt none of them
 */
export function createKeyCheck(ports: { storage: Storage; vault: Vault; logger: Logger }): () => Promise<void> {
  const { vault, logger } = ports;
  let isDone = false;

  return async () => {
    if (isDone) return;
    const sealed = await readSealed(ports.storage).catch((error: unknown) => {
      // A store that is not reachable yet must not prevent the start.
      logger.warn("the check of encryptionKey failed", { error: String(error) });
      return null;
    });
    if (sealed === null) return;
    const lacks = sealed.flatMap((each) => vault.lackFor(each) ?? []);
    const [lack] = lacks;
    if (lack !== undefined && lacks.length === sealed.length) throw new SocialError("internal_error", lack);
    if (lack !== undefined) {
      logger.error("some profiles need a missing encryption key", {
        of: sealed.length,
        locked: lacks.length,
        reason: lack,
      });
    }
    isDone = true;
  };
}

/** A sample of the encrypted credentials. It uses an index, so that a million profiles cost no more. */
async function readSealed(storage: Storage): Promise<string[]> {
  const where = { status: { in: ["connected", "needs_attention"] } };
  const pages = await Promise.all(
    (["asc", "desc"] as const).map((direction) =>
      storage.find("profiles", { where, order: { column: "due_at", direction }, limit: looked, isCounted: false }),
    ),
  );
  return pages.flatMap(({ rows }) => rows.flatMap((row) => fromRow<ProfileRow>(row).private.secret ?? []));
}
