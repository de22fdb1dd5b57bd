/**
 * The end of a `Retry-After`, milliseconds since 1970: it contains seconds or a date. Null: it is missing, or
 * neither.
 * https://www.rfc-editor.org/rfc/rfc9110#field.retry-after (2026-11)
 */
export function retryAfterEnd(header: string | null, now: number): number | null {
  const value = header ?? "";
  const end = /^\d+$/.test(value) ? now + Number(value) * 1_000 : Date.parse(value);
  return Number.isNaN(end) ? null : end;
}
