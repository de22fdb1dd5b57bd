import type { Part } from "../contract/plan.ts";

/**
 * LinkedIn parses the text of a post as markup, "little text". It silently cuts off everything after an unescaped
 * character of these, and returns a success. Comments are plain text.
 * https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/little-text-format (2026-05)
 */
const reserved = /[\\|{}@[\]()<>#*_~]/g;

/** `@[Exact Name](urn:li:organization:123)`: the name must match the organisation's exactly. Same source. */
const mention = /@\[([^[\]\n]+)\]\((urn:li:(?:organization|person):[\w-]+)\)/g;

/** A `#` at the start of a word, but not within a URL. A number alone is not a hashtag (unconfirmed). */
const hashtag = /(?<![\p{L}\p{N}_&/=?#.:%+-])#(?=[\p{N}_]*\p{L})/gu;

/** Converts a text to markup. Escapes everything except hashtags and mentions. */
export function toLittleText(text: string): string {
  let markup = "";
  let position = 0;
  for (const { 0: whole, 1: name = "", 2: urn = "", index } of text.matchAll(mention)) {
    markup += `${escapedText(text.slice(position, index))}@[${escapedAll(name)}](${urn})`;
    position = index + whole.length;
  }
  return markup + escapedText(text.slice(position));
}

function escapedText(text: string): string {
  const hashtags = new Set([...text.matchAll(hashtag)].map(({ index }) => index));
  return text.replace(reserved, (character, offset: number) => (hashtags.has(offset) ? character : `\\${character}`));
}

function escapedAll(text: string): string {
  return text.replace(reserved, "\\$&");
}

/** `{hashtag|\#|word}`, a mention, or an escaped character. Same source. */
const element = /\{hashtag\|\\?#\|((?:\\.|[^\\}])*)\}|@\[((?:\\.|[^\\\]])*)\]\([^()]*\)|\\([\s\S])/g;

/** Converts markup to the text that readers see. */
export function fromLittleText(markup: string): string {
  return markup.replace(element, (_, word?: string, name?: string, character?: string) => {
    if (character !== undefined) return character;
    return word === undefined ? fromLittleText(name ?? "") : `#${fromLittleText(word)}`;
  });
}

/** The text that the part shows. A mention shows only its name. */
export function textForms({ role, text }: Part): string[] {
  return [role === "comment" ? text : text.replace(mention, "$1")];
}
