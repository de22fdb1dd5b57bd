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
  ])("of %s, who want all, are alike, and leave as many places free as each has", (accounts, shares) => {
    expect([...filled(200, accounts).values()]).toEqual(shares);
  });

  it("let everybody have one while there are places", () => {
    const accounts = Array.from({ length: 200 }, (_, number) => `account ${number}`);
    expect([...filled(200, accounts).values()]).toEqual(accounts.map(() => 1));
  });

  it("of one place and of two are of use", () => {
    expect([...filled(1, ["a", "b"])]).toEqual([["a", 1]]);
    expect([...filled(2, ["a", "b"])]).toEqual([
      ["a", 1],
      ["b", 1],
    ]);
  });

  it("tell who has had its share, and how many others may take", () => {
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
  /** Begins work of these accounts; what has begun, and what ends one. */
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

  it("begins what waits account by account: who has had a turn stands at the end", async () => {
    const { begun, ends, run } = bench(2);
    for (const accountId of ["a", "a", "a", "b", "b", "c"]) void run(accountId);
    for (let count = 0; count < 6; count++) {
      await settled();
      ends.shift()?.();
    }
    await settled();
    expect(begun).toEqual(["a", "b", "a", "b", "c", "a"]);
  });

  it("gives its place back when it fails, and tells of it", async () => {
    const { inTurn } = bench(1);
    await expect(inTurn("a", () => Promise.reject(new Error("no file")))).rejects.toThrow("no file");
    expect(await inTurn("b", async () => "well")).toBe("well");
  });
});
