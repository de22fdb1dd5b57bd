import type { SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { graphRefusal } from "../parts/graph.ts";
import { createGraphTokens, type GraphHolding, tokenIn } from "../parts/graph-tokens.ts";
import { withId } from "../parts/known.ts";

export interface SandboxPage {
  id: string;
  name: string;
  /** Null: new Pages have none. */
  username: string | null;
  /** Its Instagram account. Absent: none. */
  instagram?: string;
}

export interface NewPage {
  name: string;
  /** @default none */
  username?: string;
  /** What its token may do. @default all */
  scopes?: readonly string[];
}

/** Somebody at Facebook, with Pages of their own, and of their business. */
export interface Person {
  id: string;
  name: string;
  pages: readonly SandboxPage[];
  business: { id: string; owned: readonly SandboxPage[]; clients: readonly SandboxPage[] };
  /** What they may do on the Pages. */
  tasks: readonly string[];
}

/** What an access token is for. */
export interface Token extends GraphHolding {
  /** Of a Page's. */
  page: SandboxPage | null;
  /** Of a person's. */
  person: Person | null;
  scopes: readonly string[];
}

/** https://developers.facebook.com/docs/pages-api/posts (2026-09), …/comments-mentions (2026-04) */
export const allScopes = [
  ...["pages_show_list", "pages_read_engagement", "pages_manage_posts", "pages_manage_engagement"],
  ...["business_management", "pages_read_user_content", "pages_messaging", "pages_manage_metadata"],
] as const;

export type Scope = (typeof allScopes)[number];

/** https://developers.facebook.com/docs/graph-api/photo-uploads (2026-09) */
export const allTasks = ["ANALYZE", "ADVERTISE", "MODERATE", "CREATE_CONTENT", "MANAGE", "MESSAGING"] as const;

export interface Pages {
  add(given: NewPage): { page: SandboxPage; token: string };
  /** The Page of this id. */
  named(id: string): SandboxPage;
  all(): readonly SandboxPage[];
  /** @param seconds null: it never runs out. @default null */
  issue(token: Token, seconds?: number | null): string;
  /** The token of this text, if it lives. @throws Refusal */
  tokenOf(text: string): Token & { ends_at: number | null };
  /** Whose token the request carries. @throws Refusal */
  authenticate(request: SandboxRequest): Token;
  /** Does the request carry a token that was given out here? */
  knows(request: SandboxRequest): boolean;
  setRevoked(text: string, revoked: boolean): void;
}

export function createPages(ports: SandboxPorts, nextId: () => string): Pages {
  const pages: SandboxPage[] = [];
  const tokens = createGraphTokens<Token>(ports);
  const issue: Pages["issue"] = (token, seconds = null) => tokens.issue(token, { start: "EAAF", seconds });

  return {
    issue,
    add({ name, username, scopes = allScopes }) {
      const page: SandboxPage = { id: nextId(), name, username: username ?? null };
      pages.push(page);
      return { page, token: issue({ page, person: null, scopes }) };
    },
    named: (id) => withId(pages, id, "Page"),
    all: () => pages,
    tokenOf: (text) => ({ ...tokens.find(text), ends_at: tokens.endOf(text) }),
    authenticate: (request) => tokens.find(tokenIn(request)),
    knows: (request) => tokens.knows(tokenIn(request)),
    setRevoked: tokens.setRevoked,
  };
}

/** @throws Refusal when the token does not allow it */
export function assertScope({ scopes }: Token, scope: Scope): void {
  if (!scopes.includes(scope)) throw graphRefusal(200, `(#200) Requires ${scope} permission`, { status: 403 });
}
