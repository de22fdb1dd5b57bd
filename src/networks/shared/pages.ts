/** One page of a list. */
export interface ListPage<Item, Cursor> {
  items: readonly Item[];
  /** Where the next page begins; null: this was the last. */
  next: Cursor | null;
}

/**
 * Reads a list page by page. `isWhole`: its end was reached, or a page that lies in the past as a whole: one old entry may
 * be pinned to the top.
 *
 * @param read the page that begins at the cursor; null: the first
 */
export async function readPages<Item, Cursor extends string | number>(
  read: (cursor: Cursor | null) => Promise<ListPage<Item, Cursor>>,
  { maxPages, isPast = () => false }: { maxPages: number; isPast?: (item: Item) => boolean },
): Promise<{ items: Item[]; isWhole: boolean }> {
  const all: Item[] = [];
  let cursor: Cursor | null = null;
  for (let page = 0; page < maxPages; page++) {
    const { items, next }: ListPage<Item, Cursor> = await read(cursor);
    all.push(...items);
    if (next === null || (items.length > 0 && items.every(isPast))) return { items: all, isWhole: true };
    // A cursor that comes again would lead round and round.
    if (next === cursor) break;
    cursor = next;
  }
  return { items: all, isWhole: false };
}
