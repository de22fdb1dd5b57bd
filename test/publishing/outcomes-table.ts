import { scenes } from "../networks/scenes.ts";
import type { CrashNetwork } from "../support/crash.ts";
import { crashNetwork } from "../support/crash-networks.ts";
import type { OutcomeTables } from "./outcomes.ts";

/** One cell of a table: what went wrong, on which account, and what follows. */
export interface Cell {
  /** What went wrong. */
  name: string;
  network: CrashNetwork;
  /** As it is written: an ending and numbers. */
  expected: string;
}

/** The cells of all networks' tables of this name that apply. */
export function cellsOf(tableOf: (tables: OutcomeTables) => string | undefined): Cell[] {
  return scenes.flatMap(({ network, outcomes }) => cellsIn(network, tableOf(outcomes) ?? ""));
}

/** The first line of a table names accounts, each further one what went wrong and, for each account, what follows. */
export function cellsIn(network: string, table: string): Cell[] {
  const [head = [], ...rows] = linesOf(table);
  const accounts = head.slice(1).map((name) => accountOf(network, name));
  return rows.flatMap(([name = "", ...cells]) =>
    accounts.flatMap((account, column) => {
      const expected = cells[column] ?? "";
      return expected === "" ? [] : [{ name, network: account, expected }];
    }),
  );
}

/** What goes wrong in a table, cell that applies or not. */
export function rowsIn(table: string): string[] {
  return linesOf(table)
    .slice(1)
    .map(([name = ""]) => name);
}

function linesOf(table: string): string[][] {
  const lines = table.split("\n").filter((line) => line.includes("|"));
  return lines.map((line) => line.split("|").map((cell) => cell.trim()));
}

function accountOf(network: string, name: string): CrashNetwork {
  for (const scene of scenes) {
    const kind = [...scene.accounts, ...(scene.furtherAccounts ?? [])].find((each) => each.name === name);
    if (scene.network === network && kind !== undefined) return crashNetwork(scene, kind);
  }
  throw new Error(`the scene of ${network} has no account "${name}"`);
}
