import type { CrashNetwork } from "../support/crash.ts";
import { crashNetworks } from "../support/crash-networks.ts";

/** One cell: how it ended, and its numbers by their names. */
export type Cell = Readonly<Record<string, string | number>>;

export interface TableRow {
  /** What went wrong. */
  name: string;
  cells: { network: CrashNetwork; expected: Cell }[];
}

const bot = crashNetworks.find(({ name }) => name === "discord bot");

/** A bot in a channel of another kind. */
function inChannel(type: "announcement" | "forum"): CrashNetwork {
  if (bot === undefined) throw new Error("there is no bot");
  return {
    ...bot,
    name: `discord ${type}`,
    connect(sandbox) {
      const credentials = { bot_token: sandbox.discord.addBot(), channel_id: sandbox.discord.addChannel({ type }) };
      return { network: "discord", credentials };
    },
  };
}

/** Networks by the names that head the columns. */
const networksByColumn = new Map(
  [...crashNetworks, inChannel("announcement"), inChannel("forum")].map((network) => [
    network.name.replace("mastodon look-alike that ignores keys", "mastodon look-alike"),
    network,
  ]),
);

export function networkOf(column: string): CrashNetwork {
  const network = networksByColumn.get(column);
  if (network === undefined) throw new Error(`no network is called ${column}`);
  return network;
}

/**
 * Reads a table: its first line names the networks, each further one what went
 * wrong and, for each network, how it ended and the numbers. A cell that is
 * empty does not apply.
 */
export function readTable(text: string, numbers: readonly string[]): TableRow[] {
  const [head = [], ...rows] = text
    .split("\n")
    .filter((line) => line.includes("|"))
    .map((line) => line.split("|").map((cell) => cell.trim()));
  const networks = head.slice(1).map(networkOf);
  return rows.map(([name = "", ...cells]) => ({
    name,
    cells: networks.flatMap((network, column) => {
      const expected = readCell(cells[column] ?? "", numbers);
      return expected === null ? [] : [{ network, expected }];
    }),
  }));
}

function readCell(cell: string, numbers: readonly string[]): Cell | null {
  if (cell === "") return null;
  const [ends = "", ...values] = cell.split(/\s+/);
  if (values.length !== numbers.length) throw new Error(`"${cell}" must hold an ending and ${numbers.join(", ")}`);
  return { ends, ...Object.fromEntries(numbers.map((name, index) => [name, Number(values[index])])) };
}
