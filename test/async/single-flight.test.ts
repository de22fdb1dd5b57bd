import { describe, expect, it } from "vitest";
import { singleFlight } from "../../src/async/single-flight.ts";

/** Work that ends when the test says so. */
function bench() {
  const ends: ((result: Promise<number>) => void)[] = [];
  const run = singleFlight(() => new Promise<number>((resolve) => void ends.push(resolve)));
  return { run, ends };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("a shared run", () => {
  it("begins at the first call, and is shared by all calls of the same moment", async () => {
    const { run, ends } = bench();
    const results = Promise.all([run(), run(), run()]);
    await settled();
    expect(ends).toHaveLength(1);
    ends[0]?.(Promise.resolve(7));
    expect(await results).toEqual([7, 7, 7]);
  });

  it("is not joined once it has begun: later calls share the next", async () => {
    const { run, ends } = bench();
    const first = run();
    await settled();
    const later = [run(), run()];
    await settled();
    expect(ends).toHaveLength(1);
    ends[0]?.(Promise.resolve(1));
    expect(await first).toBe(1);
    await settled();
    expect(ends).toHaveLength(2);
    ends[1]?.(Promise.resolve(2));
    expect(await Promise.all(later)).toEqual([2, 2]);
  });

  it("fails for the calls that share it, and for none after them", async () => {
    const { run, ends } = bench();
    const first = run();
    await settled();
    const second = run();
    ends[0]?.(Promise.reject(new Error("no")));
    await expect(first).rejects.toThrow("no");
    await settled();
    ends[1]?.(Promise.resolve(2));
    expect(await second).toBe(2);
  });
});
