import { describe, expect, it } from "vitest";
import { manualClock } from "../../src/testing/clock.ts";
import { createPool } from "../../src/work/pool.ts";

/**
 * A pool of four, so of two for one account, whose work ends when the test says so. `due` names
 * the account of each row.
 */
function bench({ due = [] as string[], places = 4 } = {}) {
  const clock = manualClock();
  const ends: (() => void)[] = [];
  const calls: string[] = [];
  const begin = (): Promise<void> => new Promise((resolve) => void ends.push(resolve));
  const pool = createPool({
    clock,
    places,
    onRoom: () => void calls.push("room"),
    async claim(limit, exceptAccounts) {
      calls.push(`claim ${[limit, ...exceptAccounts].join(" -")}`);
      const rows = due.filter((accountId) => !exceptAccounts.includes(accountId)).slice(0, limit);
      for (const accountId of rows) due.splice(due.indexOf(accountId), 1);
      return rows.map((accountId) => ({ accountId, done: begin() }));
    },
  });
  function alarm(accountId: string): Promise<void> {
    return pool.work(accountId, () => {
      calls.push(`work ${accountId}`);
      return begin();
    });
  }
  return { clock, pool, ends, calls, due, alarm };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const many = (accountId: string, count: number): string[] => Array.from({ length: count }, () => accountId);

describe("a pool", () => {
  it("claims as many rows as one account has room for, and returns their number", async () => {
    const { pool, ends, calls } = bench({ due: many("a", 5), places: 6 });
    expect(await pool.claimDue()).toBe(3);
    expect(await pool.claimDue()).toBe(0);
    ends[0]?.();
    await settled();
    expect(await pool.claimDue()).toBe(1);
    expect(calls).toEqual(["claim 3", "claim 1 -a", "room", "claim 1"]);
    expect(pool.running.size).toBe(3);
  });

  it("claims no more than the requested number", async () => {
    const { pool, calls } = bench({ due: many("a", 5), places: 20 });
    expect(await pool.claimDue(2)).toBe(2);
    expect(calls).toEqual(["claim 2"]);
  });

  it("lets alarms work again once a claim has begun, though it found nothing", async () => {
    const { pool, ends, calls, alarm } = bench({ due: many("a", 2) });
    await pool.claimDue();
    void alarm("a");
    for (const end of ends) end();
    await settled();
    void alarm("a");
    expect(calls).toEqual(["claim 2", "claim 1 -a", "room"]);
    pool.beginLook();
    void alarm("a");
    expect(calls.slice(3)).toEqual(["work a"]);
  });

  it("claims nothing where no row is due", async () => {
    const { pool } = bench();
    expect(await pool.claimDue()).toBe(0);
    expect(pool.running.size).toBe(0);
  });

  it("claims once for all concurrent calls", async () => {
    const { pool, calls } = bench({ due: ["a"] });
    await Promise.all(Array.from({ length: 20 }, () => pool.claimDue()));
    expect(calls).toEqual(["claim 2", "claim 1"].slice(0, calls.length));
    expect(pool.running.size).toBe(1);
  });

  it("never runs two claims concurrently, and so never exceeds its room", async () => {
    const { pool } = bench({ due: many("a", 100), places: 20 });
    await Promise.all(Array.from({ length: 5 }, () => pool.claimDue(8)));
    expect(pool.running.size).toBe(10);
  });

  it("counts an alarm's work like claimed work", async () => {
    const { pool, ends, calls, alarm } = bench({ due: many("a", 5) });
    const work = alarm("a");
    expect(await pool.claimDue()).toBe(1);
    expect(calls).toEqual(["work a", "claim 1", "claim 1 -a"]);
    ends[0]?.();
    await work;
    expect(pool.running.size).toBe(1);
  });

  it("does not run an alarm's work without room, and reports once when there is room again", async () => {
    const { pool, ends, calls, alarm } = bench({ due: many("a", 2) });
    await pool.claimDue();
    await alarm("a");
    await alarm("a");
    expect(calls).toEqual(["claim 2", "claim 1 -a"]);
    ends[0]?.();
    ends[1]?.();
    await settled();
    expect(calls).toEqual(["claim 2", "claim 1 -a", "room"]);
  });

  it("leaves an alarm to the sweep while other work of its account waits for room", async () => {
    const { pool, ends, calls, alarm } = bench({ due: many("a", 3) });
    await pool.claimDue();
    ends[0]?.();
    await settled();
    await alarm("a");
    expect(calls).toEqual(["claim 2", "claim 1 -a", "room"]);
    expect(await pool.claimDue()).toBe(1);
    for (const end of ends.slice(1)) end();
    await settled();
    expect(await pool.claimDue()).toBe(0);
    const work = alarm("a");
    expect(calls.at(-1)).toBe("work a");
    ends.at(-1)?.();
    await work;
  });
});

describe("a pool that many accounts share", () => {
  it("has a place immediately for an alarm of another account, however much work of one account is due", async () => {
    const { pool, calls, alarm } = bench({ due: many("flood", 600), places: 200 });
    expect(await pool.claimDue()).toBe(100);
    void alarm("flood");
    void alarm("other");
    expect(calls.filter((call) => call.startsWith("work"))).toEqual(["work other"]);
  });

  it("claims other accounts' due work behind the backlog of one", async () => {
    const { pool, due } = bench({ due: [...many("flood", 600), "b", "c", "c"], places: 200 });
    expect(await pool.claimDue()).toBe(103);
    expect(new Set(due)).toEqual(new Set(["flood"]));
  });

  it("reads behind a backlog at most once a second, because it reads past all of it", async () => {
    const { clock, pool, due, calls } = bench({ due: many("flood", 600), places: 200 });
    await pool.claimDue();
    due.push("late");
    expect(await pool.claimDue()).toBe(0);
    expect(calls).toEqual(["claim 100", "claim 50 -flood"]);
    await clock.advance(1_000);
    expect(await pool.claimDue()).toBe(1);
  });

  it("keeps a place for the next account, however many floods there are", async () => {
    const floods = ["a", "b", "c"].flatMap((accountId) => many(accountId, 900));
    const { pool, calls, alarm } = bench({ due: floods, places: 200 });
    expect(await pool.claimDue()).toBe(100 + 50 + 25);
    for (const accountId of ["d", "e", "f"]) void alarm(accountId);
    expect(calls.filter((call) => call.startsWith("work"))).toEqual(["work d", "work e", "work f"]);
  });
});
