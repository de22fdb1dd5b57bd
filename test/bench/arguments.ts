import { parseArgs } from "node:util";

export const benchNames = [
  "handler",
  "hook",
  "ingest",
  "inbox",
  "follow",
  "polls",
  "list",
  "filters",
  "import",
  "deliver",
  "hanging",
  "flood",
  "verify",
  "claim",
  "publish",
  "workers",
  "lag",
  "loop",
  "text",
  "validate",
  "media",
  "idle",
  "memory",
] as const;
export type BenchName = (typeof benchNames)[number];

/** The arguments of `npm run bench`. */
export interface BenchOptions {
  names: readonly BenchName[];
  /** Posts in the databases of `list`, `filters`, `idle` and `memory`, messages in that of `inbox`, profiles and jobs in that of `claim`. */
  rows: number;
  /** Pairs of measurements for each number. */
  pairs: number;
  /** Where the numbers go as JSON; null: nowhere. */
  out: string | null;
}

const usage = `npm run bench -- [names] [options]

names      ${benchNames.join(", ")}; default: all

--rows N    list, filters, inbox, claim, idle, memory: rows         (1000000)
--pairs N   pairs of measurements                                   (7)
--out FILE  keeps the numbers as JSON
`;

/** @throws Error that says how to call it */
export function readArguments(given: readonly string[]): BenchOptions {
  const { values, positionals } = parse(given);
  const unknown = positionals.filter((name) => !(benchNames as readonly string[]).includes(name));
  if (unknown.length > 0) throw new Error(`There is no benchmark ${unknown.join(", ")}.\n\n${usage}`);
  return {
    names: positionals.length === 0 ? benchNames : benchNames.filter((name) => positionals.includes(name)),
    rows: toCount("rows", values.rows, 1_000_000),
    pairs: toCount("pairs", values.pairs, 7),
    out: values.out ?? null,
  };
}

function parse(given: readonly string[]) {
  const text = { type: "string" } as const;
  if (given.includes("--help")) throw new Error(usage);
  try {
    return parseArgs({ args: [...given], options: { rows: text, pairs: text, out: text }, allowPositionals: true });
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  }
}

function toCount(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new Error(`--${name} takes a whole number from 1 on, not "${text}".\n\n${usage}`);
  }
  return value;
}
