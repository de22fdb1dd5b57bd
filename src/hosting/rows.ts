import type { MediaFacts } from "../media/probe/facts.ts";
import type { Storage, Where } from "../storage/storage.ts";
import { fromRow } from "../storage/typed.ts";

/**
 * `hidden`: incomplete, or not checked yet · `derived`: created for posts, and in no list · `deleting`: invisible,
 * and still to be deleted from the store.
 */
export type MediaStatus = "hidden" | "temporary" | "permanent" | "derived" | "deleting";

/** A file in the media store. The row exists from before its first byte until after its last. */
export interface MediaRow {
  /** Its key in the store, and the end of its URL. */
  id: string;
  account_id: string;
  status: MediaStatus;
  /** When it is next checked whether the file is still needed, milliseconds; null: never. */
  due_at: number | null;
  /** Changes whenever a post begins to use the file. A deletion compares it. */
  last_use: string | null;
  /** The source and conversion that produced it; unique within an account. Absent or null: uploaded. */
  derivation?: string | null;
  created_at: string;
  /** When it expires unless a post uses it; null: never. */
  expires_at: string | null;
  /** While it is hidden: the reserved space, bytes. */
  size_bytes: number;
  private: {
    /** What the store needs to discard an unfinished upload. */
    handle: string | null;
    /** True: it is uploaded directly to the store, at a signed URL. */
    is_direct: boolean;
    /** Until when the store may still write it although the upload has failed, milliseconds; null: it will not. */
    may_arrive_until: number | null;
    /** Null while it is hidden. */
    facts: MediaFacts | null;
  };
}

/** A file whose bytes have been checked. */
export type ShownMedia = MediaRow & { private: { facts: MediaFacts } };

/** The use of a file by a post that is a draft, scheduled or being published. */
export interface UseRow {
  id: string;
  account_id: string;
  post_id: string;
  media_id: string;
  created_at: string;
}

/** The files that an account sees. */
export const shownStatuses: readonly MediaStatus[] = ["temporary", "permanent"];

/** The files that can be read. */
export const wholeStatuses: readonly MediaStatus[] = [...shownStatuses, "derived"];

export async function readMediaRow(storage: Storage, key: string): Promise<MediaRow | null> {
  const row = await storage.get("media", key);
  return row === null ? null : fromRow<MediaRow>(row);
}

export async function findMediaRows(storage: Storage, where: Where, { limit }: { limit: number }): Promise<MediaRow[]> {
  const order = { column: "due_at", direction: "asc" } as const;
  const { rows } = await storage.find("media", { where, order, limit, isCounted: false });
  return rows.map((row) => fromRow<MediaRow>(row));
}

/** True: an unpublished post needs the file. */
export async function isUsed(storage: Storage, key: string): Promise<boolean> {
  const { rows } = await storage.find("media_uses", { where: { media_id: key }, limit: 1, isCounted: false });
  return rows.length > 0;
}

export function isWhole(row: MediaRow): row is ShownMedia {
  return wholeStatuses.includes(row.status) && row.private.facts !== null;
}
