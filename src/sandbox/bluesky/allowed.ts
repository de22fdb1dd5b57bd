import { Buffer } from "node:buffer";
import { createECDH } from "node:crypto";
import type { JsonObject } from "../../wire/json.ts";
import type { SandboxPorts } from "../network.ts";
import { randomBytes, type SandboxAccount } from "./accounts.ts";
import { type Authorization, issuerOf } from "./authorization.ts";
import { thumbprintOf } from "./tokens.ts";

/** An app that somebody has allowed to act for an account. */
export interface AllowedClient {
  /** The address of its description. */
  client_id: string;
  /** Which of its keys it shows; null: it has none. */
  key_id: string | null;
  scopes: readonly string[];
}

/** What a browser login would bring. */
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

/** Of the sandbox's own randomness, so that a run can be repeated. The chance that the number is none of the curve's is 2⁻³². */
function newKey(ports: SandboxPorts) {
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(randomBytes(ports, 32));
  const [point, secret] = [pair.getPublicKey(), pair.getPrivateKey()];
  const text = (bytes: Buffer): string => Buffer.from(bytes).toString("base64url");
  const [x, y] = [text(point.subarray(1, 33)), text(point.subarray(33))];
  // A number with zeros in front comes without them.
  const d = text(Buffer.concat([Buffer.alloc(32 - secret.length), secret]));
  return { kty: "EC", crv: "P-256", x, y, d } as const;
}
