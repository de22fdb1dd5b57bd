import type { SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { randomBytes } from "./accounts.ts";
import { hashOf, type PublicKey, publicKeySchema, readToken, thumbprintOf } from "./tokens.ts";

/** The error of an invalid proof, with OAuth's code. https://www.rfc-editor.org/rfc/rfc9449#section-12.2 (2026-11) */
export class BadProof extends Error {
  override readonly name = "BadProof";
  readonly code: "invalid_dpop_proof" | "use_dpop_nonce";

  constructor(code: BadProof["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/** Checks that a sender has the key to which its token is bound. */
export interface Proofs {
  /** Returns the key's thumbprint. @throws BadProof */
  check(request: SandboxRequest, token: string | null): string;
  /** The nonce that the next proof must contain. */
  nonce(): string;
  /** Invalidates all issued nonces. */
  rotate(): void;
}

/**
 * Milliseconds: the maximum age of a proof, how far it may be ahead, and how long a nonce is the newest. As in the
 * reference server: https://github.com/bluesky-social/atproto/tree/main/packages/oauth/oauth-provider/src/dpop
 * (2026-11)
 */
const [maxAgeMs, maxAheadMs, nonceMs] = [190_000, 180_000, 60_000];

export function createProofs(ports: SandboxPorts): Proofs {
  /** Created with the first nonce, so that a network without OAuth sign-ins uses no random numbers for it. */
  let secret: string | null = null;
  const seen = new Set<string>();
  let rotations = 0;

  /** @param step 0: the newest */
  function nonceOf(step: number): string {
    secret ??= hashOf(String.fromCharCode(...randomBytes(ports, 16)));
    return hashOf(`${secret}/${rotations}/${Math.floor(ports.clock.now() / nonceMs) + step}`);
  }

  return {
    check(request, token) {
      const { header, payload, key } = readProof(request.headers.get("dpop"));
      if (header.typ !== "dpop+jwt" || header.alg !== "ES256") throw invalid("its header is not a proof's");
      const ageMs = ports.clock.now() - Number(payload.iat) * 1000;
      if (!(ageMs <= maxAgeMs && ageMs >= -maxAheadMs)) throw invalid('"iat" claim timestamp check failed');
      if (typeof payload.jti !== "string" || payload.jti === "") throw invalid('"jti" missing');
      if (payload.htm !== request.method) throw invalid('"htm" mismatch');
      if (payload.htu !== `${request.url.origin}${request.url.pathname}`) throw invalid('"htu" mismatch');
      const isFresh = [-1, 0, 1].some((step) => payload.nonce === nonceOf(step));
      if (!isFresh) throw new BadProof("use_dpop_nonce", "Authorization server requires nonce in DPoP proof");
      if (payload.ath !== (token === null ? undefined : hashOf(token))) throw invalid('"ath" mismatch');
      if (seen.has(payload.jti)) throw invalid("DPoP proof replayed");
      seen.add(payload.jti);
      return thumbprintOf(key);
    },
    nonce: () => nonceOf(1),
    rotate() {
      rotations += 1;
    },
  };
}

function readProof(text: string | null) {
  const proof = text === null ? null : readToken(text);
  if (proof === null) throw invalid("DPoP proof required");
  const key = publicKeySchema.safeParse(proof.header.jwk);
  if (!key.success || !proof.isSignedBy(key.data)) throw invalid("Failed to verify DPoP proof");
  const { header, payload } = proof;
  return { header, payload, key: key.data satisfies PublicKey };
}

function invalid(message: string): BadProof {
  return new BadProof("invalid_dpop_proof", message);
}
