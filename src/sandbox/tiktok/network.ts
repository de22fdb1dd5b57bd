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

/** TikTok, simulated, with its login. */
export interface TiktokSandbox extends SandboxNetwork {
  /** Registers an app, whose client id is its client key; the one of `sandboxApp` is there from the start. */
  addApp(app: LoginApp): void;
  /** Makes an account; its tokens connect it. */
  addAccount(options?: NewAccount): AddedAccount;
  /** The owner posts a video by hand; returns its id. */
  postByHand(openId: string, text: string): string;
  /** What a publication was given, by the id of its post. */
  publication(postId: string): { info: Readonly<Record<string, unknown>>; kind: string; files: number };
  /** What lies in the account's inbox, in order: what each draft was given. */
  drafts(openId: string): Readonly<Record<string, unknown>>[];
  /** What comes from now on is worked on for this long. */
  processFor(seconds: number): void;
  /** The next publication ends like this, by TikTok's own words. */
  failNext(reason: string): void;
  /** From now on it does this in another way; the rest stays as it is. */
  change(ways: Partial<Ways>): void;
  /** The owner sets what the account is. */
  changeAccount(openId: string, account: Partial<Omit<Account, "open_id">>): void;
  /** All access tokens run out now. */
  expireTokens(): void;
  /** The person takes back what the apps were allowed. */
  revoke(openId: string): void;
  /** The person allows the first app all that TikTok has, once more: new tokens. */
  allowAgain(openId: string): AddedAccount;
  /** Somebody came with a refresh token of this account's that had been used. */
  wasLockedOut(openId: string): boolean;
}

/** An account to be made. */
export interface NewAccount {
  /** @default "alice" */
  username?: string;
  /** @default false */
  isPrivate?: boolean;
  /** Nobody can comment on any of its posts. @default false */
  commentsAreOff?: boolean;
  /** @default 600 */
  maxVideoSeconds?: number;
  /** What its tokens allow. @default all that TikTok has */
  scopes?: readonly string[];
}

/** An account, and what connects it. */
export interface AddedAccount extends IssuedTokens {
  /** Of the account, at this app. */
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
      // Real ones begin with a hyphen, too.
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
