const isTerminal = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
const lineLength = 96;

function styled(code: number): (text: string) => string {
  return (text) => (isTerminal ? `\u001b[${code}m${text}\u001b[0m` : text);
}

const bold = styled(1);
const dim = styled(2);

export function headline(text: string): void {
  console.log(`${bold(text)}\n`);
}

/** A paragraph. */
export function say(text: string): void {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line.length + word.length >= lineLength) lines.push(` ${word}`);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  console.log(`${lines.map((line) => ` ${line}`).join("\n")}\n`);
}

/** One line of what is going on. */
export function step(...columns: [who: string, what: string, remark?: string]): void {
  const [who, what, remark = ""] = columns;
  console.log(dim(`    ${who.padEnd(10)}${what.padEnd(44)}${remark}`.trimEnd()));
}

/** What was sent (`>`) or came back (`<`), on one line. */
export function quote(mark: ">" | "<" | " ", text: string, remark = ""): void {
  console.log(dim(`    ${mark} ${shortened(text, lineLength - 10).padEnd(remark === "" ? 0 : 30)}${remark}`.trimEnd()));
}

/** A line's `who`, behind a time. */
export function timed(time: string, who: string): string {
  return time.padEnd(8) + who.padEnd(10);
}

export function blank(): void {
  console.log();
}

/** Columns as wide as their widest cell; the first row is the heading. */
export function table([heading = [], ...rows]: string[][]): void {
  const widths = heading.map((_, column) => Math.max(...[heading, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]): string => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  console.log(bold(`    ${line(heading)}`.trimEnd()));
  for (const row of rows) console.log(`    ${line(row)}`.trimEnd());
  blank();
}

/** At most `length` characters, on one line. */
export function shortened(text: string, length: number): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length <= length ? line : `${line.slice(0, length - 1).trimEnd()}…`;
}
