/** One page of a list. */
export interface ListPage<Item, Cursor> {
  items: readonly Item[];
  /** Where the next page begins; null: this was the last. */
  next: Cursor | null;
}

/** How far a list is read. */
export interface Reach<Item> {
  maxPages: number;
  /** The entry is older than what is looked for. Absent: none is. */
  isPast?: (item: Item) => boolean;
}

/** What was read of a list. */
export interface ReadList<Item> {
  items: Item[];
  /** All that was looked for was within reach. */
  isWhole: boolean;
}

/**
 * Reads a list page by page, to its end or to a page that lies in the past as a whole: one old entry may be pinned to the
 * top.
 *
 * @param read the page that begins at the cursor; null: the first
 */
export async function readPages<Item, Cursor extends string | number>(
  read: (cursor: Cursor | null) => Promise<ListPage<Item, Cursor>>,
  { maxPages, isPast = () => false }: Reach<Item>,
): Promise<ReadList<Item>> {
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
