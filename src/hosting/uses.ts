import type { Operation, Storage } from "../storage/storage.ts";
import { toRow } from "../storage/typed.ts";
import { type UseRow, wholeStatuses } from "./rows.ts";

/** A post, as far as its files are concerned. */
export interface UsingPost {
  id: string;
  account_id: string;
  created_at: string;
  /** A value that the post never had before. */
  version: number | string;
}

/**
 * Records that a post needs these files until it is published or abandoned. Conflicts in `media` if one is not the
 * account's, or is being deleted.
 */
export function useOperations(post: UsingPost, keys: readonly string[]): Operation[] {
  const { id: post_id, account_id, created_at, version } = post;
  return keys.flatMap((key): Operation[] => {
    const change = { last_use: `${post_id} ${version}` };
    const where = { account_id, status: { in: wholeStatuses } };
    return [
      { kind: "update", collection: "media", id: key, change, where },
      useOperation({ id: post_id, account_id, created_at }, key),
    ];
  });
}

/** Records that a post needs a file that no process can have deleted yet. */
export function useOperation(
  { id: post_id, account_id, created_at }: Omit<UsingPost, "version">,
  key: string,
): Operation {
  const use: UseRow = { id: useId(post_id, key), account_id, post_id, media_id: key, created_at };
  return { kind: "insert", collection: "media_uses", row: toRow(use) };
}

export async function isUsedBy(storage: Storage, postId: string, key: string): Promise<boolean> {
  return (await storage.get("media_uses", useId(postId, key))) !== null;
}

/** Records that a post no longer needs these files. */
export function releaseOperations(postId: string, keys: readonly string[]): Operation[] {
  return keys.map((key) => ({ kind: "delete", collection: "media_uses", id: useId(postId, key) }));
}

/** As `releaseOperations`, for all files of a post, including those created for it. */
export async function releaseAllOperations(storage: Storage, postId: string): Promise<Operation[]> {
  const { rows } = await storage.find("media_uses", { where: { post_id: postId }, isCounted: false });
  return rows.map(({ id }) => ({ kind: "delete", collection: "media_uses", id }));
}

function useId(postId: string, key: string): string {
  return `${postId}/${key}`;
}

/** Makes files permanent, because a published post uses them. */
export async function keepOperations(storage: Storage, keys: readonly string[]): Promise<Operation[]> {
  if (keys.length === 0) return [];
  const where = { id: { in: keys }, status: "temporary" };
  const { rows } = await storage.find("media", { where, isCounted: false });
  const change = { status: "permanent", due_at: null, expires_at: null };
  return rows.map(({ id }) => ({ kind: "update", collection: "media", id, change, where: { status: "temporary" } }));
}
