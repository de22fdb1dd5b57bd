import type { SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { graphRefusal } from "../parts/graph.ts";
import { randomText } from "../parts/random-text.ts";

export interface SandboxPage {
  id: string;
  name: string;
  /** Null: new Pages have none. */
  username: string | null;
  status: "active" | "restricted";
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

export interface Token {
  text: string;
  /** Of a Page's. */
  page: SandboxPage | null;
  /** Of a person's. */
  person: Person | null;
  scopes: readonly string[];
  /** Null: never. */
  ends_at: number | null;
  revoked: boolean;
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
  issue(given: Pick<Token, "page" | "person" | "scopes"> & { seconds: number | null }): string;
  /** Whose token the request carries. @throws Refusal */
  authenticate(request: SandboxRequest): Token;
  /** Does the request carry a token that was given out here? */
  knows(request: SandboxRequest): boolean;
  setRevoked(text: string, revoked: boolean): void;
}

const tokenLength = 60;

export function createPages(ports: SandboxPorts, nextId: () => string): Pages {
  const pages: SandboxPage[] = [];
  const tokens = new Map<string, Token>();

  const issue: Pages["issue"] = ({ seconds, ...given }) => {
    const text = `EAAF${randomText(ports, tokenLength)}`;
    const ends_at = seconds === null ? null : ports.clock.now() + seconds * 1000;
    tokens.set(text, { ...given, text, ends_at, revoked: false });
    return text;
  };

  return {
    issue,
    add({ name, username, scopes = allScopes }) {
      const page: SandboxPage = { id: nextId(), name, username: username ?? null, status: "active" };
      pages.push(page);
      return { page, token: issue({ page, person: null, scopes, seconds: null }) };
    },
    named(id) {
      const page = pages.find((each) => each.id === id);
      if (page === undefined) throw new Error(`The sandbox has no Page ${id}.`);
      return page;
    },
    all: () => pages,
    authenticate(request) {
      const token = tokens.get(tokenIn(request));
      const refuse = (code: 190 | "190/460" | "190/463", words: string): Error =>
        graphRefusal(code, words, { status: 401 });
      if (token === undefined) throw refuse(190, "Invalid OAuth access token - Cannot parse access token");
      if (token.revoked) throw refuse("190/460", "Error validating access token: The session has been invalidated");
      if (token.ends_at !== null && ports.clock.now() >= token.ends_at)
        throw refuse("190/463", "Error validating access token: Session has expired");
      return token;
    },
    knows: (request) => tokens.has(tokenIn(request)),
    setRevoked(text, revoked) {
      const token = tokens.get(text);
      if (token === undefined) throw new Error("The sandbox has no such token.");
      token.revoked = revoked;
    },
  };
}

/** Uploads want another word before it. https://developers.facebook.com/docs/video-api/guides/reels-publishing (2026-09) */
function tokenIn({ url, headers }: SandboxRequest): string {
  const scheme = url.hostname === "rupload.facebook.com" ? "OAuth" : "Bearer";
  const [, text] = new RegExp(`^${scheme} (.+)$`).exec(headers.get("authorization") ?? "") ?? [];
  return text ?? url.searchParams.get("access_token") ?? "";
}

/** @throws Refusal when the token does not allow it */
export function demandScope({ scopes }: Token, scope: Scope): void {
  if (!scopes.includes(scope)) throw graphRefusal(200, `(#200) Requires ${scope} permission`, { status: 403 });
}
