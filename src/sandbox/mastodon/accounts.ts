import type { JsonObject } from "../../wire/json.ts";
import type { SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { known } from "../parts/known.ts";
import { base64url, randomText } from "../parts/random-text.ts";
import type { SandboxInstance } from "./instances.ts";
import { Refusal } from "./refusal.ts";

export interface SandboxAccount {
  id: string;
  instance: SandboxInstance;
  username: string;
  display_name: string;
  status: "active" | "suspended";
  created_at: string;
  /** The accounts whose posts its home timeline also shows. */
  follows: Set<SandboxAccount>;
  /** The accounts whose posts cause no notifications. */
  mutes: Set<SandboxAccount>;
}

/** An account to create. */
export interface NewAccount {
  /** Its username, without the host. */
  username: string;
  /** The instance's host. @default "mastodon.sandbox.example" */
  instance?: string;
  /** Its id on its server; each server counts its accounts itself. @default the next id of all servers */
  id?: string;
  /** Its name. @default the username */
  display_name?: string;
  /** The scopes of its token. @default ["read", "write"] */
  scopes?: readonly string[];
}

interface Token {
  account: SandboxAccount;
  scopes: readonly string[];
  revoked: boolean;
}

export interface Accounts {
  add(options: { instance: SandboxInstance; given: NewAccount; id: string }): {
    account: SandboxAccount;
    token: string;
  };
  all(): SandboxAccount[];
  /** The account with this external id. */
  named(externalId: string): SandboxAccount;
  /**
   * The account of the request's token, and the token's scopes. `scope`: the required scope; null: none.
   * @throws Refusal
   */
  authenticate(request: SandboxRequest, scope: string | null): { account: SandboxAccount; scopes: readonly string[] };
  /** Adds a token that was issued by a sign-in. */
  allow(token: string, grant: { account: SandboxAccount; scopes: readonly string[] }): void;
  revoke(token: string): void;
  /** What tests may do with accounts and their tokens. */
  switches: {
    follow(externalId: string, followed: string): void;
    mute(externalId: string, muted: string, isMuted: boolean): void;
    revoke(token: string): void;
    restore(token: string): void;
    suspend(externalId: string): void;
    unsuspend(externalId: string): void;
  };
}

export function createAccounts(ports: SandboxPorts): Accounts {
  const accounts: SandboxAccount[] = [];
  const tokens = new Map<string, Token>();

  function setRevoked(text: string, revoked: boolean): void {
    const token = tokens.get(text);
    if (token === undefined) throw new Error("The sandbox has no such token.");
    token.revoked = revoked;
  }
  const revoke = (text: string): void => setRevoked(text, true);

  function named(externalId: string): SandboxAccount {
    const account = accounts.find((each) => externalIdOf(each) === externalId);
    return known(account, `account ${externalId}`);
  }

  return {
    add({ instance, given, id }) {
      const { username, display_name = username, scopes = ["read", "write"] } = given;
      const created_at = new Date(ports.clock.now()).toISOString();
      const account: SandboxAccount = {
        id,
        instance,
        username,
        display_name,
        status: "active",
        created_at,
        follows: new Set(),
        mutes: new Set(),
      };
      const token = randomText(ports, tokenLength, base64url);
      accounts.push(account);
      tokens.set(token, { account, scopes, revoked: false });
      return { account, token };
    },
    all: () => accounts,
    named,
    authenticate(request, scope) {
      const text = request.headers.get("authorization")?.replace(/^Bearer /, "") ?? "";
      const token = tokens.get(text);
      if (token === undefined || token.account.instance.host !== request.url.hostname)
        throw new Refusal(401, "The access token is invalid", "token");
      if (token.revoked) throw new Refusal(401, "The access token was revoked", "token");
      if (scope !== null && !allows(token.scopes, scope))
        throw new Refusal(403, "This action is outside the authorized scopes", "scope");
      if (token.account.status === "suspended") throw new Refusal(403, "Your login is currently disabled");
      return token;
    },
    allow: (text, grant) => void tokens.set(text, { ...grant, revoked: false }),
    revoke,
    switches: {
      follow: (externalId, followed) => void named(externalId).follows.add(named(followed)),
      mute(externalId, muted, isMuted) {
        const { mutes } = named(externalId);
        if (isMuted) mutes.add(named(muted));
        else mutes.delete(named(muted));
      },
      revoke,
      restore: (text) => setRevoked(text, false),
      suspend(externalId) {
        named(externalId).status = "suspended";
      },
      unsuspend(externalId) {
        named(externalId).status = "active";
      },
    },
  };
}

/** Ids are unique only on their own server. */
export function externalIdOf({ instance, id }: SandboxAccount): string {
  return `${instance.host}:${id}`;
}

/** `write` includes `write:media`. https://docs.joinmastodon.org/api/oauth-scopes/ (2026-07) */
function allows(scopes: readonly string[], wanted: string): boolean {
  return scopes.includes(wanted) || scopes.includes(wanted.split(":")[0] ?? "");
}

const tokenLength = 43;

/** An Account, as in statuses. */
export function accountEntity(account: SandboxAccount, statusesCount: number): JsonObject {
  const { id, username, display_name, created_at } = account;
  const site = `https://${account.instance.host}`;
  return {
    id,
    username,
    acct: username,
    display_name,
    locked: false,
    bot: false,
    discoverable: true,
    indexable: false,
    group: false,
    created_at,
    note: "",
    url: `${site}/@${username}`,
    uri: `${site}/users/${username}`,
    avatar: `${site}/avatars/original/missing.png`,
    avatar_static: `${site}/avatars/original/missing.png`,
    header: `${site}/headers/original/missing.png`,
    header_static: `${site}/headers/original/missing.png`,
    followers_count: 0,
    following_count: 0,
    statuses_count: statusesCount,
    last_status_at: null,
    emojis: [],
    fields: [],
  };
}

/** The response of `verify_credentials`. */
export function credentialAccount(account: SandboxAccount, statusesCount: number): JsonObject {
  return {
    ...accountEntity(account, statusesCount),
    source: {
      privacy: "unlisted",
      sensitive: false,
      language: null,
      note: "",
      fields: [],
      follow_requests_count: 0,
      indexable: false,
    },
    role: { id: "-99", name: "", permissions: "0", color: "", highlighted: false },
  };
}

/** The app that a token was issued to. https://docs.joinmastodon.org/methods/apps/#verify_credentials (2026-07) */
export function applicationEntity(scopes: readonly string[]): JsonObject {
  return {
    id: "1",
    name: "sandbox",
    website: null,
    scopes: [...scopes],
    redirect_uri: "urn:ietf:wg:oauth:2.0:oob",
    redirect_uris: ["urn:ietf:wg:oauth:2.0:oob"],
    vapid_key: "",
  };
}
