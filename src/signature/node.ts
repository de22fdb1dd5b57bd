import type { WebhookEvent } from "./event.ts";
import { hmacByNode } from "./hmac-node.ts";
import { createSignature, type Signature } from "./signature.ts";

export type { WebhookEvent } from "./event.ts";
export type { SignOptions, VerifyOptions } from "./signature.ts";

const signature: Signature<WebhookEvent> = createSignature(hmacByNode, () => Date.now() / 1000);

/** As `index.ts`, by `node:crypto`: ten times as fast as Web Crypto there. */
export const { sign, verify } = signature;
