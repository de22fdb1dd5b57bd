import { readHeader, writeHeader } from "./header.ts";

/** HMAC-SHA256, as lowercase hex, over `start` followed by `body`. */
export type Hmac = (secret: string, start: string, body: string | Uint8Array) => string | Promise<string>;

/** The options of `sign`. */
export interface SignOptions {
  /** The endpoint's signing secret. Several during a rotation: one signature each. */
  secret: string | readonly string[];
  /** Unix seconds. */
  timestamp: number;
}

/** The options of `verify`. */
export interface VerifyOptions {
  /** The endpoint's signing secret. Several during a rotation: any may match. None may be empty. */
  secret: string | readonly string[];
  /** Maximum distance of the timestamp into the past or the future, seconds: 0 or more, and finite. @default 300 */
  toleranceSeconds?: number | undefined;
  /** Unix seconds. @default the machine's clock */
  now?: number | undefined;
}

/** @typeParam Delivered the default type that `verify` returns */
export interface Signature<Delivered = unknown> {
  /**
   * Returns the value of the header `Service-Signature`.
   *
   * @throws TypeError for a body that is neither a string nor bytes, for a timestamp that is not a whole number, and
   * for a missing or empty secret
   */
  sign(body: string | Uint8Array, options: SignOptions): Promise<string>;
  /**
   * Returns the event in a body that was signed with one of the secrets within the tolerance; null for everything
   * else. Never throws for the content of a request.
   *
   * @param body the raw body: bytes or a string, before any JSON parser
   * @param header the value of `Service-Signature`; several are joined with commas
   * @throws TypeError for a mistake of the caller: a parsed or missing body, no secret, an empty one, a tolerance or
   * a time that is not a number. An unset environment variable is an empty secret, with which anyone could sign
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

/** A parsed body cannot be verified: serialized again, it has other bytes. @throws TypeError */
function assertRaw(body: unknown): void {
  if (typeof body === "string" || ArrayBuffer.isView(body)) return;
  throw new TypeError("body: pass the raw body, a string or a Uint8Array, as it was before a JSON parser read it");
}

/** @throws TypeError for a missing or empty secret */
function listOf(secret: string | readonly string[]): readonly string[] {
  const secrets = [secret].flat();
  if (secrets.length > 0 && secrets.every((each) => each)) return secrets;
  throw new TypeError("secret: it is missing or empty");
}

/** Compares in constant time; both have 64 characters of hex. */
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
