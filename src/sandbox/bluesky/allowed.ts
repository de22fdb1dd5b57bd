import { Buffer } from "node:buffer";
import { createECDH } from "node:crypto";
import type { JsonObject } from "../../wire/json.ts";
import type { SandboxPorts } from "../network.ts";
import { randomBytes, type SandboxAccount } from "./accounts.ts";
import { type Authorization, issuerOf } from "./authorization.ts";
import { thumbprintOf } from "./tokens.ts";

/** An app that may act for an account. */
export interface AllowedClient {
  /** The URL of its metadata. */
  client_id: string;
  /** The id of the key that it authenticates with; null: it has none. */
  key_id: string | null;
  /** The scopes that the user allowed. */
  scopes: readonly string[];
}

/** The result that a browser sign-in would return. */
export function allowed(
  authorization: Authorization,
  account: SandboxAccount,
  { client_id, key_id, scopes }: AllowedClient,
  ports: SandboxPorts,
): JsonObject {
  const key = newKey(ports);
  const grant = { account, clientId: client_id, keyId: key_id, thumbprint: thumbprintOf(key), scopes };
  const { access_token, refresh_token, expires_in } = authorization.grant(grant).json as Record<
    string,
    string | number
  >;
  const { did, server } = account;
  const login_secrets: JsonObject = {
    did,
    issuer: issuerOf(server),
    client_id,
    key_id,
    scopes: [...scopes],
    key: { ...key },
    access_token: String(access_token),
    refresh_token: String(refresh_token),
    expires_at: ports.clock.now() + Number(expires_in) * 1000,
  };
  return { identifier: account.did, login_secrets };
}

/**
 * From the sandbox's own random numbers, so that a run can be repeated. The chance that the number is invalid for the
 * curve is 2⁻³².
 */
function newKey(ports: SandboxPorts) {
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(randomBytes(ports, 32));
  const [point, secret] = [pair.getPublicKey(), pair.getPrivateKey()];
  const text = (bytes: Buffer): string => Buffer.from(bytes).toString("base64url");
  const [x, y] = [text(point.subarray(1, 33)), text(point.subarray(33))];
  // Restores the leading zeros, which the number lacks.
  const d = text(Buffer.concat([Buffer.alloc(32 - secret.length), secret]));
  return { kty: "EC", crv: "P-256", x, y, d } as const;
}
