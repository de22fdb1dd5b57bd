/** In the place of a secret. */
export const concealed = "[secret]";

/** A path segment of at least this length counts as a credential, such as a webhook's token. */
export const minStepLength = 32;

const address = /\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s"'<>`\\^{|}]+/gi;

/** What begins a value under a name that tells of a secret, in a query, a form, JSON or a header; the value itself comes behind it. */
const nameOfSecret =
  String.raw`(?<![\w-])[\w-]*(?:token|secret|passw|signature|credential|authorization|api[_-]?key|jwt|proof|assertion|verifier)[\w-]*` +
  String.raw`|(?<![\w-])(?:sig|dpop|code(?==[^\s&]{16}))`;
const named = new RegExp(
  String.raw`((?:${nameOfSecret})\\?["']?\s*[:=]\s*\\?["']?(?:(?:bearer|basic|bot|dpop|oauth)\s+)?)[^\s"'&,;}\\]+`,
  "gi",
);
const cookie = /(\bcookie\\?["']?\s*[:=]\s*\\?["']?)[^"'\n]+/gi;
const scheme = /\b(bearer|basic|bot|dpop|oauth)\s+[\w.~+/=-]{16,}/gi;

/** No more is kept of any message or stack; the time that patterns take grows with the square of it. */
const maxLength = 4_000;

/**
 * A text of somebody else's, such as an error's message, without what looks like a credential: queries, users and long
 * steps of addresses, and values under names like `access_token`. What is known to be secret is for `redactionOf`.
 */
export function withoutSecrets(text: string): string {
  return text
    .slice(0, maxLength)
    .replace(address, shownAddress)
    .replace(cookie, `$1${concealed}`)
    .replace(named, `$1${concealed}`)
    .replace(scheme, `$1 ${concealed}`);
}

function shownAddress(found: string): string {
  if (/^file:/i.test(found)) return found;
  if (!URL.canParse(found)) return concealed;
  const { protocol, host, pathname, search } = new URL(found);
  return `${protocol}//${host}${shownPath(pathname)}${search === "" ? "" : `?${concealed}`}`;
}

/** A path without the segments that count as credentials. A file name with an extension does not count. */
export function shownPath(pathname: string): string {
  const steps = pathname.split("/");
  return steps
    .map((step, index) => {
      const isFile = index === steps.length - 1 && /\.[a-z\d]{2,5}$/i.test(step);
      return step.length < minStepLength || isFile ? step : concealed;
    })
    .join("/");
}
