/** Marks in the first or last bytes of files with a second file inside → what that is. */
const marks: readonly (readonly [mark: RegExp, name: string])[] = [
  [/<(?:html|script|iframe|body|!doctype html)[\s>]|<\/(?:html|script|body)>/i, "a web page"],
  [/<\?php|__HALT_COMPILER/i, "a PHP program"],
  [/%PDF-\d/, "a PDF document"],
];

/** The end mark of every ZIP archive, with a comment's length in its last two bytes (APPNOTE.TXT, section 4.3.16). */
const zipEnd = "PK\x05\x06";
const zipEndBytes = 22;

/** The problem of a file that contains another, as the rest of a sentence about it. */
export function withHidden(mimeType: string, hidden: string): string {
  return `is ${mimeType} with ${hidden} in it; save the image or video alone and use that file`;
}

/** Another file inside this one; null: none is visible. Both strings have one character for each byte. */
export function embeddedFile(mimeType: string, head: string, tail: string): string | null {
  const marked = marks.find(([mark]) => mark.test(head) || mark.test(tail))?.[1];
  if (marked !== undefined) return marked;
  // The width and height of this GIF are the start of a script comment to a browser.
  if (mimeType === "image/gif" && head.slice(6, 8) === "/*") return "a script";
  return endsAsZip(tail) ? "a ZIP archive" : null;
}

/** True: the comment extends exactly to the end. Four bytes in an image may equal the mark by chance. */
function endsAsZip(tail: string): boolean {
  for (let at = tail.indexOf(zipEnd); at !== -1; at = tail.indexOf(zipEnd, at + 1)) {
    const commentBytes = tail.charCodeAt(at + 20) + tail.charCodeAt(at + 21) * 256;
    if (at + zipEndBytes + commentBytes === tail.length) return true;
  }
  return false;
}
