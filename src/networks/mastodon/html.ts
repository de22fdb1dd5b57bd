/** Any tag. It stops at the next `<`, so that hostile input takes linear time. */
const tag = /<[^<>]*>/g;
const lineBreak = /<(?:br|hr|\/?(?:p|div|li|ul|ol|pre|blockquote|h[1-6]|tr))\b[^<>]*>/gi;
const anchor = /<a\b([^<>]*)>/gi;
const address = /\bhref="([^"<>]*)"/i;

/** The text of a post's `content`: paragraphs and line breaks as `\n`, other tags gone. */
export function htmlText(html: string): string {
  return decode(withoutQuoteLine(html).replace(lineBreak, "\n").replace(tag, ""));
}

/** The same with each link's address in place of the words it stands under, for servers that shorten them. */
export function linkedText(html: string): string {
  const pieces: string[] = [];
  let position = 0;
  for (const match of html.matchAll(anchor)) {
    const href = address.exec(match[1] ?? "")?.[1];
    if (match.index < position || href === undefined) continue;
    const end = html.indexOf("</a>", match.index);
    if (end === -1) break;
    const words = html.slice(match.index + match[0].length, end).replace(tag, "");
    const isName = /^[@#＃]/.test(words.trim());
    pieces.push(html.slice(position, match.index), isName ? words : href);
    position = end;
  }
  return htmlText(pieces.join("") + html.slice(position));
}

const quoteLine = '<p class="quote-inline">';

/** Mastodon 4.5 puts "RE: address" before a quoting post. https://docs.joinmastodon.org/entities/Quote/ (2026-07) */
function withoutQuoteLine(html: string): string {
  const start = html.indexOf(quoteLine);
  const end = start === -1 ? -1 : html.indexOf("</p>", start);
  return end === -1 ? html : html.slice(0, start) + html.slice(end + "</p>".length);
}

const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };

function decode(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z]{2,4}));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return named[String(name).toLowerCase()] ?? whole;
    const codePoint = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : whole;
  });
}
