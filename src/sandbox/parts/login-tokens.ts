import { createHash } from "node:crypto";
import type { Clock } from "../../ports/clock.ts";
import type { SandboxAnswer } from "../exchange.ts";

export interface TokenRules {
  /** How long a code is valid, seconds: 30 at X, an hour at Instagram. */
  codeSeconds: number;
  /** How long an access token is valid, seconds. */
  accessSeconds: number;
  /**
   * `single_use`: each refresh returns a new refresh token and ends the old one · `kept`: it stays the same · `none`:
   * there is none
   */
  refresh: "single_use" | "kept" | "none";
}

/** What a person has granted to an app. */
export interface Grant {
  account: string;
  client_id: string;
  scopes: readonly string[];
}

export interface LoginTokens {
  newCode(given: { grant: Grant; redirectUri: string; challenge: string | null }): string;
  exchange(clientId: string, given: { code: string; redirectUri: string; verifier: string | null }): SandboxAnswer;
  refresh(clientId: string, refreshToken: string): SandboxAnswer;
  /** Issues tokens without the pages. */
  issue(grant: Grant): IssuedTokens;
  /** Revokes one token, an access or a refresh token, for the app. https://www.rfc-editor.org/rfc/rfc7009 (2026-11) */
  end(token: string): void;
  /** Expires all access tokens. */
  expireAccess(): void;
  /** True: a single-use refresh token of the account was used a second time. */
  wasReused(account: string): boolean;
  /** The grant of a valid access token; null: there is none. */
  grantOf(accessToken: string): Grant | null;
  /** Revokes everything that the account has granted to apps. */
  revoke(account: string): void;
}

/** The tokens of an account. */
export interface IssuedTokens {
  /** The access token. */
  access_token: string;
  /** Null: there is none. */
  refresh_token: string | null;
}

interface Code {
  grant: Grant;
  redirectUri: string;
  challenge: string | null;
  ends_at: number;
  isUsed: boolean;
}

export function createLoginTokens(
  rules: TokenRules,
  { clock, random }: { clock: Pick<Clock, "now">; random: () => number },
): LoginTokens {
  const codes = new Map<string, Code>();
  const access = new Map<string, { grant: Grant; ends_at: number }>();
  const refreshTokens = new Map<string, Grant>();
  const usedTokens = new Map<string, Grant>();
  const reusedOf = new Set<string>();

  function newSecret(kind: string): string {
    return `${kind}-${Array.from({ length: 4 }, () => random().toString(36).slice(2, 10)).join("")}`;
  }

  function issue(grant: Grant, keptRefreshToken?: string): IssuedTokens {
    const access_token = newSecret("access");
    access.set(access_token, { grant, ends_at: clock.now() + rules.accessSeconds * 1000 });
    const refresh_token = rules.refresh === "none" ? null : (keptRefreshToken ?? newSecret("refresh"));
    if (refresh_token !== null) refreshTokens.set(refresh_token, grant);
    return { access_token, refresh_token };
  }

  function newTokens(grant: Grant, keptRefreshToken?: string): SandboxAnswer {
    const { access_token, refresh_token } = issue(grant, keptRefreshToken);
    return {
      status: 200,
      headers: { "cache-control": "no-store" },
      json: {
        access_token,
        token_type: "bearer",
        expires_in: rules.accessSeconds,
        scope: grant.scopes.join(" "),
        ...(refresh_token === null ? {} : { refresh_token }),
      },
    };
  }

  function endGrants(isOver: (grant: Grant) => boolean): void {
    for (const [token, { grant }] of access) if (isOver(grant)) access.delete(token);
    for (const [token, grant] of refreshTokens) if (isOver(grant)) refreshTokens.delete(token);
    for (const [value, { grant }] of codes) if (isOver(grant)) codes.delete(value);
  }

  return {
    newCode({ grant, redirectUri, challenge }) {
      const value = newSecret("code");
      codes.set(value, {
        grant,
        redirectUri,
        challenge,
        ends_at: clock.now() + rules.codeSeconds * 1000,
        isUsed: false,
      });
      return value;
    },
    exchange(clientId, { code: value, redirectUri, verifier }) {
      const code = codes.get(value);
      if (code === undefined || code.grant.client_id !== clientId) return oauthError("invalid_grant");
      // A code that is used twice was stolen: the tokens issued for it are revoked.
      // https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2 (2026-11)
      if (code.isUsed) endGrants((grant) => grant === code.grant);
      const isRight = !code.isUsed && clock.now() < code.ends_at && code.redirectUri === redirectUri;
      code.isUsed = true;
      if (!isRight || !verifies(code.challenge, verifier)) return oauthError("invalid_grant");
      return newTokens(code.grant);
    },
    refresh(clientId, refreshToken) {
      const grant = refreshTokens.get(refreshToken);
      const used = usedTokens.get(refreshToken);
      if (used !== undefined) reusedOf.add(used.account);
      if (grant === undefined || grant.client_id !== clientId) return oauthError("invalid_grant");
      if (rules.refresh === "kept") return newTokens(grant, refreshToken);
      refreshTokens.delete(refreshToken);
      usedTokens.set(refreshToken, grant);
      return newTokens(grant);
    },
    issue: (grant) => issue(grant),
    end(token) {
      access.delete(token);
      refreshTokens.delete(token);
    },
    expireAccess: () => access.clear(),
    wasReused: (account) => reusedOf.has(account),
    grantOf(accessToken) {
      const token = access.get(accessToken);
      return token !== undefined && clock.now() < token.ends_at ? token.grant : null;
    },
    revoke(account) {
      endGrants((grant) => grant.account === account);
    },
  };
}

/** https://www.rfc-editor.org/rfc/rfc6749#section-5.2 (2026-11) */
export function oauthError(error: string, status = 400): SandboxAnswer {
  return { status, headers: { "cache-control": "no-store" }, json: { error } };
}

/**
 * @param verifier null: the network does not support PKCE. https://www.rfc-editor.org/rfc/rfc7636#section-4.6 (2026-11)
 */
function verifies(challenge: string | null, verifier: string | null): boolean {
  if (verifier === null) return true;
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false;
  return createHash("sha256").update(verifier).digest("base64url") === challenge;
}
