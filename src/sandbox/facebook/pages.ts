import type { SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { graphRefusal } from "../parts/graph.ts";
import { createGraphTokens, type GraphHolding, tokenIn } from "../parts/graph-tokens.ts";
import { withId } from "../parts/known.ts";

export interface SandboxPage {
  id: string;
  name: string;
  /** Null: as for a new Page. */
  username: string | null;
  /** The id of its Instagram account. Absent: none. */
  instagram?: string;
}

/** A Page to create. */
export interface NewPage {
  /** Its name. */
  name: string;
  /** Its username. @default none */
  username?: string;
  /** The scopes of its token. @default all */
  scopes?: readonly string[];
}

/** A person at Facebook, with Pages of their own and of their business. */
export interface Person {
  id: string;
  name: string;
  pages: readonly SandboxPage[];
  business: { id: string; owned: readonly SandboxPage[]; clients: readonly SandboxPage[] };
  /** The person's tasks on the Pages. */
  tasks: readonly string[];
}

/** What an access token gives access to. */
export interface Token extends GraphHolding {
  /** The Page, for a Page's token. */
  page: SandboxPage | null;
  /** The person, for a person's token. */
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
  /** The Page with this id. */
  named(id: string): SandboxPage;
  all(): readonly SandboxPage[];
  /** @param seconds null: it never expires. @default null */
  issue(token: Token, seconds?: number | null): string;
  /** The token with this text, if it is valid. @throws Refusal */
  tokenOf(text: string): Token & { ends_at: number | null };
  /** The request's token. @throws Refusal */
  authenticate(request: SandboxRequest): Token;
  /** True: the request has a token that was issued here. */
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

/** @throws Refusal if the token lacks the scope */
export function assertScope({ scopes }: Token, scope: Scope): void {
  if (!scopes.includes(scope)) throw graphRefusal(200, `(#200) Requires ${scope} permission`, { status: 403 });
}
