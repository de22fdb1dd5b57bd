import * as z from "zod";
import type { Json } from "../../wire/json.ts";
import type { Gap } from "../contract/inbox.ts";

/** A page of a list, newest first. */
export interface WalkPage<Item> {
  items: readonly Item[];
  /** The cursor of the next page. Null: this was the last. The cursor of this page: the list cannot be read further. */
  next: string | null;
  /** True: the page has the maximum length, so there may be more below it. @default false */
  isFull?: boolean;
  /** As `Poll.gap`: a time span that the list does not show completely. @default null */
  gap?: Gap | null;
}

/** The result of one step of a walk. */
export interface WalkStep<Item> {
  items: readonly Item[];
  cursor: Json;
  /** True: the walk continues with another page. */
  more: boolean;
  /** An earlier walk has read everything older, milliseconds. */
  since: number;
  /** As `Poll.gap`: the list was too long, or no longer has the entries at which the walk continued. */
  gap: Gap | null;
}

const cursorSchema = z.object({
  /** Everything up to this time was read, milliseconds. */
  floor: z.number(),
  /** Time of the newest entry in this walk. 0: it has not begun. */
  top: z.number(),
  /** The cursor to continue at. Null: the newest entry. */
  page: z.string().nullable(),
  /** Number of pages read in this walk. */
  pages: z.number(),
  /** Time of the oldest entry in this walk. Absent: none yet. */
  low: z.number().exactOptional(),
  /** True: there was no walk before. Absent: there was. */
  isFirst: z.literal(true).exactOptional(),
  /** When the last far walk began, milliseconds. A far walk looks further back. Absent: there was none. */
  far_at: z.number().exactOptional(),
  /** True: this is a far walk. Absent: it is not. */
  isFar: z.literal(true).exactOptional(),
});

/** An entry may appear in a list this much later than newer entries, milliseconds. */
export const disorderMs = 600_000;
/** Maximum number of pages in a walk, so that an endless list ends. */
const maxPages = 200;
/** Maximum number of pages in the first walk, once it reaches entries older than the connection. */
const maxFirstPages = 8;

/** For lists whose entries have the times of their authors' clocks. Some of these clocks are wrong by hours. */
export interface FarLooks {
  /** Time between two far walks, milliseconds. */
  everyMs: number;
  /** How far a far walk reads back from where the last walk began, milliseconds. */
  backMs: number;
}

/** The cursor of a walk that starts again at the newest entry, down to where the last complete walk began. */
export function restartWalk(cursor: Json): Json {
  const { success, data } = cursorSchema.safeParse(cursor);
  if (!success) return cursor;
  const { low: _, isFar: __, ...walked } = data;
  return { ...walked, top: 0, page: null, pages: 0 };
}

/**
 * Reads a list that shows its newest entries first, one page per call, down to where the last walk began. It does not
 * stop at a known entry, because that may have come from elsewhere. Entries count as read only when the walk is
 * complete.
 *
 * @param cursor the cursor of the previous step; null: there was none
 * @param since nothing older is needed, milliseconds
 * @param options.timeOf the time of an entry by the network's clock, milliseconds
 * @param options.connectedAt the first walk reads only a few pages of entries older than this, milliseconds
 * @param options.now the list can hold nothing later, milliseconds
 * @param options.far absent: new entries are near the top
 */
export async function walk<Item>(
  cursor: Json | null,
  since: number,
  options: {
    now: number;
    connectedAt: number;
    far?: FarLooks;
    timeOf(item: Item): number;
    read(page: string | null): Promise<WalkPage<Item>>;
  },
): Promise<WalkStep<Item>> {
  const parsed = cursorSchema.safeParse(cursor);
  const begun = { floor: since, top: 0, page: null, pages: 0, isFirst: true } as const;
  const read: z.infer<typeof cursorSchema> = parsed.success ? parsed.data : begun;
  const { floor, top, page, pages, isFirst } = read;
  const { isFar, far_at } = lookOf(read, options);
  const backMs = isFar ? (options.far?.backMs ?? disorderMs) : disorderMs;
  const { items, next, isFull = false, gap: unlisted = null } = await options.read(page);
  const times = items.map((item) => Math.min(options.timeOf(item), options.now)).filter((at) => !Number.isNaN(at));
  const reached = Math.max(top, ...times);
  const low = Math.min(read.low ?? Number.POSITIVE_INFINITY, ...times);
  const isPast = times.length > 0 && times.every((at) => at < floor - backMs);
  // A server that returns the cursor of the same page cannot turn pages.
  const isStuck = next !== null && next === page;
  const isEnd = next === null || isStuck || isPast;
  const isLongAgo = isFirst === true && low < options.connectedAt;
  const isOver = isEnd || pages + 1 >= (isLongAgo ? maxFirstPages : maxPages);
  const kept = { ...(far_at !== undefined && { far_at }) };
  const met = { ...(Number.isFinite(low) && { low }), ...(isFirst && { isFirst }), ...(isFar && { isFar }) };
  const after = isOver
    ? { floor: Math.max(floor, reached), top: 0, page: null, pages: 0, ...kept }
    : { floor, top: reached, page: next, pages: pages + 1, ...met, ...kept };
  // An entry that stood at the floor should still be there. If the list ends above it, the list has dropped it, and
  // perhaps newer entries too.
  const isCutOff = isEnd && page !== null && isFirst !== true && floor > since && low > floor;
  const isLeft = !isEnd || isCutOff || (isStuck && isFull && !isPast && low > floor);
  const gap = isOver && isLeft ? { from: floor, until: Math.min(reached, low) } : unlisted;
  return { items, cursor: after, more: !isOver, since: floor - backMs, gap };
}

/** Whether this walk is a far walk. The first walk is not, because it reads everything anyway. */
function lookOf(
  { page, isFirst, isFar, far_at }: z.infer<typeof cursorSchema>,
  { now, far }: { now: number; far?: FarLooks },
): { isFar?: true | undefined; far_at?: number | undefined } {
  if (far === undefined || (page !== null && isFirst !== true)) return { isFar, far_at };
  if (isFirst === true) return { far_at: now };
  return now - (far_at ?? 0) < far.everyMs ? { far_at } : { isFar: true, far_at: now };
}
