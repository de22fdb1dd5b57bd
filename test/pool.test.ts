import { describe, expect, it } from "vitest";
import { createPool } from "../src/pool.ts";
import { recordingLogger } from "./support/logger.ts";

/** A pool of two whose work ends when a test says so. */
function bench({ due = 0, atOnce = 2 } = {}) {
  const logger = recordingLogger();
  const ends: { finish(): void; fail(error: Error): void }[] = [];
  const calls: string[] = [];
  const begin = (): Promise<void> =>
    new Promise((resolve, reject) => void ends.push({ finish: resolve, fail: reject }));
  let left = due;
  const pool = createPool({
    logger,
    atOnce,
    onRoom: () => void calls.push("room"),
    worker: {
      work(id) {
        calls.push(`work ${id}`);
        return begin();
      },
      async claimDue(limit) {
        calls.push(`claim ${limit}`);
        const count = Math.min(limit, left);
        left -= count;
        return Array.from({ length: count }, begin);
      },
    },
  });
  return { pool, ends, calls, lines: logger.lines };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("a pool", () => {
  it("claims as much as it has room for, and says how much that was", async () => {
    const { pool, ends, calls } = bench({ due: 5, atOnce: 3 });
    expect(await pool.claimDue()).toBe(3);
    expect(pool.hasRoom()).toBe(false);
    expect(await pool.claimDue()).toBe(0);
    ends[0]?.finish();
    await settled();
    expect(pool.hasRoom()).toBe(true);
    expect(await pool.claimDue()).toBe(1);
    expect(calls).toEqual(["claim 3", "claim 1"]);
    expect(pool.running.size).toBe(3);
  });

  it("claims nothing that is not there", async () => {
    const { pool } = bench();
    expect(await pool.claimDue()).toBe(0);
    expect(pool.running.size).toBe(0);
  });

  it("counts an alarm's work like what it claimed", async () => {
    const { pool, ends, calls } = bench({ due: 5 });
    const work = pool.work("wh_1");
    expect(await pool.claimDue()).toBe(1);
    expect(pool.hasRoom()).toBe(false);
    ends[0]?.finish();
    await work;
    expect(pool.hasRoom()).toBe(true);
    expect(calls).toEqual(["work wh_1", "claim 1"]);
  });

  it("does not work an alarm off without room, and says once when there is some again", async () => {
    const { pool, ends, calls } = bench({ due: 2 });
    await pool.claimDue();
    await pool.work("wh_1");
    await pool.work("wh_2");
    expect(calls).toEqual(["claim 2"]);
    ends[0]?.finish();
    ends[1]?.finish();
    await settled();
    expect(calls).toEqual(["claim 2", "room"]);
  });

  it("leaves an alarm to the sweep while others wait for room, and says at once that there is some", async () => {
    const { pool, ends, calls } = bench({ due: 3 });
    await pool.claimDue();
    ends[0]?.finish();
    await settled();
    await pool.work("wh_1");
    expect(calls).toEqual(["claim 2", "room"]);
    expect(await pool.claimDue()).toBe(1);
    ends[1]?.finish();
    await settled();
    expect(await pool.claimDue()).toBe(0);
    const work = pool.work("wh_2");
    expect(calls).toEqual(["claim 2", "room", "claim 1", "claim 1", "work wh_2"]);
    ends[3]?.finish();
    await work;
  });

  it("says nothing about room when no alarm was missed", async () => {
    const { pool, ends, calls } = bench({ due: 2 });
    await pool.claimDue();
    ends[0]?.finish();
    await settled();
    expect(calls).toEqual(["claim 2"]);
  });

  it("survives an alarm's work that fails, logs it, and has its room back", async () => {
    const { pool, ends, lines } = bench({ atOnce: 1 });
    const work = pool.work("wh_1");
    ends[0]?.fail(new Error("the store is gone"));
    await work;
    expect(pool.hasRoom()).toBe(true);
    expect(lines).toEqual([expect.stringMatching(/^error an alarm's work failed.*wh_1.*the store is gone/)]);
  });
});
