import { describe, expect, it } from "vitest";
import { type WalkPage, walk } from "../../../src/networks/shared/walk.ts";
import type { Json } from "../../../src/wire/json.ts";

const hourMs = 3_600_000;

/** A list of times, newest first, in pages of three. */
function listOf(times: readonly number[]) {
  const read = async (page: string | null): Promise<WalkPage<number>> => {
    const from = page === null ? 0 : Number(page);
    const items = times.slice(from, from + 3);
    return { items, next: from + 3 < times.length ? String(from + 3) : null };
  };
  return { now: 1_000 * hourMs, connectedAt: Number.POSITIVE_INFINITY, timeOf: (at: number) => at, read };
}

/** Walks to the end; returns the entries, and where the next walk begins. */
async function walkAll(
  cursor: Json | null,
  list: ReturnType<typeof listOf>,
): Promise<{ read: number[]; cursor: Json }> {
  const read: number[] = [];
  for (let at = cursor; ; ) {
    const step = await walk(at, 0, list);
    read.push(...step.items);
    at = step.cursor;
    if (!step.more) return { read, cursor: at };
  }
}

const hours = (...values: number[]) => values.map((value) => value * hourMs);

describe("a walk through a list", () => {
  it("reads a burst of several pages down to the start of the last walk, and little more", async () => {
    const first = await walkAll(null, listOf(hours(5, 4, 3, 2, 1)));
    expect(first.read).toEqual(hours(5, 4, 3, 2, 1));
    const second = await walkAll(first.cursor, listOf(hours(12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)));
    expect(second.read).toEqual(hours(12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1).slice(0, 12));
    const third = await walkAll(second.cursor, listOf(hours(12, 11, 10, 9, 8, 7)));
    expect(third.read).toEqual(hours(12, 11, 10, 9, 8, 7));
  });

  it("resumes in the middle, and the next walk reads the entries that arrived meanwhile", async () => {
    const before = await walkAll(null, listOf(hours(1)));
    const step = await walk(before.cursor, 0, listOf(hours(9, 8, 7, 6, 5, 4, 3, 2, 1)));
    expect([step.items, step.more]).toEqual([hours(9, 8, 7), true]);
    const rest = await walkAll(step.cursor, listOf(hours(9, 8, 7, 6, 5, 4, 3, 2, 1)));
    expect(rest.read).toEqual(hours(6, 5, 4, 3, 2, 1));
    const next = await walkAll(rest.cursor, listOf(hours(10, 9, 8, 7)));
    expect(next.read).toContain(10 * hourMs);
  });

  it("does not treat an entry with a time in the future as the start of the last walk", async () => {
    const { cursor } = await walkAll(null, listOf(hours(2_000, 5)));
    const later = { ...listOf(hours(2_000, 1_001, 5)), now: 1_002 * hourMs };
    expect((await walkAll(cursor, later)).read).toContain(1_001 * hourMs);
  });

  it("ends if a server repeats a page, and if a list has no end", async () => {
    const same = { ...listOf([]), read: async () => ({ items: hours(1_000), next: "again" }) };
    expect((await walkAll(null, same)).read).toHaveLength(2);
    let pages = 0;
    const endless = { ...listOf([]), read: async () => ({ items: hours(1_000), next: String(++pages) }) };
    const { cursor } = await walkAll(null, listOf(hours(1)));
    expect((await walkAll(cursor, endless)).read).toHaveLength(200);
  });

  it.each([
    ["leaves a gap if the repeated page is full", true, { from: 0, until: 1_000 * hourMs }],
    ["leaves no gap if the repeated page is not full", false, null],
  ])("%s", async (_, isFull, gap) => {
    const same = { ...listOf([]), read: async () => ({ items: hours(1_000), next: "again", isFull }) };
    const step = await walk(null, 0, same);
    expect(await walk(step.cursor, 0, same)).toMatchObject({ more: false, gap });
  });

  it("continues after an empty page that another one follows", async () => {
    const { cursor } = await walkAll(null, listOf(hours(1)));
    const pages = [hours(9, 8, 7), [], [], hours(6, 5)];
    const read = async (page: string | null) => {
      const at = Number(page ?? 0);
      return { items: pages[at] ?? [], next: at + 1 < pages.length ? String(at + 1) : null };
    };
    expect((await walkAll(cursor, { ...listOf([]), read })).read).toEqual(hours(9, 8, 7, 6, 5));
  });

  it("reads on the first time for as long as entries are newer than the connection", async () => {
    const times = hours(...Array.from({ length: 300 }, (_, place) => 900 - place));
    const list = { ...listOf(times), connectedAt: 801 * hourMs };
    expect((await walkAll(null, list)).read).toEqual(times.slice(0, 102));
  });

  it("reports the missing time if the list has dropped the entries where it would resume", async () => {
    const { cursor } = await walkAll(null, listOf(hours(2, 1)));
    const times = hours(9, 8, 7, 6, 5, 4, 3, 2, 1);
    const step = await walk(cursor, 0, listOf(times));
    const rest = await walk(step.cursor, 0, listOf(times.slice(0, 3)));
    expect([rest.more, rest.gap]).toEqual([false, { from: 2 * hourMs, until: 7 * hourMs }]);
    const part = await walk(step.cursor, 0, listOf(times.slice(0, 5)));
    expect([part.items, part.gap]).toEqual([hours(6, 5), { from: 2 * hourMs, until: 5 * hourMs }]);
  });

  it.each([
    ["still shows the start of the last walk", hours(2, 1), hours(9, 8, 7, 6, 5, 4, 3, 2)],
    ["was empty before", [], hours(9, 8, 7, 6, 5)],
    ["has one page", hours(2, 1), hours(9, 8)],
  ])("misses no entry of a list that %s", async (_, before, after) => {
    let { cursor } = await walkAll(null, listOf(before));
    const list = listOf(after);
    for (let more = true; more; ) {
      const step = await walk(cursor, 0, list);
      expect(step.gap).toBeNull();
      ({ cursor, more } = step);
    }
  });

  it("reads all of a burst in a list that was empty before", async () => {
    const empty = await walkAll(null, listOf([]));
    const times = hours(...Array.from({ length: 60 }, (_, place) => 900 - place));
    expect((await walkAll(empty.cursor, listOf(times))).read).toEqual(times);
  });

  it("reads only some pages the first time, and reports the time that it left out", async () => {
    const times = hours(...Array.from({ length: 300 }, (_, place) => 900 - place));
    const { read, cursor } = await walkAll(null, listOf(times));
    expect(read).toHaveLength(8 * 3);
    const before = { floor: 0, top: 900 * hourMs, page: "21", pages: 7, isFirst: true };
    expect((await walk(before, 0, listOf(times))).gap).toEqual({ from: 0, until: times[23] });
    expect((await walkAll(cursor, listOf([901 * hourMs, ...times]))).read).toContain(901 * hourMs);
  });

  it("reports what it could not read because the list was too long", async () => {
    const { cursor } = await walkAll(null, listOf(hours(1)));
    const times = Array.from({ length: 700 }, (_, place) => 900 * hourMs - place * hourMs);
    let at: Json = cursor;
    for (;;) {
      const step = await walk(at, 0, listOf(times));
      at = step.cursor;
      if (step.more) expect(step.gap).toBe(null);
      else return expect(step.gap).toEqual({ from: hourMs, until: times[599] });
    }
  });
});
