import { findUrls, type UrlSpan } from "./urls.ts";

/** A link, mention or hashtag in a text, in UTF-16 offsets. */
export interface LinkSpan {
  /**
   * - `url`: with `http://` or `https://`, any host
   * - `domain`: without a scheme, under a known top-level domain, with its path
   * - `mention`: `@user`, `@user@host`, `@handle.example.com`
   * - `hashtag`: `#word` or `＃word`, not only digits
   */
  kind: "url" | "domain" | "mention" | "hashtag";
  start: number;
  /** Exclusive. */
  end: number;
  /** As written; a mention without its first `@`, a hashtag without its `#`. */
  value: string;
}

const url = /(?<![a-z0-9])https?:\/\/[^\s<>"“”「」『』【】。、！？…]+/gi;
const trailingPunctuation = /[.,;:!?'*_~]/;
const openingBracket: Record<string, string> = { ")": "(", "]": "[", "}": "{" };

// https://github.com/mastodon/mastodon/blob/main/app/models/account.rb (MENTION_RE), read 2026-11
const mention =
  /(?<![=/\p{L}\p{M}\p{N}\p{Pc}])@[a-z0-9_]+(?:[.-]+[a-z0-9_]+)*(?:@[\p{L}\p{M}\p{N}\p{Pc}]+(?:[.-]+[\p{L}\p{M}\p{N}\p{Pc}]+)*)?/giu;
const notAfterMention = /^(?:[@＠]|:\/\/)/;

const hashtag =
  /(?<![&/\p{L}\p{M}\p{N}\p{Pc}])[#＃](?![\ufe0f\u20e3])[\p{L}\p{M}\p{N}\p{Pc}\u200c-\u200d\u00b7\u30fb]+/gu;
const notOnlyDigits = /\p{L}/u;

/** Results of earlier searches in the same text. */
interface Found {
  /** As Mastodon delimits them. */
  urls: readonly UrlSpan[];
  mentions: readonly LinkSpan[];
}

/**
 * The links, mentions and hashtags of a text, in order, without overlaps (the earlier one wins). Trailing punctuation
 * and brackets that were not opened inside do not belong to a URL. In linear time.
 *
 * @param known results of earlier searches. Absent: searches for them
 */
export function findLinks(text: string, known?: Found): LinkSpan[] {
  const domains = domainsOf(text, known?.urls ?? findUrls(text, "mastodon"));
  const found = [...urls(text), ...domains, ...(known?.mentions ?? mentions(text)), ...hashtags(text)];
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  let end = 0;
  return found.filter((link) => {
    if (link.start < end) return false;
    end = link.end;
    return true;
  });
}

function urls(text: string): LinkSpan[] {
  return Array.from(text.matchAll(url), (match) => span("url", match.index, trimUrl(match[0]))).filter(
    (link) => !link.value.endsWith("//"),
  );
}

function domainsOf(text: string, found: readonly UrlSpan[]): LinkSpan[] {
  return found.filter(({ scheme }) => !scheme).map(({ start, end }) => span("domain", start, text.slice(start, end)));
}

/** Fediverse mentions with their host, as Mastodon finds them, and those of other networks. */
export function mentions(text: string): LinkSpan[] {
  return Array.from(text.matchAll(mention))
    .filter(
      (match) => !notAfterMention.test(text.slice(match.index + match[0].length, match.index + match[0].length + 3)),
    )
    .map((match) => ({ ...span("mention", match.index, match[0]), value: match[0].slice(1) }));
}

function hashtags(text: string): LinkSpan[] {
  return Array.from(text.matchAll(hashtag))
    .filter((match) => notOnlyDigits.test(match[0]) && !text.startsWith("://", match.index + match[0].length))
    .map((match) => ({ ...span("hashtag", match.index, match[0]), value: match[0].slice(1) }));
}

function span(kind: LinkSpan["kind"], start: number, value: string): LinkSpan {
  return { kind, start, end: start + value.length, value };
}

/** Removes trailing punctuation and closing brackets without an opening one. */
function trimUrl(value: string): string {
  const surplus = new Map<string, number>();
  let end = value.length;
  for (; end > 0; end--) {
    const last = value.charAt(end - 1);
    const opening = openingBracket[last];
    if (opening !== undefined) {
      const closers = surplus.get(last) ?? count(value, last) - count(value, opening);
      if (closers <= 0) break;
      surplus.set(last, closers - 1);
    } else if (!trailingPunctuation.test(last)) break;
  }
  return value.slice(0, end);
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}
