import { readBounded } from "../async/bounded-read.ts";

/** Maximum bytes that are read; the rest is not awaited. */
const maxBytes = 65_535;
/** Maximum characters that are stored. */
const maxCharacters = 2_000;

/** The beginning of a response body, as text that every store can keep. */
export async function readStart(response: Response, signal: AbortSignal): Promise<string> {
  const { bytes } = await readBounded(response.body, { maxBytes, signal });
  return keptText(new TextDecoder().decode(bytes));
}

/** Replaces NUL, and does not split a surrogate pair. */
function keptText(text: string): string {
  return text
    .slice(0, maxCharacters)
    .replaceAll("\0", "\ufffd")
    .replace(/[\ud800-\udbff]$/, "");
}
