import { createFaults } from "../faults.ts";
import type { SandboxNetwork, SandboxPorts } from "../network.ts";
import type { LoginApp } from "../parts/login-pages.ts";
import type { IssuedTokens } from "../parts/login-tokens.ts";
import { createRouter, type Route } from "../parts/routes.ts";
import { createLogins, everyScope, type Logins } from "./logins.ts";
import { createPublications } from "./publications.ts";
import { createReads, postsOf } from "./reads.ts";
import { refusal } from "./refusal.ts";
import { type Account, createState, type State, type Ways } from "./state.ts";
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

/** An app that is registered from the start. */
export const sandboxApp: LoginApp = {
  client_id: "awsandboxkey",
  client_secret: "sandbox-secret",
  redirect_uris: ["https://app.example.com/connect/tiktok/callback"],
};

const api = "open.tiktokapis.com";
const uploadHost = "open-upload.tiktokapis.com";
const loginHost = "www.tiktok.com";
const hosts: ReadonlySet<string> = new Set([api, uploadHost, loginHost]);

export function tiktokSandbox(ports: SandboxPorts): TiktokSandbox {
  const state = createState(ports);
  state.apps.push(sandboxApp);
  const logins = createLogins(state, ports);
  const router = createRouter({
    routes: routesOf(state, logins, ports),
    missing: refusal(404, "not_found", "The requested path does not exist.").answer,
  });

  return {
    network: "tiktok",
    serves: (host) => hosts.has(host),
    ...router,
    commits: ["finishUpload", "initPhotos"],
    faults: createFaults(),
    posts: () => postsOf(state),
    rateLimit: state.quota.useUp,
    lagReads: state.lag.take,
    ...settings(state, logins),
  };
}

function routesOf(state: State, logins: Logins, ports: SandboxPorts): Route[] {
  const publications = createPublications(state, logins, ports.fetch);
  const reads = createReads(state, logins);
  const call = (method: string, path: string, operation: Route["operation"], handle: Route["handle"]): Route => {
    return { host: api, method, path: `/v2/${path}/`, operation, handle };
  };
  return [
    call("POST", "post/publish/creator_info/query", "creatorInfo", publications.creatorInfo),
    call("POST", "post/publish/video/init", "initVideo", publications.initVideo),
    call("POST", "post/publish/inbox/video/init", "initInboxVideo", publications.initInboxVideo),
    call("POST", "post/publish/content/init", "initPhotos", publications.initPhotos),
    call("POST", "post/publish/status/fetch", "fetchStatus", reads.status),
    call("POST", "video/list", "listVideos", reads.videos),
    call("GET", "user/info", "userInfo", reads.userInfo),
    call("POST", "oauth/token", "token", logins.token),
    call("POST", "oauth/revoke", "revoke", logins.end),
    { host: uploadHost, method: "PUT", path: "/video/", operation: putOperation, handle: createPut(state) },
    { host: loginHost, method: "GET", path: "/v2/auth/authorize/", operation: "authorize", handle: logins.authorize },
  ];
}

type Settings = Omit<TiktokSandbox, keyof SandboxNetwork>;

function settings(state: State, logins: Logins): Settings {
  const accountOf = (openId: string): Account => {
    const account = state.accounts.find(({ open_id }) => open_id === openId);
    if (account === undefined) throw new Error(`The sandbox has no account ${openId}.`);
    return account;
  };
  const tokensFor = (open_id: string, scopes: readonly string[]): AddedAccount => ({
    open_id,
    ...logins.issue(open_id, scopes),
  });
  return {
    addApp: (app) => void state.apps.push(app),
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
      const postId = `7${state.digits(18)}`;
      state.publications.push({
        id: `by hand ${postId}`,
        account: accountOf(openId),
        kind: "video",
        isDraft: false,
        info: { title: text, privacy_level: "PUBLIC_TO_EVERYONE" },
        upload: null,
        files: 1,
        created_at: state.now(),
        job: { ready_at: state.now(), failure: null },
        whole_at: state.now(),
        postId,
        isDeleted: false,
      });
      return postId;
    },
    publication(postId) {
      const found = state.publications.find((each) => each.postId === postId);
      if (found === undefined) throw new Error(`The sandbox has no post ${postId}.`);
      const { info, kind, files } = found;
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
    expireTokens: logins.expireAccess,
    revoke: logins.revoke,
    allowAgain: (openId) => tokensFor(accountOf(openId).open_id, everyScope),
    wasLockedOut: logins.wasReused,
  };
}
