import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { scenes } from "../../networks/scenes.ts";
import { readFacts } from "../../support/source-facts.ts";
import { troubles } from "../outcomes-faults.ts";
import type { AccountRules, NetworkOutcomes } from "./account-rules.ts";
import { commitRows } from "./rows.ts";
import { cellsOfNetwork, derivedCells, type ExpectedCell, isOf } from "./tables.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const folder = "test/publishing/expected/";

describe("the rules that produce the tables", () => {
  it("import nothing but each other, so neither the engine nor an adapter sets the expectations", () => {
    const rules = readdirSync(root + folder).filter((file) => !file.endsWith(".test.ts"));
    const literals = scenes.map(({ network }) => `test/networks/${network}/outcomes.ts`);
    const files = [...rules.map((file) => folder + file), ...literals];
    const imported = files.flatMap((path) => readFacts(path, readFileSync(root + path, "utf8")).imports);
    const others = imported.filter(({ from }) => !from.startsWith(folder));
    expect(imported.length).toBeGreaterThan(files.length);
    expect(others).toEqual([]);
  });

  it("cover every incident of a commit", () => {
    const rows = Object.values(commitRows).flatMap((table) => Object.keys(table));
    expect(rows.sort()).toEqual(Object.keys(troubles).sort());
  });

  // Numbers of no network, so that no result is right by chance.
  const account: AccountRules = {
    hardEndSeconds: 7,
    settleSeconds: 11,
    betweenLooksSeconds: 13,
    capSeconds: 100,
    foundBy: "list",
    on401: { words: "renew", page: "lost" },
    limitTold: "until when",
    bare429: "later",
  };

  it.each([
    // Retries after 5, 10, 20 and 40 s.
    ["notSent", "connection refused, 4 times", "published 5 0 75 1"],
    // Looked for at 5 + 7 + 11 = 23 and at 36 s, sent again 5 s later.
    ["lost", "reset, not done", "published 2 2 41 1"],
    // The second at 41 s is looked for at 64 and 77, the third at 87 s at 110 and 123.
    ["lost", "reset, not done, for hours", "network_error 3 6 123 0"],
    ["lost", "reset, done", "published 1 1 23 1"],
    ["lost", "answer after 10 min", "published 1 1 23 1"],
    ["limited", "429 until in 20 min", "published 2 0 1200 1"],
    ["refused", "401 in other words", "published 2 0 0 1"],
    // Until 5 + 7 + 100 = 112 s; the looks are at 23, 53, 83 and 112 s.
    ["locateDone", "2xx a page, for hours", "timeout 1 4 112 1"],
  ] as const)("give the result of a calculation by hand: %s, %s", (table, row, expected) => {
    const cells = derivedCells({ accounts: { someone: account } });
    expect(cells).toContainEqual({ table, row, account: "someone", expected });
  });
});

describe.each(scenes)("the tables of $network", ({ outcomes }) => {
  const derived = derivedCells(outcomes);
  const { exceptions = [] } = outcomes;

  it.each(numbersOf(outcomes))("follow from %s: %s", (account, name) => {
    expect(derivedCells(withChanged(outcomes, account, name))).not.toEqual(derived);
  });

  it("have exceptions only where the rules give another value", () => {
    for (const exception of exceptions) {
      const { accounts = [], cells } = exception;
      const excepted = derived.filter((cell) => isOf(exception, cell));
      expect(excepted.filter(({ row, expected }) => cells[row] === expected)).toEqual([]);
      expect(new Set(excepted.map(({ row }) => row))).toEqual(new Set(Object.keys(cells)));
      expect(excepted.map(({ account }) => account)).toEqual(expect.arrayContaining([...accounts]));
    }
  });

  it("allow no duplicate and no lost post, whatever the incident", () => {
    const afterCommit = cellsOfNetwork(outcomes).filter(({ table }) => table in commitRows);
    expect(afterCommit.filter((cell) => !isSafe(cell))).toEqual([]);
  });
});

function isSafe({ expected }: ExpectedCell): boolean {
  const [ends, , , , there] = expected.split(" ");
  if (ends === "timeout") return Number(there) <= 1;
  return Number(there) === (ends === "published" ? 1 : 0);
}

const numbers = ["hardEndSeconds", "settleSeconds", "betweenLooksSeconds", "capSeconds"] as const;

/** By account: the facts that decide there. */
function numbersOf({ accounts, titled }: NetworkOutcomes): [string, (typeof numbers)[number]][] {
  return Object.entries({ ...accounts, ...titled }).flatMap(([account, rules]) =>
    numbers
      .filter((name) => rules[name] !== undefined && (name === "hardEndSeconds" || rules.foundBy !== "nothing"))
      .map((name): [string, (typeof numbers)[number]] => [account, name]),
  );
}

/** Changes one number of one account. */
function withChanged(outcomes: NetworkOutcomes, account: string, name: (typeof numbers)[number]): NetworkOutcomes {
  const change = (accounts: NetworkOutcomes["accounts"]): NetworkOutcomes["accounts"] => {
    const rules = accounts[account];
    return rules === undefined ? accounts : { ...accounts, [account]: { ...rules, [name]: (rules[name] ?? 0) + 1 } };
  };
  return { ...outcomes, accounts: change(outcomes.accounts), titled: change(outcomes.titled ?? {}) };
}
