import { createHash } from "node:crypto";
import type { ResponseHead } from "../contract/adapter.ts";
import type { NetworkRequest } from "../contract/request.ts";
import { publicKeyOf, type SigningKey, signedToken, thumbprintOf } from "./signing-key.ts";

/** Creates the proofs that an OAuth client sends with each request, and remembers what servers require in them. */
export interface Prover {
  /** Proves that the sender has the key that its token is bound to. https://www.rfc-editor.org/rfc/rfc9449#section-4.2 (2026-11) */
  proof(request: Pick<NetworkRequest, "method" | "url">, given: Proven): string;
  /** Authenticates the client at an authorization server. https://www.rfc-editor.org/rfc/rfc7523#section-3 (2026-11) */
  assertion(given: { clientId: string; audience: string; key: SigningKey; at: number }): string;
  /** Stores the nonce that a server requires in the next proof. */
  noteNonce(answer: Pick<ResponseHead, "url" | "headers">): void;
  /** Stores the server's nonce and clock. */
  onResponse(answer: ResponseHead): void;
  /** The time by a server's clock, milliseconds since 1970. Without a response from it, returns `at`. */
  timeAt(url: string, at: number): number;
}

/** The input of a proof. */
export interface Proven {
  key: SigningKey;
  /** The access token of the request. Absent: there is none yet. */
  token?: string;
  /** Milliseconds since 1970, by the server's clock. */
  at: number;
}

/** https://www.rfc-editor.org/rfc/rfc9449#section-8.1 (2026-11) */
const noncePattern = /^[\x21\x23-\x5b\x5d-\x7e]{1,500}$/;
/** More servers than one process calls in the minutes that a nonce is valid. */
const maxServers = 1_000;
/**
 * How long an assertion is valid, seconds. Servers reject assertions that are older than a minute.
 * https://github.com/bluesky-social/atproto/blob/main/packages/oauth/oauth-provider/src/constants.ts (2026-11)
 */
const assertionSeconds = 60;

/** Keeps its data only in memory. After a restart, servers send it again. */
export function createProver(): Prover {
  const nonces = createMemory<string>();
  const aheadMs = createMemory<number>();
  let made = 0;

  /** Returns a unique id. Other processes cannot create the same one, because it includes the private key. */
  function uniqueId(key: SigningKey, payload: object): string {
    made += 1;
    return createHash("sha256")
      .update(JSON.stringify([key.d, payload, made]))
      .digest("base64url");
  }

  const prover: Prover = {
    proof({ method, url }, { key, token, at }) {
      const { origin, pathname } = new URL(url);
      const nonce = nonces.get(origin);
      const payload = {
        htm: method,
        htu: `${origin}${pathname}`,
        iat: Math.floor(at / 1000),
        ...(nonce === undefined ? {} : { nonce }),
        ...(token === undefined ? {} : { ath: createHash("sha256").update(token).digest("base64url") }),
      };
      const header = { typ: "dpop+jwt", jwk: { ...publicKeyOf(key) } };
      return signedToken(header, { ...payload, jti: uniqueId(key, payload) }, key);
    },
    assertion({ clientId, audience, key, at }) {
      const iat = Math.floor(at / 1000);
      const payload = { iss: clientId, sub: clientId, aud: audience, iat, exp: iat + assertionSeconds };
      return signedToken({ kid: thumbprintOf(key) }, { ...payload, jti: uniqueId(key, payload) }, key);
    },
    noteNonce({ url, headers }) {
      const nonce = headers.get("dpop-nonce") ?? "";
      if (noncePattern.test(nonce)) nonces.set(new URL(url).origin, nonce);
    },
    onResponse(answer) {
      prover.noteNonce(answer);
      const date = serverTime(answer.headers);
      if (date !== null) aheadMs.set(new URL(answer.url).origin, date - answer.at);
    },
    timeAt: (url, at) => at + (aheadMs.get(new URL(url).origin) ?? 0),
  };
  return prover;
}

/**
 * The response's time by the server's clock, which judges the age of a proof. Null: it does not say.
 * https://www.rfc-editor.org/rfc/rfc9110#section-6.6.1 (2026-11)
 */
export function serverTime(headers: Headers): number | null {
  const at = Date.parse(headers.get("date") ?? "");
  return Number.isFinite(at) ? at : null;
}

/** Removes the server whose last response is oldest. */
function createMemory<Value>(): { get(origin: string): Value | undefined; set(origin: string, value: Value): void } {
  const values = new Map<string, Value>();
  return {
    get: (origin) => values.get(origin),
    set(origin, value) {
      values.delete(origin);
      values.set(origin, value);
      const [oldest] = values.keys();
      if (values.size > maxServers && oldest !== undefined) values.delete(oldest);
    },
  };
}
