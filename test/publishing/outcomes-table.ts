import { scenes } from "../networks/scenes.ts";
import type { CrashNetwork } from "../support/crash.ts";
import { crashNetwork } from "../support/crash-networks.ts";
import type { TableName } from "./expected/account-rules.ts";
import { cellsOfNetwork } from "./expected/tables.ts";

/** One cell of a table: an incident, an account, and the outcome. */
export interface Cell {
  /** The incident. */
  name: string;
  network: CrashNetwork;
  /** An ending and numbers, as `expected/tables.ts` explains them. */
  expected: string;
}

const cells = scenes.flatMap((scene) =>
  cellsOfNetwork(scene.outcomes).map(({ table, row, account, expected }) => ({
    table,
    cell: { name: row, network: accountOf(scene, account), expected },
  })),
);

/** The cells of all networks' tables of this name that apply. */
export function cellsOf(name: TableName): Cell[] {
  return cells.filter(({ table }) => table === name).map(({ cell }) => cell);
}

function accountOf(scene: (typeof scenes)[number], name: string): CrashNetwork {
  const kind = [...scene.accounts, ...(scene.furtherAccounts ?? [])].find((each) => each.name === name);
  if (kind === undefined) throw new Error(`the scene of ${scene.network} has no account "${name}"`);
  return crashNetwork(scene, kind);
}
