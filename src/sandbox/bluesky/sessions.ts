import { Buffer } from "node:buffer";
import type { JsonObject } from "../../wire/json.ts";
import { ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import type { Refusal } from "../parts/refusal.ts";
import { type Accounts, randomBytes, type SandboxAccount } from "./accounts.ts";
import { refusal } from "./refusal.ts";

/** https://github.com/bluesky-social/atproto/blob/main/packages/pds/src/account-manager/helpers/auth.ts (2026-08) */
const accessMs = 7_200_000;
const refreshMs = 90 * 24 * 3_600_000;
/** How long a rotated refresh token still returns its successor. */
const graceMs = 7_200_000;

interface Token {
  kind: "access" | "refresh";
  did: string;
  expires_at: number;
  revoked: boolean;
  /** The next refresh token, once this one was used. */
  successor: string | null;
}

export interface Sessions {
  create(account: SandboxAccount): SandboxAnswer;
  refresh(request: SandboxRequest): SandboxAnswer;
  remove(request: SandboxRequest): SandboxAnswer;
  /** The account of the request's access token. @throws Refusal */
  authenticate(request: SandboxRequest): SandboxAccount;
  /** A short-lived token for one method of another service, as a JWT. */
  sign(claims: JsonObject): string;
  expireAll(): void;
  revoke(did: string): void;
}

export function createSessions(ports: SandboxPorts, accounts: Accounts): Sessions {
  const tokens = new Map<string, Token>();

  function issue(kind: Token["kind"], account: SandboxAccount): string {
    const seconds = Math.floor(ports.clock.now() / 1000);
    const expires_at = (seconds + (kind === "access" ? accessMs : refreshMs) / 1000) * 1000;
    const scope = kind === "access" ? account.scope : "com.atproto.refresh";
    const token = sign({ scope, sub: account.did, iat: seconds, exp: expires_at / 1000 });
    tokens.set(token, { kind, did: account.did, expires_at, revoked: false, successor: null });
    return token;
  }

  function sign(claims: JsonObject): string {
    const encode = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString("base64url");
    const signature = Buffer.from(randomBytes(ports, 24)).toString("base64url");
    return `${encode({ typ: "JWT", alg: "ES256K" })}.${encode(claims)}.${signature}`;
  }

  function read(request: SandboxRequest, kind: Token["kind"]): { text: string; token: Token; account: SandboxAccount } {
    const header = request.headers.get("authorization");
    if (header === null) throw refusal(401, "AuthMissing", "Authentication Required");
    const text = header.replace(/^Bearer /, "");
    const token = tokens.get(text);
    if (token === undefined || text === header || token.kind !== kind)
      throw refusal(400, "InvalidToken", "Token could not be verified");
    if (token.expires_at <= ports.clock.now()) throw refusal(400, "ExpiredToken", "Token has expired");
    if (token.revoked) throw refusal(400, "ExpiredToken", "Token has been revoked");
    const account = accounts.byHandle(token.did);
    assertHere(account, request);
    return { text, token, account };
  }

  function session(account: SandboxAccount, refreshJwt: string): SandboxAnswer {
    return ok({
      accessJwt: issue("access", account),
      refreshJwt,
      handle: account.claimed,
      did: account.did,
      emailConfirmed: true,
      active: true,
    });
  }

  return {
    create(account) {
      assertOpen(account);
      return session(account, issue("refresh", account));
    },
    refresh(request) {
      const { token, account } = read(request, "refresh");
      if (token.successor === null) {
        token.successor = issue("refresh", account);
        token.expires_at = Math.min(token.expires_at, ports.clock.now() + graceMs);
      }
      return session(account, token.successor);
    },
    remove(request) {
      read(request, "refresh").token.revoked = true;
      return { status: 200 };
    },
    authenticate(request) {
      const { account } = read(request, "access");
      // https://github.com/bluesky-social/atproto/issues/2509 (2026-08)
      if (isForChat(request) && account.scope === "com.atproto.appPass")
        throw refusal(400, "InvalidToken", "Bad token method");
      return account;
    },
    sign,
    expireAll() {
      for (const token of tokens.values()) if (token.kind === "access") token.expires_at = 0;
    },
    revoke(did) {
      for (const token of tokens.values()) if (token.kind === "refresh" && token.did === did) token.revoked = true;
    },
  };
}

/** True: the request is for the service for messages, which not every session may use. */
export function isForChat({ url }: Pick<SandboxRequest, "url">): boolean {
  return url.pathname.startsWith("/xrpc/chat.bsky.");
}

/** @throws Refusal if the account is closed, or not on the requested server */
export function assertHere(account: SandboxAccount, { url }: Pick<SandboxRequest, "url">): void {
  assertOpen(account);
  // A server keeps an account that has moved away, deactivated.
  if (url.hostname !== account.server) throw deactivated();
}

function assertOpen(account: SandboxAccount): void {
  if (account.status === "takendown") throw refusal(401, "AccountTakedown", "Account has been taken down");
  if (account.status === "deactivated") throw deactivated();
}

function deactivated(): Refusal {
  return refusal(401, "AccountDeactivated", "Account is deactivated");
}
