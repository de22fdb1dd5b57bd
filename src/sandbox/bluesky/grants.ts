import { Buffer } from "node:buffer";
import type { JsonObject } from "../../wire/json.ts";
import type { SandboxAnswer } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { randomBytes, type SandboxAccount } from "./accounts.ts";
import { oauthRefusal } from "./clients.ts";

/** What a person has granted to an app. */
export interface Grant {
  account: SandboxAccount;
  clientId: string;
  /** The id of the app's own key; null: it has none. */
  keyId: string | null;
  /** The thumbprint of the key that all tokens of the grant are bound to. */
  thumbprint: string;
  scopes: readonly string[];
}

/** Tokens and their grants. */
export interface Grants {
  /** Issues the first tokens of a grant. */
  begin(grant: Grant): SandboxAnswer;
  /** Exchanges a refresh token for new tokens; using one twice ends its grant. @throws Refusal `invalid_grant` */
  refresh(token: string, by: Pick<Grant, "clientId" | "keyId" | "thumbprint">): SandboxAnswer;
  /** The grant and the server of an access token; null: it does not exist or has expired. */
  find(accessToken: string): { grant: Grant; server: string } | null;
  /** Ends the grant of a token; does nothing for an unknown token. */
  revoke(token: string): void;
  /** Ends the grants for which this returns true. */
  end(isOver: (grant: Grant) => boolean): void;
  /** Expires all access tokens. */
  expireAll(): void;
  /** True: a refresh token of this account, a DID, was used twice. */
  wasReplayed(did: string): boolean;
}

/** Milliseconds. https://github.com/bluesky-social/atproto/blob/main/packages/oauth/oauth-provider/src/constants.ts (2026-11) */
const accessMs = 3_600_000;
const dayMs = 86_400_000;
const lives = {
  confidential: { idleMs: 90 * dayMs, wholeMs: 730 * dayMs },
  public: { idleMs: 14 * dayMs, wholeMs: 14 * dayMs },
} as const;

interface RefreshToken {
  grant: Grant;
  began_at: number;
  ends_at: number;
  isUsed: boolean;
}

export function createGrants(ports: SandboxPorts): Grants {
  const access = new Map<string, { grant: Grant; ends_at: number; server: string }>();
  const refreshTokens = new Map<string, RefreshToken>();
  const replayedOf = new Set<string>();

  function newSecret(kind: string): string {
    return `${kind}-${Buffer.from(randomBytes(ports, 32)).toString("base64url")}`;
  }

  function issue(grant: Grant, began_at: number): SandboxAnswer {
    const now = ports.clock.now();
    const { idleMs, wholeMs } = grant.keyId === null ? lives.public : lives.confidential;
    const tokens = { access_token: newSecret("tok"), refresh_token: newSecret("ref") };
    access.set(tokens.access_token, { grant, ends_at: now + accessMs, server: grant.account.server });
    const ends_at = Math.min(now + idleMs, began_at + wholeMs);
    refreshTokens.set(tokens.refresh_token, { grant, began_at, ends_at, isUsed: false });
    const json: JsonObject = {
      ...tokens,
      token_type: "DPoP",
      scope: grant.scopes.join(" "),
      expires_in: accessMs / 1000,
      sub: grant.account.did,
    };
    return { status: 200, headers: { "cache-control": "no-store" }, json };
  }

  function end(isOver: (grant: Grant) => boolean): void {
    for (const [token, { grant }] of access) if (isOver(grant)) access.delete(token);
    for (const [token, { grant }] of refreshTokens) if (isOver(grant)) refreshTokens.delete(token);
  }

  return {
    begin: (grant) => issue(grant, ports.clock.now()),
    refresh(token, by) {
      const known = refreshTokens.get(token);
      if (known === undefined) throw oauthRefusal("invalid_grant", "Invalid refresh token");
      const { grant, began_at, ends_at, isUsed } = known;
      const isOwn = grant.clientId === by.clientId && grant.keyId === by.keyId;
      if (isUsed || !isOwn || ports.clock.now() >= ends_at || grant.account.status !== "active") {
        if (isUsed) replayedOf.add(grant.account.did);
        end((each) => each === grant);
        throw oauthRefusal("invalid_grant", isUsed ? "Refresh token replayed" : "Session expired");
      }
      if (grant.thumbprint !== by.thumbprint) throw oauthRefusal("invalid_dpop_proof", "DPoP key mismatch");
      known.isUsed = true;
      return issue(grant, began_at);
    },
    find(accessToken) {
      const known = access.get(accessToken);
      return known !== undefined && ports.clock.now() < known.ends_at ? known : null;
    },
    revoke(token) {
      const grant = access.get(token)?.grant ?? refreshTokens.get(token)?.grant;
      if (grant !== undefined) end((each) => each === grant);
    },
    end,
    expireAll() {
      for (const token of access.values()) token.ends_at = 0;
    },
    wasReplayed: (did) => replayedOf.has(did),
  };
}
