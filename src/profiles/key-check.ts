import type { Logger } from "../ports/logger.ts";
import type { Vault } from "../ports/vault.ts";
import type { Storage } from "../storage/storage.ts";
import { fromRow } from "../storage/typed.ts";
import { SocialError } from "../wire/errors.ts";
import type { ProfileRow } from "./rows.ts";

/** Profiles that are looked at: those with the least to do and those with the most. */
const looked = 50;

/**
 * Makes the comparison of the keys that the service was given with those that
 * stored credentials were sealed with. It is made until it has succeeded once.
 *
 * @throws SocialError `internal_error` when nothing of what is stored opens
 */
export function createKeyCheck(ports: { storage: Storage; vault: Vault; logger: Logger }): () => Promise<void> {
  const { vault, logger } = ports;
  let isDone = false;

  return async () => {
    if (isDone) return;
    const sealed = await readSealed(ports.storage).catch((error: unknown) => {
      // A store that is not there yet must not prevent the start.
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

/** A few of the sealed credentials; by an index, so that a million profiles cost no more. */
async function readSealed(storage: Storage): Promise<string[]> {
  const where = { status: { in: ["connected", "needs_attention"] } };
  const pages = await Promise.all(
    (["asc", "desc"] as const).map((direction) =>
      storage.find("profiles", { where, order: { column: "due_at", direction }, limit: looked, isCounted: false }),
    ),
  );
  return pages.flatMap(({ rows }) => rows.flatMap((row) => fromRow<ProfileRow>(row).private.secret ?? []));
}
