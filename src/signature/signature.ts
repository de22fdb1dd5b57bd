import { readHeader, writeHeader } from "./header.ts";

/** HMAC-SHA256, as lowercase hex, over `start` and then `body`. */
export type Hmac = (secret: string, start: string, body: string | Uint8Array) => string | Promise<string>;

/** What `sign` takes besides the body. */
export interface SignOptions {
  /** The endpoint's signing secret; several while one replaces another: one signature each. */
  secret: string | readonly string[];
  /** Unix seconds. */
  timestamp: number;
}

/** What `verify` takes besides body and header. */
export interface VerifyOptions {
  /** The endpoint's signing secret; several while one replaces another: any may fit. None may be empty. */
  secret: string | readonly string[];
  /** How far the timestamp may lie in the past or in the future, seconds: 0 or more, and finite. @default 300 */
  toleranceSeconds?: number | undefined;
  /** Unix seconds. @default the machine's clock */
  now?: number | undefined;
}

/** @typeParam Delivered what `verify` returns unless its caller says otherwise */
export interface Signature<Delivered = unknown> {
  /**
   * The value of the header `Service-Signature`.
   *
   * @throws TypeError for a body that is neither a string nor bytes, for a timestamp that is not a whole number, and for
   *   a secret that is missing or empty
   */
  sign(body: string | Uint8Array, options: SignOptions): Promise<string>;
  /**
   * The event in a body that was signed with one of the secrets, not longer ago
   * than the tolerance; null for everything else. Never throws on what a
   * stranger sent.
   *
   * @param body the raw body as it came: bytes or a string, before any JSON parser
   * @param header the value of `Service-Signature`; several are read as one, with commas between
   * @throws TypeError for a mistake of the caller's own: a body that was parsed or is missing, no secret, an empty one,
   *   a tolerance or a time that is no number. Anybody could sign for an empty secret, as an unset environment variable is
   */
  verify<Event = Delivered>(
    body: string | Uint8Array,
    header: string | readonly string[] | null | undefined,
    options: VerifyOptions,
  ): Promise<Event | null>;
}

const defaultToleranceSeconds = 300;

export function createSign(hmac: Hmac): Signature["sign"] {
  return async (body, { secret, timestamp }) => {
    assertRaw(body);
    if (!Number.isSafeInteger(timestamp)) throw new TypeError("timestamp: it must be whole Unix seconds");
    const signatures = await Promise.all(listOf(secret).map((each) => hmac(each, `${timestamp}.`, body)));
    return writeHeader({ timestamp, signatures });
  };
}

export function createSignature(hmac: Hmac, nowSeconds: () => number): Signature {
  return {
    sign: createSign(hmac),
    async verify<Event>(
      body: string | Uint8Array,
      header: string | readonly string[] | null | undefined,
      options: VerifyOptions,
    ) {
      assertRaw(body);
      const { toleranceSeconds = defaultToleranceSeconds, now = nowSeconds() } = options;
      const secrets = listOf(options.secret);
      if (![now, toleranceSeconds].every(Number.isFinite) || toleranceSeconds < 0) {
        throw new TypeError("now and toleranceSeconds: give finite numbers");
      }
      const given = readHeader(String(header ?? ""));
      if (given === null || Math.abs(now - given.timestamp) > toleranceSeconds) return null;
      let fits = false;
      for (const secret of secrets) {
        const expected = await hmac(secret, `${given.timestamp}.`, body);
        for (const signature of given.signatures) fits = isSame(expected, signature) || fits;
      }
      return fits ? parse<Event>(body) : null;
    },
  };
}

/** A parsed body cannot be verified: written again, it has other bytes. @throws TypeError */
function assertRaw(body: unknown): void {
  if (typeof body === "string" || ArrayBuffer.isView(body)) return;
  throw new TypeError("body: pass the raw body, a string or a Uint8Array, as it was before a JSON parser read it");
}

/** @throws TypeError when one is missing or empty */
function listOf(secret: string | readonly string[]): readonly string[] {
  const secrets = [secret].flat();
  if (secrets.length > 0 && secrets.every((each) => each)) return secrets;
  throw new TypeError("secret: it is missing or empty");
}

/** In constant time; both are 64 characters of hex. */
function isSame(one: string, other: string): boolean {
  let difference = 0;
  for (let index = 0; index < 64; index++) difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  return difference === 0;
}

const decoder = new TextDecoder("utf-8", { fatal: true });

function parse<Event>(body: string | Uint8Array): Event | null {
  try {
    const text = typeof body === "string" ? body : decoder.decode(body);
    const event: unknown = JSON.parse(text);
    return typeof event === "object" && event !== null ? (event as Event) : null;
  } catch {
    return null;
  }
}
