import { expect, it } from "vitest";
import { createPlaces } from "../../../src/outbound/guard/places.ts";

/** Requests places for a group; counts those that it has got so far. */
function taker(max: number) {
  const places = createPlaces(max);
  const got: { group: string; leave: () => void }[] = [];
  return {
    async take(group: string, count: number, signal?: AbortSignal): Promise<void> {
      for (let asked = 0; asked < count; asked++)
        void places.take(group, signal ?? new AbortController().signal).then(
          (leave) => got.push({ group, leave }),
          () => undefined,
        );
      await settled();
    },
    async leave(group: string): Promise<void> {
      const index = got.findIndex((each) => each.group === group);
      got.splice(index, 1)[0]?.leave();
      await settled();
    },
    count: (group?: string) => got.filter((each) => group === undefined || each.group === group).length,
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it("a group gets an eighth of the free places, and all others still find one", async () => {
  const places = taker(32);
  await places.take("one", 20);
  // With three places taken, 29 are free, of which an eighth is three.
  expect(places.count("one")).toBe(3);
  for (let group = 0; group < 29; group++) await places.take(`group ${group}`, 1);
  expect(places.count()).toBe(32);
  await places.take("too late", 1);
  expect(places.count("too late")).toBe(0);
});

it("each group gets one place, however few are left, and no more exist in total than the limit", async () => {
  const places = taker(3);
  for (const group of ["a", "b", "c", "d"]) await places.take(group, 2);
  expect(["a", "b", "c", "d"].map((group) => places.count(group))).toEqual([1, 1, 1, 0]);
});

it("a released place goes to the next waiting group that may have it", async () => {
  const places = taker(2);
  await places.take("a", 2);
  await places.take("b", 1);
  await places.take("c", 1);
  expect(["a", "b", "c"].map((group) => places.count(group))).toEqual([1, 1, 0]);
  await places.leave("b");
  expect(["a", "b", "c"].map((group) => places.count(group))).toEqual([1, 0, 1]);
  await places.leave("a");
  expect(["a", "b", "c"].map((group) => places.count(group))).toEqual([1, 0, 1]);
  await places.leave("c");
  expect(places.count()).toBe(1);
  await places.take("c", 1);
  expect(places.count("c")).toBe(1);
});

it("a waiting group gets no place after its abort, but the abort's reason", async () => {
  const places = createPlaces(1);
  const leave = await places.take("a", new AbortController().signal);
  const over = new AbortController();
  const asked = places.take("b", over.signal);
  over.abort(new Error("called off"));
  await expect(asked).rejects.toThrow("called off");
  await expect(places.take("b", over.signal)).rejects.toThrow("called off");
  leave();
  expect(await places.take("c", new AbortController().signal)).toEqual(expect.any(Function));
});
