/** A time with its zone, as RFC 3339 writes it. Parts of it would be other bytes of what is signed. */
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** Milliseconds; NaN: it is no such time. */
export function parseSentTime(text: string): number {
  return rfc3339.test(text) ? Date.parse(text) : Number.NaN;
}

/** False for a time that is too old, and for NaN. `at`: when it arrived, milliseconds. */
export function isRecent(sentAt: number, { at, maxAgeSeconds }: { at: number; maxAgeSeconds: number }): boolean {
  return at - sentAt <= maxAgeSeconds * 1_000;
}
