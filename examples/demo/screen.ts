const isTerminal = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
const lineLength = 96;

function styled(code: number): (text: string) => string {
  return (text) => (isTerminal ? `\u001b[${code}m${text}\u001b[0m` : text);
}

const bold = styled(1);
const dim = styled(2);

export function headline(text: string): void {
  console.log(`\n${bold(text)}\n`);
}

/** A paragraph. */
export function say(text: string): void {
  let line = " ";
  for (const word of text.split(" ")) {
    if (line.length + word.length >= lineLength) {
      console.log(line);
      line = " ";
    }
    line += ` ${word}`;
  }
  console.log(line);
}

/** One step of what is going on. */
export function step(who: string, what: string): void {
  console.log(dim(`    ${who.padEnd(10)}${what}`));
}

export function blank(): void {
  console.log();
}

/** Columns as wide as their widest cell; the first row is the heading. */
export function table([heading = [], ...rows]: string[][]): void {
  const widths = heading.map((_, column) => Math.max(...[heading, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]): string => `    ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`;
  blank();
  console.log(bold(line(heading).trimEnd()));
  for (const row of rows) console.log(line(row).trimEnd());
  blank();
}

/** At most `length` characters, on one line. */
export function shortened(text: string, length: number): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length <= length ? line : `${line.slice(0, length - 1).trimEnd()}…`;
}
