/**
 * The words of a link with the address that they lead to: where they only
 * shorten it the address, where they are the address the words, else both.
 */
export function withAddress(words: string, address: string): string {
  const [shown, whole] = [bare(words), bare(address)];
  if (shown === whole || isSameUrl(words.trim(), address)) return words;
  return shown === "" || isBeginning(shown, whole) ? address : `${words} (${address})`;
}

/** Its host at least, and perhaps a sign that there is more. */
function isBeginning(shown: string, whole: string): boolean {
  const beginning = shown.replace(/(?:…|\.{3})$/, "");
  return whole.startsWith(beginning) && beginning.length >= whole.search(/[/?#:]|$/);
}

/** Without what apps leave out of addresses that they show. */
function bare(address: string): string {
  return address
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/^www\./, "")
    .replace(/\/$/, "");
}

/** As with letters that stand encoded in one of the two. */
function isSameUrl(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href;
}
