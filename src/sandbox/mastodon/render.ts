import { findLinks, type LinkSpan } from "../../text/links.ts";

/** An account that can be mentioned. */
export interface Mentioned {
  username: string;
  url: string;
}

export interface RenderOptions {
  host: string;
  /** True: only the beginning of a long URL is shown. */
  shortensLinks: boolean;
  /** The account `user` or `user@host`; undefined: there is none, and the mention stays plain text. */
  resolve(name: string): Mentioned | undefined;
}

/** A text as the server shows it: paragraphs, line breaks, shortened links, mentions without their host. */
export function renderContent(text: string, options: RenderOptions): string {
  if (text === "") return "";
  const paragraphs = renderLinks(text, options)
    .replace(/\r\n?/g, "\n")
    .split(/\n{2,}/);
  return paragraphs.map((paragraph) => `<p>${paragraph.replaceAll("\n", "<br />")}</p>`).join("");
}

/** Renders only links and mentions. */
export function renderLinks(text: string, options: RenderOptions): string {
  let html = "";
  let position = 0;
  for (const link of findLinks(text)) {
    html += escapeHtml(text.slice(position, link.start)) + renderLink(link, text.slice(link.start, link.end), options);
    position = link.end;
  }
  return html + escapeHtml(text.slice(position));
}

function renderLink({ kind, value }: LinkSpan, written: string, options: RenderOptions): string {
  const { host, shortensLinks, resolve } = options;
  if (kind === "url") return shortensLinks ? renderShort(value) : renderUrl(value);
  if (kind === "hashtag") {
    const address = `https://${host}/tags/${encodeURIComponent(value.toLowerCase())}`;
    return `<a href="${address}" class="mention hashtag" rel="tag">#<span>${escapeHtml(value)}</span></a>`;
  }
  const mentioned = kind === "mention" ? resolve(value) : undefined;
  if (mentioned === undefined) return escapeHtml(written);
  const name = `@<span>${escapeHtml(mentioned.username)}</span>`;
  return `<span class="h-card" translate="no"><a href="${mentioned.url}" class="u-url mention">${name}</a></span>`;
}

const shownCharacters = 30;

function renderUrl(url: string): string {
  const prefix = /^https?:\/\/(?:www\.)?/i.exec(url)?.[0] ?? "";
  const shown = url.slice(prefix.length, prefix.length + shownCharacters);
  const rest = url.slice(prefix.length + shownCharacters);
  const spans = [
    `<span class="invisible">${escapeHtml(prefix)}</span>`,
    `<span class="${rest === "" ? "" : "ellipsis"}">${escapeHtml(shown)}</span>`,
    `<span class="invisible">${escapeHtml(rest)}</span>`,
  ];
  return `<a href="${escapeHtml(url)}" target="_blank" rel="nofollow noopener" translate="no">${spans.join("")}</a>`;
}

function renderShort(url: string): string {
  const shown = url.replace(/^https?:\/\//i, "");
  const words = shown.length > shownCharacters ? `${shown.slice(0, shownCharacters)}…` : shown;
  return `<a href="${escapeHtml(url)}" rel="nofollow noopener">${escapeHtml(words)}</a>`;
}

/** HTML's names for some characters. https://www.w3.org/TR/html401/sgml/entities.html (1999-12) */
const names: Readonly<Record<string, string>> = { é: "eacute", É: "Eacute", "…": "hellip", "—": "mdash", "“": "ldquo" };

export function withNames(html: string): string {
  return html.replace(/[éÉ…—“]/g, (character) => `&${names[character]};`);
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
