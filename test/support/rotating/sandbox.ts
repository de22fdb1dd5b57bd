import { z } from "zod";
import { formBody, jsonBody, type SandboxAnswer, type SandboxRequest } from "../../../src/sandbox/exchange.ts";
import { createFaults } from "../../../src/sandbox/faults.ts";
import type { SandboxHost, SandboxPorts } from "../../../src/sandbox/network.ts";
import { rotatingHost } from "./adapter.ts";

/** X's two hours. */
const defaultAccessSeconds = 7_200;
/** A refresh token that nobody uses dies, milliseconds. */
const refreshMs = 90 * 24 * 3_600_000;

export interface RotatingSandbox extends SandboxHost {
  notes(): { account: string; text: string }[];
  /** Refresh tokens that were sent although they had been used: nobody may do that. */
  usedTwice(): string[];
  /** When each trade of a refresh token was asked for, milliseconds; refused ones, too. */
  trades(): number[];
  /** Logins that the app has taken back, by account. */
  takenBack(): string[];
  /** Every access token that has been used runs out now. */
  expireTokens(): void;
  /** The person takes back what the app was allowed; access tokens are dead at once, too. */
  revoke(account: string): void;
  /** Answers nothing but refusals while it lasts; all tokens stay good. */
  suspend(account: string, isSuspended: boolean): void;
  /** What the next trades answer in place of a new refresh token. */
  answerRefreshToken(value: "new" | "empty" | "absent"): void;
  /** Whether the account could still be used with this refresh token. */
  isGood(refreshToken: string): boolean;
  /** Whether it answers requests with this access token, if it answers the account. */
  takes(accessToken: string): boolean;
}

export interface RotatingOptions {
  /** How long an access token lives, seconds. @default two hours */
  accessSeconds?: number;
}

interface Login {
  account: string;
  grant: string;
  isDead: boolean;
}

/** The network in memory. A refresh token that comes twice ends the login, as theft does. https://www.rfc-editor.org/rfc/rfc9700#section-4.14 (2026-11) */
export function rotatingSandbox({
  clock,
  accessSeconds = defaultAccessSeconds,
}: RotatingOptions & Pick<SandboxPorts, "clock">): RotatingSandbox {
  const access = new Map<string, { login: Login; ends_at: number; isUsed: boolean }>();
  const refresh = new Map<string, { login: Login; ends_at: number; isUsed: boolean }>();
  const notes = new Map<string, { id: string; url: string; account: string; text: string }>();
  const suspended = new Set<string>();
  const usedTwice: string[] = [];
  const trades: number[] = [];
  const takenBack: string[] = [];
  let answered: "new" | "empty" | "absent" = "new";
  let count = 0;

  function newTokens(login: Login, kept: string | null): SandboxAnswer {
    count += 1;
    access.set(`access-${count}`, { login, ends_at: clock.now() + accessSeconds * 1000, isUsed: false });
    if (kept === null) refresh.set(`refresh-${count}`, { login, ends_at: clock.now() + refreshMs, isUsed: false });
    const tokens = { access_token: `access-${count}`, token_type: "bearer", expires_in: accessSeconds };
    if (kept !== null && answered === "absent") return { status: 200, json: tokens };
    const refresh_token = kept === null ? `refresh-${count}` : "";
    return { status: 200, json: { ...tokens, refresh_token, grant: login.grant } };
  }

  function logIn(request: SandboxRequest): SandboxAnswer {
    const { name } = z.object({ name: z.string() }).parse(jsonBody(request));
    if (suspended.has(name)) return refusal(403, "suspended");
    // All that one person is on this network stands on one grant: `alice`, `alice/page`.
    return newTokens({ account: name, grant: String(name.split("/")[0]), isDead: false }, null);
  }

  async function trade(request: SandboxRequest): Promise<SandboxAnswer> {
    trades.push(clock.now());
    const text = String((await formBody(request))?.get("refresh_token"));
    const token = refresh.get(text);
    if (token?.isUsed === true) {
      usedTwice.push(text);
      token.login.isDead = true;
    }
    if (!isGood(text) || token === undefined) return refusal(400, "invalid_grant");
    if (suspended.has(token.login.account)) return refusal(403, "suspended");
    if (answered !== "new") return newTokens(token.login, text);
    token.isUsed = true;
    return newTokens(token.login, null);
  }

  async function takeBack(request: SandboxRequest): Promise<SandboxAnswer> {
    const token = refresh.get(String((await formBody(request))?.get("token")));
    if (token !== undefined) {
      takenBack.push(token.login.account);
      for (const { login } of refresh.values()) if (login.grant === token.login.grant) login.isDead = true;
    }
    return { status: 200, json: {} };
  }

  function isGood(text: string): boolean {
    const token = refresh.get(text);
    return token !== undefined && !token.isUsed && !token.login.isDead && token.ends_at > clock.now();
  }

  function takes(text: string): boolean {
    const token = access.get(text);
    return token !== undefined && !token.login.isDead && token.ends_at > clock.now();
  }

  function answerSigned({ method, url, headers, bytes }: SandboxRequest): SandboxAnswer {
    const text = headers.get("authorization")?.replace("Bearer ", "") ?? "";
    const token = access.get(text);
    if (token === undefined || !takes(text)) return refusal(401, "expired_token");
    token.isUsed = true;
    const { account } = token.login;
    if (suspended.has(account)) return refusal(403, "suspended");
    if (url.pathname === "/me") return { status: 200, json: { id: account, name: account } };
    const key = url.pathname.replace("/notes/", "");
    const known = notes.get(key);
    if (method === "GET") return known === undefined ? refusal(404, "no_note") : { status: 200, json: known };
    const note = z.object({ text: z.string() }).parse(JSON.parse(new TextDecoder().decode(bytes)));
    const id = known?.id ?? `note-${notes.size + 1}`;
    notes.set(key, { id, url: `https://rotating.example/${id}`, account, ...note });
    return { status: 201, json: notes.get(key) };
  }

  return {
    serves: (host) => host === rotatingHost,
    operation: ({ method, url }) => `${method} ${url.pathname.replace(/^\/notes\/.*/, "/notes/:key")}`,
    commits: ["PUT /notes/:key"],
    faults: createFaults(),
    answer(request) {
      if (request.url.pathname === "/login") return logIn(request);
      if (request.url.pathname === "/token") return trade(request);
      if (request.url.pathname === "/revoke") return takeBack(request);
      return answerSigned(request);
    },
    notes: () => [...notes.values()],
    usedTwice: () => usedTwice,
    trades: () => trades,
    takenBack: () => takenBack,
    expireTokens() {
      for (const token of access.values()) if (token.isUsed) token.ends_at = 0;
    },
    revoke(account) {
      for (const { login } of refresh.values()) if (login.account === account) login.isDead = true;
    },
    suspend(account, isSuspended) {
      if (isSuspended) suspended.add(account);
      else suspended.delete(account);
    },
    answerRefreshToken(value) {
      answered = value;
    },
    isGood,
    takes,
  };
}

function refusal(status: number, error: string): SandboxAnswer {
  return { status, json: { error } };
}
