import { findUrls } from "../../text/urls.ts";
import type { Part } from "../contract/plan.ts";
import type { XOptions } from "./options.ts";
import type { ReadText } from "./post.ts";

/** The part's text, in a comparable form. */
export function textForms(part: Part<XOptions>): string[] {
  return [comparable(part.text)];
}

/**
 * The possible original texts of a post. X replaces each URL with a t.co URL, whose target the response contains; each
 * set of files adds another; and `&`, `<`, `>` are returned as in HTML (unconfirmed), so the text is interpreted both
 * ways.
 */
export function shownTexts({ text, urls }: ReadText): string[] {
  let shown = text;
  for (const { url, expanded_url, media_key } of urls) {
    const isOfFiles = media_key != null || fileAddress.test(expanded_url ?? "");
    shown = shown.replaceAll(url, isOfFiles ? "" : (expanded_url ?? url));
  }
  return [...new Set([unescaped(shown), shown].map(comparable))].filter((each) => each !== "");
}

/**
 * The target of the t.co URL for a post's own files. https://docs.x.com/x-api/fundamentals/data-dictionary (2026-08)
 */
const fileAddress = /^https:\/\/(?:x|twitter)\.com\/\w+\/status\/\d+\/(?:photo|video)\/\d+$/;

const escapes: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };

function unescaped(text: string): string {
  return text.replace(/&(?:amp|lt|gt);/g, (each) => escapes[each] ?? each);
}

/** The text with URLs reduced to one form, with or without a scheme: X adds one. */
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
