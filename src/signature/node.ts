import type { WebhookEvent } from "./event.ts";
import { hmacByNode } from "./hmac-node.ts";
import { createSignature, type Signature } from "./signature.ts";

export type { WebhookEvent } from "./event.ts";
export type { SignOptions, VerifyOptions } from "./signature.ts";

const signature: Signature<WebhookEvent> = createSignature(hmacByNode, () => Date.now() / 1000);

/** As `index.ts`, with `node:crypto`, which is ten times as fast as Web Crypto on Node. */
export const { sign, verify } = signature;
