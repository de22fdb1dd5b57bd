import type { Parts } from "./wire.ts";

const isTerminal = process.stdout.isTTY === true;
const hasColours = isTerminal && (process.env.NO_COLOR ?? "") === "";
/** A terminal of 100 columns takes every line. */
const lineLength = 98;
/** The words of a step, and where its remark begins. */
export const whoLength = 16;
const whatLength = 38;

/** Each ends only what it began, so that one may stand in another. */
function styled(begin: number, end: number): (text: string) => string {
  return (text) => (hasColours ? `\u001b[${begin}m${text}\u001b[${end}m` : text);
}

const bold = styled(1, 22);
const dim = styled(2, 22);
const green = styled(32, 39);
const red = styled(31, 39);

/** What is as it should be, or is not; a mark before it on a terminal. */
export function marked(isGood: boolean, text: string): string {
  const mark = isTerminal ? `${isGood ? "✓" : "✗"} ` : "";
  return (isGood ? green : red)(mark + text);
}

export function headline(text: string): void {
  console.log(`${bold(text)}\n`);
}

/** A paragraph. */
export function say(text: string): void {
  console.log(
    `${wrapped(text.split(" "), lineLength - 2, " ")
      .map(indented(2))
      .join("\n")}\n`,
  );
}

/** One line of what is going on. */
export function step(who: string, what: string, remark = ""): void {
  console.log(
    `    ${dim(`${who.padEnd(whoLength)}${what.padEnd(whatLength)} `.trimEnd())}${gap(who, what, remark)}${remark}`,
  );
}

/** What `dim` and `trimEnd` have taken away before a remark. */
function gap(who: string, what: string, remark: string): string {
  if (remark === "") return "";
  const padded = `${who.padEnd(whoLength)}${what.padEnd(whatLength)} `;
  return " ".repeat(padded.length - padded.trimEnd().length);
}

/** A remark on a step: parts of the post that everybody can see now. */
export function publicParts({ first, last }: Parts, isAnswered: boolean): string {
  const parts = first === last ? `part ${first} is` : `parts ${first} to ${last} are`;
  return marked(isAnswered, `${parts} public${isAnswered ? "" : "; answer held back"}`);
}

/** What was sent (`>`) or came back (`<`): its first line. */
export function quote(mark: ">" | "<" | " ", text: string, remark = ""): void {
  console.log(dim(`    ${mark} ${text.padEnd(remark === "" ? 0 : 30)}${remark}`.trimEnd()));
}

/** A body, as much of it as two lines hold. No word of it is cut. */
export function quoteJson(text: string): void {
  const width = lineLength - 8;
  const lines = wrapped(jsonPieces(text, width), width, "");
  const shown = lines.slice(0, 2);
  if (lines.length > 2) shown[1] += " …";
  console.log(dim(shown.map(indented(6)).join("\n")));
}

/** A line's `who`, behind a time. */
export function timed(time: string, who: string): string {
  return time.padEnd(8) + who.padEnd(whoLength);
}

/** A line of its own. */
export function line(text: string): void {
  console.log(`    ${text}`);
}

export function blank(): void {
  console.log();
}

/** At most `length` characters, on one line, cut between two words. */
export function shortened(text: string, length: number): string {
  const flat = text.replaceAll(/\s+/g, " ");
  if (flat.length <= length) return flat;
  const cut = flat.slice(0, length - 1);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), 1)).trimEnd()} …`;
}

/** Ids keep their beginning and their end. */
export function withShortIds(path: string): string {
  return path.replaceAll(/_[0-9a-z]{20}([0-9a-z]{6})\b/g, "_…$1");
}

function indented(by: number): (text: string) => string {
  return (text) => " ".repeat(by) + text;
}

/** As few lines as hold all pieces; one that is too long has a line of its own. */
function wrapped(pieces: readonly string[], length: number, between: string): string[] {
  const lines: string[] = [];
  for (const piece of pieces) {
    const last = lines.at(-1);
    if (last === undefined || last.length + between.length + piece.length > length) lines.push(piece);
    else lines[lines.length - 1] = last + between + piece;
  }
  return lines;
}

/** A key with its value, and the brackets around them; a long text loses its end. */
function jsonPieces(text: string, length: number): string[] {
  const pieces = text.match(/(?:"(?:[^"\\]|\\.)*":)?(?:"(?:[^"\\]|\\.)*"|[-\w.+]+|[{[])?[\]}]*,?/g) ?? [];
  return pieces
    .filter((piece) => piece !== "")
    .map((piece) => (piece.length <= length ? piece : `${shortened(piece, length - 3)}",`));
}
