import { escapeHtml } from "./render.ts";

/**
 * A text as servers show it that interpret it as Markdown. The markup is removed: the dashes and numbers of lists,
 * asterisks, underscores, backticks, fences, the `>` of quotes, the `#` of headings, and the URLs of links. Supports
 * only what such servers were seen to render (2026-11), without nesting.
 *
 * @param plain renders text without markup, with its links and mentions
 */
export function renderMarkdown(text: string, plain: (text: string) => string): string {
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  const blocks: string[] = [];
  while (lines.length > 0) blocks.push(takeBlock(lines, (line) => inline(line, plain)));
  return blocks.join("");
}

type Inline = (text: string) => string;

const fence = /^ {0,3}(?:```|~~~)/;
const heading = /^ {0,3}(#{1,6})[ \t]+(.*)$/;
const rule = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/;
const quote = /^ {0,3}> ?/;
const bullet = /^ {0,3}[-*+][ \t]+/;
const numbered = /^ {0,3}\d{1,9}[.)][ \t]+/;

/** Removes the lines of the first block and returns its HTML. */
function takeBlock(lines: string[], show: Inline): string {
  const [line = ""] = lines;
  if (fence.test(line)) return takeFence(lines);
  if (line.trim() === "" || rule.test(line) || heading.test(line)) {
    lines.shift();
    return ofOneLine(line, show);
  }
  if (quote.test(line)) {
    const quoted = takeWhile(lines, (each) => quote.test(each)).map((each) => each.replace(quote, ""));
    return `<blockquote><p>${quoted.map(show).join("<br>")}</p></blockquote>`;
  }
  if (bullet.test(line)) return `<ul>${takeItems(lines, bullet, show)}</ul>`;
  if (numbered.test(line)) return `<ol>${takeItems(lines, numbered, show)}</ol>`;
  const paragraph = [lines.shift() ?? "", ...takeWhile(lines, (each) => !beginsBlock(each))];
  return `<p>${show(paragraph.join("\n")).replaceAll("\n", "<br>")}</p>`;
}

function ofOneLine(line: string, show: Inline): string {
  if (line.trim() === "") return "";
  const [, marks = "", title = ""] = heading.exec(line) ?? [];
  return marks === "" ? "<hr>" : `<h${marks.length}>${show(title)}</h${marks.length}>`;
}

function beginsBlock(line: string): boolean {
  return line.trim() === "" || [fence, heading, rule, quote, bullet, numbered].some((each) => each.test(line));
}

function takeFence(lines: string[]): string {
  lines.shift();
  const code = takeWhile(lines, (each) => !fence.test(each));
  lines.shift();
  return `<pre><code>${escapeHtml(code.join("\n"))}</code></pre>`;
}

function takeItems(lines: string[], mark: RegExp, show: Inline): string {
  const items = takeWhile(lines, (each) => mark.test(each));
  return items.map((item) => `<li>${show(item.replace(mark, ""))}</li>`).join("");
}

function takeWhile(lines: string[], fits: (line: string) => boolean): string[] {
  const end = lines.findIndex((line) => !fits(line));
  return lines.splice(0, end === -1 ? lines.length : end);
}

/**
 * Code, images, links, strong and emphasized words, escaped characters. If several match, the first in this order
 * applies.
 */
const marked =
  /`([^`\n]+)`|!\[([^\]\n]*)\]\(([^()\s]+)\)|\[([^\]\n]+)\]\(([^()\s]+)\)|\*\*([^*\n]+)\*\*|\*([^*\s](?:[^*\n]*[^*\s])?)\*|(?<![\p{L}\p{N}])_([^_\s](?:[^_\n]*[^_\s])?)_(?![\p{L}\p{N}])|\\([!-/:-@[-`{-~])/gu;

function inline(text: string, plain: Inline): string {
  let html = "";
  let position = 0;
  for (const match of text.matchAll(marked)) {
    const [whole, code, alt, image, words, address, strong, emphasized, underlined, escaped] = match;
    html += plain(text.slice(position, match.index));
    position = match.index + whole.length;
    if (code !== undefined) html += `<code>${escapeHtml(code)}</code>`;
    else if (image !== undefined) html += `<img src="${escapeHtml(image)}" alt="${escapeHtml(alt ?? "")}">`;
    else if (address !== undefined) html += `<a href="${escapeHtml(address)}">${plain(words ?? "")}</a>`;
    else if (strong !== undefined) html += `<strong>${plain(strong)}</strong>`;
    else if (escaped !== undefined) html += escapeHtml(escaped);
    else html += `<em>${plain(emphasized ?? underlined ?? "")}</em>`;
  }
  return html + plain(text.slice(position));
}
