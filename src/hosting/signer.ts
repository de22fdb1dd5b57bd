import { createHmac, timingSafeEqual } from "node:crypto";

/** Signs URLs of private files. */
export interface AddressSigner {
  /** The parameters of a signed URL: when it expires, and the signature. @param until seconds since 1970 */
  sign(key: string, until: number): URLSearchParams;
  /**
   * When the URL expires, seconds since 1970; null: its signature is invalid, or it has expired.
   * @param now seconds since 1970
   */
  endOf(key: string, search: URLSearchParams, now: number): number | null;
}

/** @param secrets the first signs, all verify */
export function createAddressSigner(secrets: readonly string[]): AddressSigner {
  // A separate key, so that these signatures reveal nothing about other uses of the secrets.
  const keys = secrets.map((secret) => createHmac("sha256", secret).update("postrider media addresses").digest());
  const [current] = keys;
  if (current === undefined) throw new Error("There is no key to sign URLs with.");
  return {
    sign: (key, until) =>
      new URLSearchParams({ expires: String(until), signature: proofOf(current, key, until).toString("base64url") }),
    endOf(key, search, now) {
      const expires = search.get("expires") ?? "";
      const signature = search.get("signature") ?? "";
      if (!/^\d{1,12}$/.test(expires) || !/^[\w-]{43}$/.test(signature)) return null;
      const until = Number(expires);
      const given = Buffer.from(signature, "base64url");
      const isSigned = keys.some((each) => timingSafeEqual(proofOf(each, key, until), given));
      return isSigned && until > now ? until : null;
    },
  };
}

function proofOf(secret: Uint8Array, key: string, until: number): Buffer {
  return createHmac("sha256", secret).update(`${key}\n${until}`).digest();
}
