/** What files that are two things at once have in their first or last bytes → what that is. */
const marks: readonly (readonly [mark: RegExp, name: string])[] = [
  [/<(?:html|script|iframe|body|!doctype html)[\s>]|<\/(?:html|script|body)>/i, "a web page"],
  [/<\?php|__HALT_COMPILER/i, "a PHP program"],
  [/%PDF-\d/, "a PDF document"],
];

/** Ends every ZIP archive, with a comment's length in its last two bytes (APPNOTE.TXT, section 4.3.16). */
const zipEnd = "PK\x05\x06";
const zipEndBytes = 22;

/** What is wrong with a file that has another in it, as the rest of a sentence about it. */
export function withHidden(mimeType: string, hidden: string): string {
  return `is ${mimeType} with ${hidden} in it; save the image or video alone and use that file`;
}

/** Another file in this one; null when there is none to be seen. Both as characters of the same number. */
export function embeddedFile(mimeType: string, head: string, tail: string): string | null {
  const marked = marks.find(([mark]) => mark.test(head) || mark.test(tail))?.[1];
  if (marked !== undefined) return marked;
  // Width and height of a GIF that a browser reads as the beginning of a comment.
  if (mimeType === "image/gif" && head.slice(6, 8) === "/*") return "a script";
  return endsAsZip(tail) ? "a ZIP archive" : null;
}

/** The comment is all that follows: four bytes in a picture may look like the mark by chance. */
function endsAsZip(tail: string): boolean {
  for (let at = tail.indexOf(zipEnd); at !== -1; at = tail.indexOf(zipEnd, at + 1)) {
    const commentBytes = tail.charCodeAt(at + 20) + tail.charCodeAt(at + 21) * 256;
    if (at + zipEndBytes + commentBytes === tail.length) return true;
  }
  return false;
}
