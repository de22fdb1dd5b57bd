import { describe, expect, it } from "vitest";
import { createFairTurns, createShares } from "../../src/async/shares.ts";

function filled(places: number, accounts: readonly string[]): Map<string, number> {
  const shares = createShares(places);
  const held = new Map<string, number>();
  for (let isMore = true; isMore; ) {
    isMore = false;
    for (const accountId of accounts) {
      if (shares.roomFor(accountId) === 0) continue;
      shares.take(accountId);
      held.set(accountId, (held.get(accountId) ?? 0) + 1);
      isMore = true;
    }
  }
  return held;
}

describe("shares", () => {
  it.each([
    [["a"], [100]],
    [
      ["a", "b"],
      [67, 66],
    ],
    [
      ["a", "b", "c"],
      [50, 50, 50],
    ],
  ])("of %s that want all places are equal, and leave as many places free as each has", (accounts, shares) => {
    expect([...filled(200, accounts).values()]).toEqual(shares);
  });

  it("allow every account one place while there are places", () => {
    const accounts = Array.from({ length: 200 }, (_, number) => `account ${number}`);
    expect([...filled(200, accounts).values()]).toEqual(accounts.map(() => 1));
  });

  it("work with one place and with two", () => {
    expect([...filled(1, ["a", "b"])]).toEqual([["a", 1]]);
    expect([...filled(2, ["a", "b"])]).toEqual([
      ["a", 1],
      ["b", 1],
    ]);
  });

  it("tell which accounts have their full share, and how much room the others have", () => {
    const shares = createShares(10);
    for (let count = 0; count < 5; count++) shares.take("a");
    expect(shares.full()).toEqual(["a"]);
    expect([shares.roomFor("a"), shares.roomFor("b"), shares.room()]).toEqual([0, 2, 2]);
    shares.giveBack("a");
    expect(shares.full()).toEqual([]);
    expect([shares.roomFor("a"), shares.roomFor("b"), shares.room()]).toEqual([1, 3, 1]);
  });
});

describe("work in turn", () => {
  /** Begins work of these accounts; returns the begun work, and the functions that end it. */
  function bench(places: number) {
    const inTurn = createFairTurns(places);
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const run = (accountId: string): Promise<void> =>
      inTurn(accountId, () => {
        begun.push(accountId);
        return new Promise((resolve) => void ends.push(resolve));
      });
    return { inTurn, begun, ends, run };
  }
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it("keeps places free for others, whatever one account wants", async () => {
    const { begun, run } = bench(8);
    for (let count = 0; count < 50; count++) void run("flood");
    await settled();
    expect(begun).toHaveLength(4);
    void run("other");
    await settled();
    expect(begun.slice(4)).toEqual(["other"]);
  });

  it("begins waiting work account by account: an account that had a turn goes to the end", async () => {
    const { begun, ends, run } = bench(2);
    for (const accountId of ["a", "a", "a", "b", "b", "c"]) void run(accountId);
    for (let count = 0; count < 6; count++) {
      await settled();
      ends.shift()?.();
    }
    await settled();
    expect(begun).toEqual(["a", "b", "a", "b", "c", "a"]);
  });

  it("releases its place when it fails, and rethrows the error", async () => {
    const { inTurn } = bench(1);
    await expect(inTurn("a", () => Promise.reject(new Error("no file")))).rejects.toThrow("no file");
    expect(await inTurn("b", async () => "well")).toBe("well");
  });
});
