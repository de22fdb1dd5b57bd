import type { SandboxPorts } from "../network.ts";
import { graphRefusal } from "../parts/graph.ts";
import { createGraphTokens, type GraphHolding, type GraphTokens, longSeconds } from "../parts/graph-tokens.ts";

export interface ThreadsAccount {
  /** What stands in paths: 17 digits. */
  id: string;
  username: string;
  name: string;
  status: "active" | "restricted";
  may_choose_countries: boolean;
  /** Within 24 hours. */
  quota: { posts: number; replies: number };
}

export interface NewThreadsAccount {
  username: string;
  /** @default the username */
  name?: string;
  /** What its token may do. @default all */
  scopes?: readonly string[];
  /** @default false */
  may_choose_countries?: boolean;
  /** https://developers.facebook.com/docs/threads/overview (2026-08) @default 250 and 1,000 */
  quota?: Partial<ThreadsAccount["quota"]>;
}

/** What a token is for. */
export interface Holding extends GraphHolding {
  account: ThreadsAccount;
  scopes: readonly string[];
}

/** https://developers.facebook.com/docs/threads/overview (2026-08) */
export const allScopes: readonly string[] = [
  "threads_basic",
  "threads_content_publish",
  "threads_manage_replies",
  "threads_read_replies",
  "threads_manage_mentions",
  "threads_location_tagging",
  "threads_share_to_instagram",
];

export interface Accounts {
  tokens: GraphTokens<Holding>;
  add(given: NewThreadsAccount): { account: ThreadsAccount; token: string };
  named(id: string): ThreadsAccount;
  all(): readonly ThreadsAccount[];
  /** A token of 60 days. */
  issueLong(holding: Holding): string;
}

export function createAccounts(ports: SandboxPorts, nextId: () => string): Accounts {
  const accounts: ThreadsAccount[] = [];
  const tokens = createGraphTokens<Holding>(ports);
  const issueLong = (holding: Holding): string => tokens.issue(holding, { start: "THAA", seconds: longSeconds });
  return {
    tokens,
    issueLong,
    add({ username, name = username, scopes = allScopes, may_choose_countries = false, quota = {} }) {
      const account: ThreadsAccount = {
        ...{ id: nextId(), username, name, status: "active", may_choose_countries },
        quota: { posts: 250, replies: 1_000, ...quota },
      };
      accounts.push(account);
      return { account, token: issueLong({ account, scopes }) };
    },
    named(id) {
      const account = accounts.find((each) => each.id === id);
      if (account === undefined) throw new Error(`The sandbox has no account ${id}.`);
      return account;
    },
    all: () => accounts,
  };
}

/** @throws Refusal */
export function demandScope({ scopes }: Holding, scope: string): void {
  if (!scopes.includes(scope))
    throw graphRefusal(10, `(#10) Application does not have permission for this action: ${scope}`, { status: 403 });
}
