import { createHmac, timingSafeEqual } from "node:crypto";

/** Signs addresses of files that are not for everybody. */
export interface AddressSigner {
  /** What an address holds besides the key: until when it is good, and the proof. @param until seconds since 1970 */
  sign(key: string, until: number): URLSearchParams;
  /** When the address ends, seconds since 1970; null: it was not signed here, or is over. @param now seconds since 1970 */
  endOf(key: string, search: URLSearchParams, now: number): number | null;
}

/** @param secrets the first signs, all are good */
export function createAddressSigner(secrets: readonly string[]): AddressSigner {
  // A key of its own: what is known of these signatures says nothing about what else the secrets are for.
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
