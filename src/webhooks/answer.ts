import { readBounded } from "../async/bounded-read.ts";

/** Read at most, bytes; what comes after is not waited for. */
const maxBytes = 65_535;
/** Kept at most, characters. */
const maxCharacters = 2_000;

/** The beginning of an answer's body as text that every storage can keep. */
export async function readStart(response: Response, signal: AbortSignal): Promise<string> {
  const { bytes } = await readBounded(response.body, { maxBytes, signal });
  return keptText(new TextDecoder().decode(bytes));
}

/** Without NUL, and not cut in the middle of a character. */
function keptText(text: string): string {
  return text
    .slice(0, maxCharacters)
    .replaceAll("\0", "\ufffd")
    .replace(/[\ud800-\udbff]$/, "");
}
