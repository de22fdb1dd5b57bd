import type { Operation, Storage } from "../storage/storage.ts";
import { toRow } from "../storage/typed.ts";
import { shownStatuses, type UseRow } from "./rows.ts";

/** A post as far as its files are concerned. */
export interface UsingPost {
  id: string;
  account_id: string;
  created_at: string;
  version: number;
}

/**
 * A post needs these files from now on, until it is out or given up. Conflicts
 * in `media` when one of them is not the account's, or is being deleted.
 */
export function useOperations(post: UsingPost, keys: readonly string[]): Operation[] {
  const { id: post_id, account_id, created_at, version } = post;
  return keys.flatMap((media_id): Operation[] => {
    const use: UseRow = { id: useId(post_id, media_id), account_id, post_id, media_id, created_at };
    const change = { last_use: `${post_id} ${version}` };
    const where = { account_id, status: { in: shownStatuses } };
    return [
      { kind: "update", collection: "media", id: media_id, change, where },
      { kind: "insert", collection: "media_uses", row: toRow(use) },
    ];
  });
}

/** A post needs these files no more. */
export function releaseOperations(postId: string, keys: readonly string[]): Operation[] {
  return keys.map((key) => ({ kind: "delete", collection: "media_uses", id: useId(postId, key) }));
}

function useId(postId: string, key: string): string {
  return `${postId}/${key}`;
}

/** Something is live that uses these files: they stay for good. */
export async function keepOperations(storage: Storage, keys: readonly string[]): Promise<Operation[]> {
  if (keys.length === 0) return [];
  const where = { id: { in: keys }, status: "temporary" };
  const { rows } = await storage.find("media", { where, isCounted: false });
  const change = { status: "permanent", due_at: null, expires_at: null };
  return rows.map(({ id }) => ({ kind: "update", collection: "media", id, change, where: { status: "temporary" } }));
}
