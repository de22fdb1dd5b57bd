import { mentions } from "../../text/links.ts";
import type { Part } from "../contract/plan.ts";
import { htmlText } from "./html.ts";
import type { MastodonOptions } from "./options.ts";

/** What a server may make of a text besides showing it as it is. */
interface Rendering {
  name: string;
  apply(text: string): string;
}

/**
 * Seen on small servers of the same API (2026-11): some take a text for
 * Markdown, or for HTML, and keep no source of it; one takes the address of a
 * picture out of the text and attaches the picture.
 */
export const renderings: readonly Rendering[] = [
  { name: "links with a label, as the label", apply: (text) => text.replace(markdownLink, "$1") },
  { name: "links with a label, as the URL", apply: (text) => text.replace(markdownLink, "$2") },
  { name: "numbered lists, without their numbers", apply: (text) => text.replace(/^[ \t]*\d{1,9}[.)][ \t]+/gm, "") },
  { name: "fenced code, without its language", apply: (text) => text.replace(/^[ \t]*(?:```|~~~)[^\n`]*$/gm, "") },
  { name: "images, removed", apply: (text) => withoutPictures(text.replace(markdownPicture, "")) },
  { name: "HTML tags, removed", apply: htmlText },
];

const markdownPicture = /!\[[^[\]\n]*\]\([^()\s]*\)/g;
const markdownLink = /!?\[([^[\]\n]*)\]\(([^()\s]*)\)/g;
const pictureAddress = /^https?:\/\/.+\.(?:png|jpe?g|gif|webp|avif|heic|svg|bmp)(?:\?.*)?$/i;

function withoutPictures(text: string): string {
  return text.replace(/\S+/g, (word) => (pictureAddress.test(word) ? "" : word));
}

/** The part's words in each form in which a server may show them, the plain one first. */
export function textForms(part: Part<MastodonOptions>): string[] {
  // Mastodon makes a content warning without a text the text. https://github.com/mastodon/mastodon/blob/main/app/services/post_status_service.rb (2026-07)
  const text = part.text.trim() === "" ? (part.options.spoiler_text ?? "") : part.text;
  const single = renderings.map(({ apply }) => apply(text));
  const all = renderings.reduce((rendered, { apply }) => apply(rendered), text);
  return [...new Set([text, ...single, all].map(comparable))];
}

/** How many addresses of pictures a text holds: a server may attach them. */
export function countPictureAddresses(text: string): number {
  return text.split(/[\s()]+/).filter((word) => pictureAddress.test(word)).length;
}

/** How many addresses of any kind it holds: of a video a server may do the same. */
export function countAddresses(text: string): number {
  return text.split(/[\s()]+/).filter((word) => /^https?:\/\/./i.test(word)).length;
}

/** What marks up a text, whichever way a server reads it. */
const marks = /[*_~`#>[\]()!|\\]+/g;
const bullet = /^[ \t]*[-+•][ \t]+/gm;

/**
 * A text in a form in which what was sent and what a server shows are equal:
 * without marks, `@user@host` as `@user`.
 */
export function comparable(text: string): string {
  let bare = "";
  let position = 0;
  for (const { start, end, value } of mentions(text)) {
    const at = value.indexOf("@");
    bare += text.slice(position, at === -1 ? end : start + 1 + at);
    position = end;
  }
  const words = bare + text.slice(position);
  const unmarked = words.replace(bullet, "").replace(marks, "");
  return unmarked.trim() === "" ? words : unmarked;
}
