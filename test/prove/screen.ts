import type { Tally } from "./tally.ts";

/** Says from time to time how far a phase is: on one line of a terminal, else on a line of its own. */
export function createProgress(phase: string): { say(message: string): void; end(): void } {
  const isTerminal = process.stderr.isTTY === true;
  const betweenMs = isTerminal ? 200 : 15_000;
  let lastSaid = Number.NEGATIVE_INFINITY;
  return {
    say(message) {
      if (performance.now() - lastSaid < betweenMs) return;
      lastSaid = performance.now();
      process.stderr.write(isTerminal ? `\r\u001b[K${phase}: ${message}` : `${phase}: ${message}\n`);
    },
    end() {
      if (isTerminal) process.stderr.write("\r\u001b[K");
    },
  };
}

export interface PhaseResult {
  phase: string;
  tally: Tally;
  seconds: number;
}

/** Column → what the head of the table calls it. */
const columns = {
  tried: "tried",
  kills: "kills",
  unanswered: "unanswered",
  twice: "twice",
  lost: "lost",
  stuck: "stuck",
  wrong: "wrong",
  undecided: "undecided",
  excused: "excused",
  unknowable: "unknowable",
  givenUp: "given up",
  deliveries: "deliveries",
  again: "taken again",
} as const;
const columnNames = Object.keys(columns) as (keyof typeof columns)[];

/** One table at the end. */
export function table(results: readonly PhaseResult[], seed: number): string {
  const head = ["", ...Object.values(columns), "seconds", "seed"];
  const rows = results.map(({ phase, tally, seconds }) => [
    phase,
    ...columnNames.map((column) => tally[column].toLocaleString("en-US")),
    String(Math.round(seconds)),
    String(seed),
  ]);
  return alignedRows([head, ...rows]);
}

/** Rows of cells, the first column to the left, the others to the right. */
export function alignedRows(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
