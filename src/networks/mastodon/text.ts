import { mentions } from "../../text/links.ts";
import type { Part } from "../contract/plan.ts";
import { htmlText } from "./html.ts";
import type { MastodonOptions } from "./options.ts";

/** A conversion that a server may apply to a text. */
interface Rendering {
  name: string;
  apply(text: string): string;
}

/**
 * Seen on small servers with the same API (2026-11): some parse a text as Markdown or HTML, and keep no source of it.
 * One removes the URL of an image from the text and attaches the image.
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

/** The part's text in each form in which a server may show it, the original first. */
export function textForms(part: Part<MastodonOptions>): string[] {
  // Mastodon uses a content warning without a text as the text.
  // https://github.com/mastodon/mastodon/blob/main/app/services/post_status_service.rb (2026-07)
  const text = part.text.trim() === "" ? (part.options.spoiler_text ?? "") : part.text;
  const single = renderings.map(({ apply }) => apply(text));
  const all = renderings.reduce((rendered, { apply }) => apply(rendered), text);
  return [...new Set([text, ...single, all].map(comparable))];
}

/** Number of image URLs in a text. A server may attach these images. */
export function countPictureAddresses(text: string): number {
  return text.split(/[\s()]+/).filter((word) => pictureAddress.test(word)).length;
}

/** Number of URLs of any kind. A server may also attach a video. */
export function countAddresses(text: string): number {
  return text.split(/[\s()]+/).filter((word) => /^https?:\/\/./i.test(word)).length;
}

/** Markup characters of any syntax that a server may support. */
const marks = /[*_~`#>[\]()!|\\]+/g;
const bullet = /^[ \t]*[-+•][ \t]+/gm;

/**
 * Normalizes a text, so that the sent text and the shown text are equal: without markup, and with `@user@host` as
 * `@user`.
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
