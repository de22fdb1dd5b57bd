import { withAddress } from "../../text/link-words.ts";
import { characterNamed } from "./character-names.ts";

/** Matches any tag. It stops at the next `<`, so that hostile input takes linear time. */
const tag = /<[^<>]*>/g;
const lineBreak = /<(?:br|hr|\/?(?:p|div|li|ul|ol|pre|blockquote|h[1-6]|tr))\b[^<>]*>/gi;
const anchor = /<a\b([^<>]*)>/gi;
const address = /\bhref=(?:"([^"<>]*)"|'([^'<>]*)')/i;

/** Extracts the text of a post's `content`: paragraphs and line breaks become `\n`, other tags are removed. */
export function htmlText(html: string): string {
  return decode(withoutQuoteLine(html).replace(lineBreak, "\n").replace(tag, ""));
}

/** The same, but with the URL of each link instead of its words, for servers that shorten URLs. */
export function linkedText(html: string): string {
  return htmlText(withLinks(html, (_, href) => href));
}

/** The same with the links visible: link words that differ from their URL are followed by it. */
export function followedText(html: string): string {
  return htmlText(withLinks(html, (words, href) => escaped(withAddress(decode(words), decode(href)))));
}

/** @param show replaces a link, from its words and its URL, both as HTML */
function withLinks(html: string, show: (words: string, href: string) => string): string {
  const pieces: string[] = [];
  let position = 0;
  for (const match of html.matchAll(anchor)) {
    const found = address.exec(match[1] ?? "");
    const href = found?.[1] ?? found?.[2];
    if (match.index < position || href === undefined) continue;
    const end = html.indexOf("</a>", match.index);
    if (end === -1) break;
    const words = html.slice(match.index + match[0].length, end).replace(tag, "");
    const isName = /^[@#＃]/.test(words.trim());
    pieces.push(html.slice(position, match.index), isName ? words : show(words, href));
    position = end;
  }
  return pieces.join("") + html.slice(position);
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const quoteLine = '<p class="quote-inline">';

/** Mastodon 4.5 puts "RE: URL" before a quoting post. https://docs.joinmastodon.org/entities/Quote/ (2026-07) */
function withoutQuoteLine(html: string): string {
  const start = html.indexOf(quoteLine);
  const end = start === -1 ? -1 : html.indexOf("</p>", start);
  return end === -1 ? html : html.slice(0, start) + html.slice(end + "</p>".length);
}

function decode(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z][a-z0-9]{1,7}));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return characterNamed(String(name)) ?? whole;
    const codePoint = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : whole;
  });
}
