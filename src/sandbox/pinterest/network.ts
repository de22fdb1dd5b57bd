import { ok, type SandboxRequest } from "../exchange.ts";
import type { SandboxNetwork, SandboxPorts } from "../network.ts";
import { withId } from "../parts/known.ts";
import type { LoginApp } from "../parts/login-pages.ts";
import type { IssuedTokens } from "../parts/login-tokens.ts";
import { createSimulation } from "../parts/simulation.ts";
import { createBoards, type NewBoard } from "./boards.ts";
import { allScopes, createLogins } from "./logins.ts";
import { createMedia, storeHost } from "./media.ts";
import { createPins, type ListWays, type Pin, type PinByHand } from "./pins.ts";
import { refusal } from "./refusal.ts";
import { call, createState, groupBoardId, type PinterestAccount, type State } from "./state.ts";

/** An account to create. */
export interface NewPinterestAccount {
  /** Its username. */
  username: string;
  /** The name of its business. @default none */
  business_name?: string;
  /** The scopes of its token. @default all */
  scopes?: readonly string[];
  /** False: the app has Trial access. @default true */
  mayPin?: boolean;
}

/** Pinterest, simulated, with its upload host for videos. */
export interface PinterestSandbox extends SandboxNetwork {
  /** Creates an account; connect it with its tokens. */
  addAccount(account: NewPinterestAccount): IssuedTokens & { external_id: string };
  /** Registers an app. */
  addApp(app: LoginApp): void;
  /** Creates a board; returns its id and its sections' ids, in order. */
  addBoard(board: NewBoard): { board_id: string; section_ids: string[] };
  /** The id of a board that every account may pin to. */
  groupBoard: string;
  /** All Pins, in the order of publication. */
  posts(): Pin[];
  /** The number of registered videos, uploaded or not. */
  uploads(): number;
  /** The owner of the account with this id pins without the library; returns the Pin's id. */
  postAs(externalId: string, pin: PinByHand): string;
  /** The author deletes a Pin. */
  removePost(id: string): void;
  /** The person revokes the access of the account's apps. */
  revoke(externalId: string): void;
  /** The person grants the app `sandbox-app` all of Pinterest's scopes again; returns new tokens. */
  allowAgain(externalId: string): IssuedTokens & { external_id: string };
  /** Expires all access tokens. */
  expireTokens(): void;
  /** True: a refresh token of this account was used a second time. */
  wasLockedOut(externalId: string): boolean;
  /** Changes how lists show Pins. */
  changeLists(ways: Partial<ListWays>): void;
  /** Sets how long videos are processed. */
  processMediaFor(seconds: number): void;
  /** Makes the processing of the next video fail. */
  failNextMedia(): void;
}

export function pinterestSandbox(ports: SandboxPorts): PinterestSandbox {
  const state = createState(ports);
  const logins = createLogins(state, ports);
  const media = createMedia(state, logins, ports);
  const boards = createBoards(state, logins);
  const pins = createPins(state, { logins, media, ports });
  const me = call("GET /user_account", (request) =>
    ok(accountEntity(logins.accountFor(request, "user_accounts:read"))),
  );

  function tokensFor({ id }: PinterestAccount, scopes: readonly string[]): IssuedTokens & { external_id: string } {
    return { ...logins.issue(id, scopes), external_id: id };
  }

  return {
    ...createSimulation({
      network: "pinterest",
      hosts: ["api.pinterest.com", "www.pinterest.com", storeHost],
      commits: ["POST /pins"],
      basics: state,
      routes: [...logins.routes, me, ...media.routes, ...boards.routes, ...pins.routes],
      missing: () => refusal(404, 404, "Not found.").answer,
      assertTaken: (request) => assertQuota(state, request),
    }),
    ...logins.switches,
    ...media.switches,
    ...boards.switches,
    ...pins.switches,
    posts: pins.posts,
    groupBoard: groupBoardId,
    addAccount({ username, business_name = null, scopes = allScopes, mayPin = true }) {
      const account: PinterestAccount = { id: state.newId(), username, business_name, mayPin };
      state.accounts.push(account);
      state.group.members.add(account.id);
      return tokensFor(account, scopes);
    },
    allowAgain: (externalId) => tokensFor(withId(state.accounts, externalId, "account"), allScopes),
    wasLockedOut: logins.wasReused,
  };
}

function assertQuota({ quota }: State, { method, url }: SandboxRequest): void {
  const isWrite = method === "POST" && url.hostname === "api.pinterest.com" && url.pathname !== "/v5/oauth/token";
  if (!isWrite || !quota.isUsedUp()) return;
  throw refusal(429, 8, "This request exceeded a rate limit.", rateHeaders(quota.secondsLeft()));
}

/** Seconds until the limit ends. https://developers.pinterest.com/docs/reference/rate-limits/ (2026-10) */
export function rateHeaders(seconds: number): Record<string, string> {
  return { "x-ratelimit-limit": "100", "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(seconds) };
}

function accountEntity({ id, username, business_name }: PinterestAccount): object {
  const account_type = business_name === null ? "PINNER" : "BUSINESS";
  return { id, username, business_name, account_type, profile_image: `https://i.pinimg.com/${id}.jpg` };
}
