import { bearerOf, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { graphRefusal, uploadHost } from "./graph.ts";
import { randomText } from "./random-text.ts";

/** 60 days. https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/business-login (2026-03) */
export const longSeconds = 5_184_000;
/** A token can be renewed a day after it was issued. Same source. */
const youngestMs = 24 * 3_600_000;

export interface RenewedToken {
  access_token: string;
  token_type: "bearer";
  expires_in: number;
}

/** What a token gives access to. */
export interface GraphHolding {
  /** When the app may no longer read the person's data, milliseconds. @default never */
  data_ends_at?: number | null;
}

/** The access tokens of Meta's networks, each with what it gives access to. */
export interface GraphTokens<Holding extends GraphHolding> {
  /** @param options.seconds null: it never expires */
  issue(holding: Holding, options: { start: string; seconds: number | null }): string;
  /** What a valid token gives access to. @throws Refusal */
  find(text: string, isRight?: (holding: Holding) => boolean): Holding;
  /** When a valid token expires, milliseconds; null: never. @throws Refusal */
  endOf(text: string): number | null;
  /** Exchanges a token that is at least a day old for one of 60 days; the old one ends. @throws Refusal */
  renew(text: string, options: { start: string }): RenewedToken;
  /** True: the token was issued here; it may have ended. */
  knows(text: string): boolean;
  setRevoked(text: string, revoked: boolean): void;
  /** True: a matching token was used after it had been replaced, so the response with its replacement was lost. */
  wasReused(isOf: (holding: Holding) => boolean): boolean;
}

interface Token<Holding> {
  holding: Holding;
  issued_at: number;
  ends_at: number | null;
  revoked: boolean;
}

export function createGraphTokens<Holding extends GraphHolding>(
  ports: Pick<SandboxPorts, "clock" | "random">,
): GraphTokens<Holding> {
  const tokens = new Map<string, Token<Holding>>();
  const replaced = new Map<string, Holding>();
  const reused = new Set<Holding>();

  const issue: GraphTokens<Holding>["issue"] = (holding, { start, seconds }) => {
    const text = start + randomText(ports, tokenLength);
    const issued_at = ports.clock.now();
    const ends_at = seconds === null ? null : issued_at + seconds * 1000;
    tokens.set(text, { holding, issued_at, ends_at, revoked: false });
    return text;
  };

  function living(text: string, isRight: (holding: Holding) => boolean = () => true): Token<Holding> {
    const token = tokens.get(text);
    const former = replaced.get(text);
    if (former !== undefined) reused.add(former);
    if (token === undefined || !isRight(token.holding))
      throw graphRefusal(190, "Invalid OAuth access token - Cannot parse access token", { status: 401 });
    if (token.revoked)
      throw graphRefusal("190/460", "Error validating access token: The session has been invalidated", { status: 401 });
    const isOver = (end: number | null | undefined): boolean => end != null && ports.clock.now() >= end;
    if (isOver(token.ends_at))
      throw graphRefusal("190/463", "Error validating access token: Session has expired", { status: 401 });
    if (isOver(token.holding.data_ends_at))
      throw graphRefusal("190/493", "Error validating access token: The user must reauthorize the app", {
        status: 401,
      });
    return token;
  }

  return {
    issue,
    find: (text, isRight) => living(text, isRight).holding,
    endOf: (text) => living(text).ends_at,
    renew(text, { start }) {
      const token = living(text);
      if (ports.clock.now() < token.issued_at + youngestMs)
        throw graphRefusal(100, "The token must be at least 24 hours old to be refreshed");
      tokens.delete(text);
      replaced.set(text, token.holding);
      const access_token = issue(token.holding, { start, seconds: longSeconds });
      return { access_token, token_type: "bearer", expires_in: longSeconds };
    },
    knows: (text) => tokens.has(text),
    wasReused: (isOf) => [...reused].some(isOf),
    setRevoked(text, revoked) {
      const token = tokens.get(text);
      if (token === undefined) throw new Error("The sandbox has no such token.");
      token.revoked = revoked;
    },
  };
}

/** The token of a request; empty: none. */
export function tokenIn(request: Pick<SandboxRequest, "url" | "headers">): string {
  // Uploads use a different word before the token.
  if (request.url.hostname === uploadHost)
    return /^OAuth (.+)$/.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
  return bearerOf(request) || (request.url.searchParams.get("access_token") ?? "");
}

const tokenLength = 60;
