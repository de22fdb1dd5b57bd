import { hmacByWebCrypto } from "./hmac-web.ts";
import { createSignature } from "./signature.ts";

export type { SignOptions, VerifyOptions, WebhookEvent } from "./signature.ts";

/** By Web Crypto: for edge platforms, Deno, Bun and browsers. On Node the subpath is `node.ts`, which does the same faster. */
export const { sign, verify } = createSignature(hmacByWebCrypto, () => Date.now() / 1000);
