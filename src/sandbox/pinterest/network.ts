import { jsonBody, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import { createFaults } from "../faults.ts";
import type { SandboxNetwork, SandboxPorts } from "../network.ts";
import type { LoginApp } from "../parts/login-pages.ts";
import type { IssuedTokens } from "../parts/login-tokens.ts";
import { createQuota } from "../parts/quota.ts";
import { answerTo } from "../parts/refusal.ts";
import { allScopes, createLogins, sandboxApp } from "./logins.ts";
import { createMedia, storeHost } from "./media.ts";
import { createPins, type ListWays, type Pin, type PinByHand } from "./pins.ts";
import { refusal } from "./refusal.ts";
import { type Board, boardOf, createState, groupBoardId, type PinterestAccount, pageOfItems } from "./state.ts";

export interface NewPinterestAccount {
  username: string;
  /** @default none */
  business_name?: string;
  /** What its token may do. @default all */
  scopes?: readonly string[];
  /** False: the app has Trial access. @default true */
  mayPin?: boolean;
}

export interface NewBoard {
  /** Ids of accounts that may pin there. */
  members: readonly string[];
  name: string;
  /** @default "PUBLIC" */
  privacy?: Board["privacy"];
  /** @default false */
  is_ads_only?: boolean;
  /** Their names. @default none */
  sections?: readonly string[];
}

/** Pinterest, simulated, with the store that it has videos uploaded to. */
export interface PinterestSandbox extends SandboxNetwork {
  /** Makes an account; connect it with its tokens. */
  addAccount(account: NewPinterestAccount): IssuedTokens & { external_id: string };
  /** Registers an app. */
  addApp(app: LoginApp): void;
  /** Makes a board; returns its id and its sections', in order. */
  addBoard(board: NewBoard): { board_id: string; section_ids: string[] };
  /** A board that every account may pin to. */
  groupBoard: string;
  /** Every Pin, in the order of publication. */
  posts(): Pin[];
  /** How many videos were registered, uploaded or not. */
  uploads(): number;
  /** The owner of the account of this id pins by hand; returns the Pin's id. */
  postAs(externalId: string, pin: PinByHand): string;
  /** The author deletes a Pin. */
  removePost(id: string): void;
  /** The person takes back what the account's apps were allowed. */
  revoke(externalId: string): void;
  /** The person allows the app `sandbox-app` all that Pinterest has, once more: new tokens. */
  allowAgain(externalId: string): IssuedTokens & { external_id: string };
  /** All access tokens run out now. */
  expireTokens(): void;
  /** Somebody came with a refresh token of this account's that had been used. */
  wasLockedOut(externalId: string): boolean;
  /** From now on lists show Pins in another way. */
  changeLists(ways: Partial<ListWays>): void;
  /** Videos are worked on for this long from now on. */
  processMediaFor(seconds: number): void;
  /** The next video cannot be worked on. */
  failNextMedia(): void;
}

const hosts: ReadonlySet<string> = new Set(["api.pinterest.com", "www.pinterest.com", storeHost]);

export function pinterestSandbox(ports: SandboxPorts): PinterestSandbox {
  const state = createState(ports);
  const logins = createLogins(state, ports);
  const media = createMedia(state, ports);
  const pins = createPins(state, ports, media);
  const quota = createQuota(ports.clock);

  type Operation = (request: SandboxRequest, ids: readonly string[]) => SandboxAnswer | Promise<SandboxAnswer>;

  const operations: Readonly<Record<string, Operation>> = {
    "GET /oauth": (request) => {
      const people = [...state.accounts.values()].map(({ id, username }) => ({ account: id, name: username }));
      return logins.visit(request, people);
    },
    "POST /oauth/token": logins.token,
    "POST /store": media.receive,
    "GET /user_account": (request) => ({
      status: 200,
      json: accountEntity(logins.authenticate(request, "user_accounts:read")),
    }),
    "GET /boards": (request) => {
      const account = logins.authenticate(request, "boards:read");
      const own = [...state.boards.values()].filter(({ members }) => members.has(account.id));
      return { status: 200, json: { ...pageOfItems(own.map(boardEntity), request.url) } };
    },
    "GET /boards/:id": (request, [id = ""]) => ({
      status: 200,
      json: boardEntity(boardOf(state, logins.authenticate(request, "boards:read"), id)),
    }),
    "GET /boards/:id/sections": (request, [id = ""]) => {
      const { sections } = boardOf(state, logins.authenticate(request, "boards:read"), id);
      return { status: 200, json: pageOfItems(sections, request.url) };
    },
    "GET /boards/:id/pins": (request, [id = ""]) => {
      const account = logins.authenticate(request, "boards:read", "pins:read");
      return pins.list(account, { board: boardOf(state, account, id), section: null }, request.url);
    },
    "GET /boards/:id/sections/:id/pins": (request, [id = "", section = ""]) => {
      const account = logins.authenticate(request, "boards:read", "pins:read");
      const board = boardOf(state, account, id);
      if (!board.sections.some((each) => each.id === section)) throw refusal(404, 404, "Board or section not found.");
      return pins.list(account, { board, section }, request.url);
    },
    "POST /media": (request) =>
      media.register(logins.authenticate(request, "pins:read", "pins:write"), jsonBody(request)),
    "GET /media/:id": (request, [id = ""]) => media.show(logins.authenticate(request, "pins:read"), id),
    "POST /pins": (request) => {
      const account = logins.authenticate(request, "boards:read", "boards:write", "pins:read", "pins:write");
      return pins.create(account, jsonBody(request));
    },
  };

  async function answer(request: SandboxRequest): Promise<SandboxAnswer> {
    const run = operations[operation(request)];
    if (run === undefined) throw refusal(404, 404, "Not found.");
    const isWrite = request.method === "POST" && request.url.hostname === "api.pinterest.com";
    if (isWrite && operation(request) !== "POST /oauth/token" && quota.isUsedUp()) throw limited();
    return run(request, request.url.pathname.match(/\d{5,}/g) ?? []);
  }

  function limited(): Error {
    const seconds = Math.max(0, Math.ceil((quota.endsAt() - ports.clock.now()) / 1000));
    return refusal(429, 8, "This request exceeded a rate limit.", rateHeaders(seconds));
  }

  return {
    network: "pinterest",
    groupBoard: groupBoardId,
    serves: (host) => hosts.has(host),
    operation,
    commits: ["POST /pins"],
    faults: createFaults(),
    answer: (request) => answer(request).catch(answerTo),
    addAccount({ username, business_name = null, scopes = allScopes, mayPin = true }) {
      const account: PinterestAccount = { id: state.newId(), username, business_name, mayPin };
      state.accounts.set(account.id, account);
      state.boards.get(groupBoardId)?.members.add(account.id);
      return tokensFor(account, scopes);
    },
    addApp: (app) => void logins.apps.push(app),
    addBoard({ members, name, privacy = "PUBLIC", is_ads_only = false, sections: given = [] }) {
      const sections = given.map((section) => ({ id: state.newId(), name: section }));
      const id = state.newId();
      state.boards.set(id, { id, name, privacy, is_ads_only, members: new Set(members), sections });
      return { board_id: id, section_ids: sections.map((section) => section.id) };
    },
    posts: pins.all,
    uploads: media.made,
    postAs: (externalId, pin) => pins.addByHand(accountNamed(externalId), pin),
    removePost: pins.remove,
    revoke: logins.revoke,
    allowAgain: (externalId) => tokensFor(accountNamed(externalId), allScopes),
    expireTokens: logins.expireAccess,
    wasLockedOut: logins.wasReused,
    changeLists: pins.change,
    processMediaFor: media.take,
    failNextMedia: media.failNext,
    rateLimit: quota.useUp,
    lagReads: pins.lagReads,
  };

  function tokensFor({ id }: PinterestAccount, scopes: readonly string[]): IssuedTokens & { external_id: string } {
    return { ...logins.issue({ account: id, client_id: sandboxApp.client_id, scopes }), external_id: id };
  }

  function accountNamed(id: string): PinterestAccount {
    const account = state.accounts.get(id);
    if (account === undefined) throw new Error(`The sandbox has no account ${id}.`);
    return account;
  }
}

/** Seconds until the limit ends. https://developers.pinterest.com/docs/reference/rate-limits/ (2026-10) */
export function rateHeaders(seconds: number): Record<string, string> {
  return { "x-ratelimit-limit": "100", "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(seconds) };
}

/** `GET /boards/:id/pins`, out of `/v5/boards/549755885175/pins`. */
function operation({ method, url }: SandboxRequest): string {
  if (url.hostname === storeHost) return `${method} /store`;
  const path = url.pathname
    .replace(/^\/v5/, "")
    .replace(/\/$/, "")
    .replace(/\/\d{5,}/g, "/:id");
  return `${method} ${path}`;
}

function accountEntity({ id, username, business_name }: PinterestAccount): Record<string, unknown> {
  return {
    ...{ id, username, business_name, account_type: business_name === null ? "PINNER" : "BUSINESS" },
    profile_image: `https://i.pinimg.com/${id}.jpg`,
  };
}

function boardEntity({ id, name, privacy, is_ads_only }: Board): Record<string, unknown> {
  return { id, name, privacy, is_ads_only };
}
