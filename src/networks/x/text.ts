import { findUrls } from "../../text/urls.ts";
import type { Part } from "../contract/plan.ts";
import type { XOptions } from "./options.ts";
import type { ReadText } from "./post.ts";

/** What the part shows: its text and the answers of its poll. */
export function textForms(part: Part<XOptions>): string[] {
  return [comparable(part.text)];
}

/**
 * What X makes of a text besides showing it as it is. Each address becomes one of t.co's, which the answer names with
 * the one it stands for; each set of files adds another; and `&`, `<`, `>` come back as in HTML (unconfirmed), so the
 * text is read both ways.
 */
export function shownTexts({ text, urls }: ReadText): string[] {
  let shown = text;
  for (const { url, expanded_url, media_key } of urls) {
    const isOfFiles = media_key != null || fileAddress.test(expanded_url ?? "");
    shown = shown.replaceAll(url, isOfFiles ? "" : (expanded_url ?? url));
  }
  return [...new Set([unescaped(shown), shown].map(comparable))].filter((each) => each !== "");
}

/** What the t.co of a post's own files stands for. https://docs.x.com/x-api/fundamentals/data-dictionary (2026-08) */
const fileAddress = /^https:\/\/(?:x|twitter)\.com\/\w+\/status\/\d+\/(?:photo|video)\/\d+$/;

const escapes: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };

function unescaped(text: string): string {
  return text.replace(/&(?:amp|lt|gt);/g, (each) => escapes[each] ?? each);
}

/** A text in which an address reads the same whether it was written with its scheme or not: X adds one. */
function comparable(text: string): string {
  const plain = text.normalize("NFC");
  let bare = "";
  let position = 0;
  for (const { start, end } of findUrls(plain, "x")) {
    bare +=
      plain.slice(position, start) +
      plain
        .slice(start, end)
        .replace(/^https?:\/\//i, "")
        .replace(/\/$/, "");
    position = end;
  }
  return (bare + plain.slice(position)).trim();
}
