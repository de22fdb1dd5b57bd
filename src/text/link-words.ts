/**
 * The text of a link together with its URL. If the text only shortens the URL: the URL; if it equals the URL: the
 * text; otherwise both.
 */
export function withAddress(words: string, address: string): string {
  const [shown, whole] = [bare(words), bare(address)];
  if (shown === whole || isSameUrl(words.trim(), address)) return words;
  return shown === "" || isBeginning(shown, whole) ? address : `${words} (${address})`;
}

/** True: at least the URL's host, perhaps with a sign of omission. */
function isBeginning(shown: string, whole: string): boolean {
  const beginning = shown.replace(/(?:…|\.{3})$/, "");
  return whole.startsWith(beginning) && beginning.length >= whole.search(/[/?#:]|$/);
}

/** Without the parts that apps omit from displayed URLs. */
function bare(address: string): string {
  return address
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/^www\./, "")
    .replace(/\/$/, "");
}

/** True: the same URL, for example with letters that only one of them encodes. */
function isSameUrl(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href;
}
