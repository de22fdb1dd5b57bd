import { hmacByWebCrypto } from "./hmac-web.ts";
import { createSignature, type Signature } from "./signature.ts";

export type { SignOptions, VerifyOptions, WebhookEvent } from "./signature.ts";

/** By Web Crypto: for edge platforms, Deno, Bun and browsers. On Node the subpath is `node.ts`, which does the same faster. */
const signature = createSignature(hmacByWebCrypto, () => Date.now() / 1000);

/** Signs a body: gives the value of `Service-Signature`. @throws TypeError for no secret or an empty one */
export const sign: Signature["sign"] = signature.sign;

/**
 * The event in a body that was signed with one of the secrets, not longer ago
 * than the tolerance (300 seconds); null for everything else.
 *
 * @throws TypeError for a mistake of the caller's own: no secret, an empty one, a tolerance or a time that is no number
 */
export const verify: Signature["verify"] = signature.verify;
