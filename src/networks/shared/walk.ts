import * as z from "zod";
import type { Json } from "../../wire/json.ts";
import type { Gap } from "../contract/inbox.ts";

/** A page of a list, the newest first. */
export interface WalkPage<Item> {
  items: readonly Item[];
  /** Where the next page begins; null: this was the last. That of this page again: the list cannot be read further. */
  next: string | null;
  /** It is as long as pages are, so that there may be more below it. @default false */
  isFull?: boolean;
  /** As `Poll.gap`: the list does not show everything of this time. @default null */
  gap?: Gap | null;
}

/** What one step of a walk found. */
export interface WalkStep<Item> {
  items: readonly Item[];
  cursor: Json;
  /** The walk goes on with another page. */
  more: boolean;
  /** What is older was read by an earlier walk, milliseconds. */
  since: number;
  /** As `Poll.gap`: the list was too long, or has lost what it held where the walk went on. */
  gap: Gap | null;
}

const cursorSchema = z.object({
  /** Everything up to here was read, milliseconds. */
  floor: z.number(),
  /** The newest that this walk has met; 0: it has not begun. */
  top: z.number(),
  /** Where it goes on; null: at the newest. */
  page: z.string().nullable(),
  /** Pages that this walk has read. */
  pages: z.number(),
  /** The oldest that this walk has met. Absent: none yet. */
  low: z.number().exactOptional(),
  /** There was no walk before. Absent: there was. */
  isFirst: z.literal(true).exactOptional(),
  /** When the last walk began that went as far back as any, milliseconds. Absent: none has. */
  far_at: z.number().exactOptional(),
  /** This walk goes as far back. Absent: it does not. */
  isFar: z.literal(true).exactOptional(),
});

/** A list may show something this much later than what is newer, milliseconds. */
export const disorderMs = 600_000;
/** A list that goes on for ever is not read to its end. */
const maxPages = 200;
/** Of what is older than the connection, no more is read than these leave. */
const maxFirstPages = 8;

/** A list whose items have the time of their authors' clocks: some of them are wrong by hours. */
export interface FarLooks {
  /** Between two walks that look further back, milliseconds. */
  everyMs: number;
  /** How far back from where the last walk began, milliseconds. */
  backMs: number;
}

/** The cursor of a walk that begins anew at the newest, down to where the last whole one began. */
export function restartWalk(cursor: Json): Json {
  const { success, data } = cursorSchema.safeParse(cursor);
  if (!success) return cursor;
  const { low: _, isFar: __, ...walked } = data;
  return { ...walked, top: 0, page: null, pages: 0 };
}

/**
 * Reads a list that has its newest items first, a page each time, down to where
 * the last walk began. It ends there and never at an item that is known
 * already, for others may have brought that; and what the walk has reached
 * counts as read only when it is whole.
 *
 * @param cursor what the step before returned; null: there was none
 * @param since nothing older is wanted, milliseconds
 * @param options.timeOf of an item, by the network's clock, milliseconds
 * @param options.connectedAt of what is older, the first walk reads some pages only, milliseconds
 * @param options.now the list can hold nothing later, milliseconds
 * @param options.far absent: what is new stands near the top
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
  // A server that begins the same page again does not turn pages.
  const isStuck = next !== null && next === page;
  const isEnd = next === null || isStuck || isPast;
  const isLongAgo = isFirst === true && low < options.connectedAt;
  const isOver = isEnd || pages + 1 >= (isLongAgo ? maxFirstPages : maxPages);
  const kept = { ...(far_at !== undefined && { far_at }) };
  const met = { ...(Number.isFinite(low) && { low }), ...(isFirst && { isFirst }), ...(isFar && { isFar }) };
  const after = isOver
    ? { floor: Math.max(floor, reached), top: 0, page: null, pages: 0, ...kept }
    : { floor, top: reached, page: next, pages: pages + 1, ...met, ...kept };
  // What stood at the floor when it was read should stand there still: a list that ends before has dropped it, and perhaps what came since.
  const isCutOff = isEnd && page !== null && isFirst !== true && floor > since && low > floor;
  const isLeft = !isEnd || isCutOff || (isStuck && isFull && !isPast && low > floor);
  const gap = isOver && isLeft ? { from: floor, until: Math.min(reached, low) } : unlisted;
  return { items, cursor: after, more: !isOver, since: floor - backMs, gap };
}

/** Whether this walk looks further back; the first reads what there is anyhow. */
function lookOf(
  { page, isFirst, isFar, far_at }: z.infer<typeof cursorSchema>,
  { now, far }: { now: number; far?: FarLooks },
): { isFar?: true | undefined; far_at?: number | undefined } {
  if (far === undefined || (page !== null && isFirst !== true)) return { isFar, far_at };
  if (isFirst === true) return { far_at: now };
  return now - (far_at ?? 0) < far.everyMs ? { far_at } : { isFar: true, far_at: now };
}
