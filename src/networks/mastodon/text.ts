import { mentions } from "../../text/links.ts";

/**
 * A text in a form in which what was sent and what a server shows are equal:
 * whitespace folded, `@user@host` as `@user`, one Unicode normalization.
 */
export function comparable(text: string): string {
  let bare = "";
  let position = 0;
  for (const { start, end, value } of mentions(text)) {
    const at = value.indexOf("@");
    bare += text.slice(position, at === -1 ? end : start + 1 + at);
    position = end;
  }
  return (bare + text.slice(position)).normalize("NFC").replace(/\s+/g, " ").trim();
}
