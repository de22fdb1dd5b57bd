import type { MediaFacts } from "../media/probe/facts.ts";
import type { Storage, Where } from "../storage/storage.ts";
import { fromRow } from "../storage/typed.ts";

/**
 * `hidden`: not whole, or not looked at yet · `derived`: made for posts, and in no list · `deleting`: gone for
 * everybody, and still to be deleted from the store.
 */
export type MediaStatus = "hidden" | "temporary" | "permanent" | "derived" | "deleting";

/** A file in the media store, from before its first byte until after its last. */
export interface MediaRow {
  /** Its key in the store, and the end of its address. */
  id: string;
  account_id: string;
  status: MediaStatus;
  /** When it is looked at whether it is still needed, milliseconds; null: not at all. */
  due_at: number | null;
  /** Set anew whenever a post begins to use it: whoever deletes the file compares this. */
  last_use: string | null;
  /** What it was made of, and how: an account has one such file at most. Absent or null: somebody uploaded it. */
  derivation?: string | null;
  created_at: string;
  /** When it goes unless a post uses it; null: it stays. */
  expires_at: string | null;
  /** While it is hidden: how much of the account's room is kept for it. */
  size_bytes: number;
  private: {
    /** What the store needs to end an upload that was never heard of again. */
    handle: string | null;
    /** Somebody else writes it, at a signed address. */
    is_direct: boolean;
    /** Until when the store may write it though nobody waits for that any more, milliseconds; null: it will not. */
    may_arrive_until: number | null;
    /** Null while it is hidden. */
    facts: MediaFacts | null;
  };
}

/** A file whose bytes have been looked at. */
export type ShownMedia = MediaRow & { private: { facts: MediaFacts } };

/** A post that is a draft, scheduled or being published, and a file that it needs. */
export interface UseRow {
  id: string;
  account_id: string;
  post_id: string;
  media_id: string;
  created_at: string;
}

/** What an account sees of its files. */
export const shownStatuses: readonly MediaStatus[] = ["temporary", "permanent"];

/** What is there to be read. */
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

/** True for a file that a post needs which is not out yet. */
export async function isUsed(storage: Storage, key: string): Promise<boolean> {
  const { rows } = await storage.find("media_uses", { where: { media_id: key }, limit: 1, isCounted: false });
  return rows.length > 0;
}

export function isWhole(row: MediaRow): row is ShownMedia {
  return wholeStatuses.includes(row.status) && row.private.facts !== null;
}
