import { isoTime } from "../ports/clock.ts";
import { retryConflicts } from "../storage/conflict-retry.ts";
import { isConflictIn, type Operation, type Storage } from "../storage/storage.ts";
import { fromRow } from "../storage/typed.ts";
import { type MediaBounds, noRoom } from "./bounds.ts";
import type { HostingPorts } from "./ports.ts";

/** The space that an account uses: the bytes of its files, and those reserved for uploads. */
interface AccountRow {
  id: string;
  bytes: number;
  created_at: string;
}

/** How often an account's uploads and deletions may conflict. */
const maxConflicts = 50;

/** A change of an account's used space. */
export interface RoomChange {
  accountId: string;
  /** Bytes that are added; negative: freed. */
  by: number;
  /** The request's field that a lack of space is reported on. */
  field?: string;
}

/**
 * Writes the operations together with their change of the account's used space.
 *
 * @throws SocialError with status 413 beyond the account's limit; StorageConflict of `operations`
 */
export function writeWithRoom(
  ports: Pick<HostingPorts, "storage" | "bounds">,
  { accountId, by, field = "file" }: RoomChange,
  operations: readonly Operation[],
): Promise<void> {
  const { storage, bounds } = ports;
  const attempt = async (): Promise<void> => {
    const account = await readAccount(storage, accountId);
    const taken = account?.bytes ?? 0;
    if (by > 0 && taken + by > bounds.maxAccountBytes) throw noRoom(field, taken, bounds);
    const change = by === 0 ? [] : [await accountOperation(storage, { account, accountId, bytes: taken + by })];
    await storage.write([...operations, ...change]);
  };
  return retryConflicts(attempt, {
    max: maxConflicts,
    unless: (conflict) => !isConflictIn("media_accounts", conflict),
  });
}

/** The free space of an account, bytes. */
export async function roomLeft(
  { storage, bounds }: { storage: Storage; bounds: MediaBounds },
  accountId: string,
): Promise<number> {
  const account = await readAccount(storage, accountId);
  return Math.max(0, bounds.maxAccountBytes - (account?.bytes ?? 0));
}

async function readAccount(storage: Storage, accountId: string): Promise<AccountRow | null> {
  const row = await storage.get("media_accounts", accountId);
  return row === null ? null : fromRow<AccountRow>(row);
}

async function accountOperation(
  storage: Storage,
  { account, accountId, bytes }: { account: AccountRow | null; accountId: string; bytes: number },
): Promise<Operation> {
  if (account !== null) {
    const where = { bytes: account.bytes };
    return { kind: "update", collection: "media_accounts", id: accountId, change: { bytes }, where };
  }
  const created_at = isoTime(await storage.now());
  return { kind: "insert", collection: "media_accounts", row: { id: accountId, bytes, created_at } };
}
