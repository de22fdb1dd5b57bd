import type { SandboxNetwork, SandboxPorts } from "../network.ts";
import { known } from "../parts/known.ts";
import type { LoginApp } from "../parts/login-pages.ts";
import type { IssuedTokens } from "../parts/login-tokens.ts";
import { route } from "../parts/routes.ts";
import { createSimulation } from "../parts/simulation.ts";
import { createLogins, everyScope } from "./logins.ts";
import { publicationRoutes } from "./publications.ts";
import { postsOf, readRoutes } from "./reads.ts";
import { refusal } from "./refusal.ts";
import { type Account, addPublication, createState, type Ways } from "./state.ts";
import { createPut, putOperation } from "./uploads.ts";

/** TikTok, simulated, with its sign-in. */
export interface TiktokSandbox extends SandboxNetwork {
  /** Registers an app, whose client id is its client key; that of `sandboxApp` exists from the start. */
  addApp(app: LoginApp): void;
  /** Creates an account; connect it with its tokens. */
  addAccount(options?: NewAccount): AddedAccount;
  /** The owner posts a video without the library; returns its id. */
  postByHand(openId: string, text: string): string;
  /** The sent fields of a publication, by the id of its post. */
  publication(postId: string): { info: Readonly<Record<string, unknown>>; kind: string; files: number };
  /** The sent fields of each draft in the account's inbox, in order. */
  drafts(openId: string): Readonly<Record<string, unknown>>[];
  /** Sets how long later publications are processed. */
  processFor(seconds: number): void;
  /** Makes the next publication fail with this reason of TikTok's. */
  failNext(reason: string): void;
  /** Changes these behaviours; the others stay the same. */
  change(ways: Partial<Ways>): void;
  /** The owner changes the account's settings. */
  changeAccount(openId: string, account: Partial<Omit<Account, "open_id">>): void;
  /** Expires all access tokens. */
  expireTokens(): void;
  /** The person revokes the apps' access. */
  revoke(openId: string): void;
  /** The person grants the first app all of TikTok's scopes again; returns new tokens. */
  allowAgain(openId: string): AddedAccount;
  /** True: a refresh token of this account was used a second time. */
  wasLockedOut(openId: string): boolean;
}

/** An account to create. */
export interface NewAccount {
  /** Its username. @default "alice" */
  username?: string;
  /** True: only followers see its posts. @default false */
  isPrivate?: boolean;
  /** True: comments are disabled on all of its posts. @default false */
  commentsAreOff?: boolean;
  /** The maximum length of its videos, seconds. @default 600 */
  maxVideoSeconds?: number;
  /** The scopes of its tokens. @default all of TikTok's */
  scopes?: readonly string[];
}

/** An account, and the tokens that connect it. */
export interface AddedAccount extends IssuedTokens {
  /** The account's id for this app. */
  open_id: string;
}

export function tiktokSandbox(ports: SandboxPorts): TiktokSandbox {
  const state = createState(ports);
  const logins = createLogins(state, ports);

  const accountOf = (openId: string): Account =>
    known(
      state.accounts.find(({ open_id }) => open_id === openId),
      `account ${openId}`,
    );
  const tokensFor = (open_id: string, scopes: readonly string[]): AddedAccount => ({
    open_id,
    ...logins.issue(open_id, scopes),
  });

  return {
    ...createSimulation({
      network: "tiktok",
      hosts: ["open.tiktokapis.com", "open-upload.tiktokapis.com", "www.tiktok.com"],
      commits: ["finishUpload", "initPhotos"],
      basics: state,
      routes: [
        ...logins.routes,
        ...publicationRoutes(state, logins, ports.fetch),
        ...readRoutes(state, logins),
        route(putOperation, "PUT open-upload.tiktokapis.com/video/", createPut(state)),
      ],
      missing: () => refusal(404, "not_found", "The requested path does not exist.").answer,
    }),
    ...logins.switches,
    posts: () => postsOf(state),
    addAccount({ scopes = everyScope, ...given } = {}) {
      const { username = "alice", isPrivate = false, commentsAreOff = false, maxVideoSeconds = 600 } = given;
      // Real ids begin with a hyphen, too.
      const open_id = `-000${state.digits(8)}_Tt-${state.digits(4)}`;
      const name = username.charAt(0).toUpperCase() + username.slice(1);
      const account = { open_id, username, name, isPrivate, commentsAreOff, maxVideoSeconds, isBanned: false };
      state.accounts.push(account);
      return tokensFor(open_id, scopes);
    },
    postByHand(openId, text) {
      const info = { title: text, privacy_level: "PUBLIC_TO_EVERYONE" };
      const whole = { job: state.jobs.ended(), whole_at: state.now() };
      const video = { account: accountOf(openId), kind: "video", isDraft: false, info, files: 1 } as const;
      return addPublication(state, { id: "by hand", ...video, ...whole }).postId;
    },
    publication(postId) {
      const found = state.publications.find((each) => each.postId === postId);
      const { info, kind, files } = known(found, `post ${postId}`);
      return { info, kind, files };
    },
    drafts: (openId) =>
      state.publications
        .filter(({ account, isDraft, whole_at }) => account.open_id === openId && isDraft && whole_at !== null)
        .map(({ info }) => info),
    processFor: state.jobs.take,
    failNext: state.jobs.failNext,
    change: (ways) => void Object.assign(state.ways, ways),
    changeAccount: (openId, account) => void Object.assign(accountOf(openId), account),
    allowAgain: (openId) => tokensFor(accountOf(openId).open_id, everyScope),
    wasLockedOut: logins.wasReused,
  };
}
