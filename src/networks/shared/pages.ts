/** One page of a list. */
export interface ListPage<Item, Cursor> {
  items: readonly Item[];
  /** The cursor of the next page. Null: this was the last. */
  next: Cursor | null;
}

/** Where to stop reading a list. */
export interface Reach<Item> {
  maxPages: number;
  /** True: the entry is too old to matter. Absent: no entry is. */
  isPast?: (item: Item) => boolean;
}

/** The part of a list that was read. */
export interface ReadList<Item> {
  items: Item[];
  /** True: everything that matters was read. */
  isWhole: boolean;
}

/**
 * Reads a list page by page, until it ends or every entry of a page is too old. A single old entry is not enough,
 * because it may be pinned to the top.
 *
 * @param read reads the page at the cursor; null: the first
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
    // A repeated cursor would loop for ever.
    if (next === cursor) break;
    cursor = next;
  }
  return { items: all, isWhole: false };
}
