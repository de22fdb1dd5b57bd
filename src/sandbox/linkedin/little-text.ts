/**
 * LinkedIn's "little text" format: a reserved character that is neither escaped nor part of an element cuts off the
 * text, without an error.
 * https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/little-text-format (2026-05)
 */
const piece =
  /\\([|{}@[\]()<>#\\*_~])|\{hashtag\|\\#\|([^|{}]+)\}|@\[((?:\\.|[^\\[\]])+)\]\((urn:li:(?:organization|person):[\w-]+)\)|(#[\p{L}\p{N}]+)|([^|{}@[\]()<>#\\*_~]+)/uy;

/** The text that readers see. */
export function shownOf(markup: string): string {
  let shown = "";
  piece.lastIndex = 0;
  for (let found = piece.exec(markup); found !== null; found = piece.exec(markup)) {
    const [, character, template, name, , hashtag, plain] = found;
    shown +=
      character ?? (template === undefined ? undefined : `#${template}`) ?? unescaped(name) ?? hashtag ?? plain ?? "";
  }
  return shown;
}

function unescaped(name: string | undefined): string | undefined {
  return name?.replace(/\\(.)/g, "$1");
}

/** The text in lists: hashtags have their longer form (unconfirmed). */
export function listedOf(markup: string): string {
  return markup.replace(/(?<!\\)#([\p{L}\p{N}]+)/gu, "{hashtag|\\#|$1}");
}
