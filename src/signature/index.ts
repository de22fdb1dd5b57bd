import type { WebhookEvent } from "./event.ts";
import { hmacByWebCrypto } from "./hmac-web.ts";
import { createSignature, type Signature } from "./signature.ts";

export type { WebhookEvent } from "./event.ts";
export type { SignOptions, VerifyOptions } from "./signature.ts";

/**
 * With Web Crypto: for edge platforms, Deno, Bun and browsers. On Node the subpath is `node.ts`, which does the same
 * faster.
 */
const signature = createSignature(hmacByWebCrypto, () => Date.now() / 1000);

/**
 * Signs a body. Returns the value of `Service-Signature`.
 *
 * @throws TypeError for a body that is neither a string nor bytes, for a timestamp that is not a whole number, and
 * for a missing or empty secret
 */
export const sign: Signature["sign"] = signature.sign;

/**
 * Returns the event in a body that was signed with one of the secrets within the tolerance (300 seconds); null for
 * everything else. Pass the raw body: bytes or a string, before any JSON parser.
 *
 * @throws TypeError for a mistake of the caller: a parsed or missing body, no secret, an empty one, a tolerance or a
 * time that is not a number
 */
export const verify: Signature<WebhookEvent>["verify"] = signature.verify;
