import { ok, type SandboxAnswer } from "../exchange.ts";
import type { SandboxNetwork, SandboxPorts } from "../network.ts";
import { pickFields } from "../parts/fields.ts";
import { withId } from "../parts/known.ts";
import type { LoginApp } from "../parts/login-pages.ts";
import { route } from "../parts/routes.ts";
import { createSimulation } from "../parts/simulation.ts";
import { allScopes, createLogins, sandboxApp } from "./logins.ts";
import { createMediaStore } from "./media.ts";
import { createPosts } from "./posts.ts";
import { refusal } from "./refusal.ts";
import { type Account, createState, type Plan, type Readers, type State, type StoredPost } from "./state.ts";

/** An account to create. */
export interface NewXAccount {
  /** Its handle. */
  username: string;
  /** Its display name. @default the username */
  name?: string;
  /** Its paid plan. @default "None" */
  plan?: Plan;
  /** The scopes of its tokens. @default all */
  scopes?: readonly string[];
  /** The ids of its communities. @default none */
  communities?: readonly string[];
  /**
   * How long an equal text of the account is rejected as a duplicate, seconds; X documents no number. @default 86400
   */
  remembersTextsSeconds?: number;
}

/** The tokens that connect a created account. */
export interface XTokens {
  /** Its id on X. */
  external_id: string;
  /** Expires after two hours. */
  access_token: string;
  /** Valid for one use. */
  refresh_token: string;
  /** The id of the app that the tokens were issued to. */
  client_id: string;
}

/** X, simulated: API v2 and the sign-ins. */
export interface XSandbox extends SandboxNetwork {
  /** Creates an account, with tokens of the app `sandbox-app` (its secret: `sandbox-secret`). */
  addAccount(account: NewXAccount): XTokens;
  /** Registers an app; its redirect URLs are compared character by character. */
  addApp(app: LoginApp): void;
  /** The owner of the account with this external id posts without the library; returns the post's id. */
  postAs(externalId: string, post: { text: string; reply_to?: string; readers?: Readers }): string;
  /** The sent fields of a post, besides its text. */
  detailsOf(id: string): Pick<StoredPost, "given" | "poll" | "media" | "readers">;
  /** The author deletes a post. */
  removePost(id: string): void;
  /** The user revokes the apps' access. */
  revoke(externalId: string): void;
  /** The user grants the app `sandbox-app` all of X's scopes again; returns new tokens. */
  allowAgain(externalId: string): XTokens;
  /**
   * True: the app used a refresh token of this account a second time, because the response with the next one was lost.
   */
  wasLockedOut(externalId: string): boolean;
  /** Expires all access tokens. */
  expireTokens(): void;
  /** The account is suspended. */
  suspend(externalId: string): void;
  /** Omits these posts from the lists of accounts' posts. */
  hideFromLists(...readers: readonly Readers[]): void;
  /** Adds errors to the response of the next new post. */
  answerBesideErrors(): void;
  /** Sets how long videos are processed. */
  processMediaFor(seconds: number): void;
  /** Makes the processing of the next video fail. */
  failNextMedia(): void;
}

export function xSandbox(ports: SandboxPorts): XSandbox {
  const state = createState(ports);
  const logins = createLogins(state, ports);
  const media = createMediaStore(state, logins, ports);
  const posts = createPosts(state, logins, media);
  const me = route("me", "GET /2/users/me", (request) => {
    const account = logins.accountFor(request, "tweet.read", "users.read");
    return ok({ data: accountJson(account, request.url) });
  });
  const simulation = createSimulation({
    network: "x",
    hosts: ["api.x.com", "x.com"],
    commits: ["createPost"],
    basics: state,
    routes: [...logins.routes, me, ...posts.routes, ...media.routes],
    missing: () => refusal(404, "resource-not-found", "There is no such route.").answer,
  });
  const tokensFor = (account: string, scopes: readonly string[]): XTokens => {
    const { access_token, refresh_token } = logins.issue(account, scopes);
    const { client_id } = sandboxApp;
    return { external_id: account, access_token, refresh_token: refresh_token ?? "", client_id };
  };

  return {
    ...simulation,
    answer: async (request) => withLimit(state, await simulation.answer(request)),
    ...logins.switches,
    ...media.switches,
    ...posts.switches,
    posts: posts.posts,
    addAccount({ username, name = username, plan = "None", scopes = allScopes, communities = [], ...rest }) {
      const { remembersTextsSeconds = 86_400 } = rest;
      const account = { id: state.newId(), username, name, plan, isSuspended: false, remembersTextsSeconds };
      state.accounts.push({ ...account, communities: new Set(communities) });
      return tokensFor(account.id, scopes);
    },
    allowAgain: (externalId) => tokensFor(withId(state.accounts, externalId, "account").id, allScopes),
    wasLockedOut: logins.wasReused,
    suspend(externalId) {
      withId(state.accounts, externalId, "account").isSuspended = true;
    },
    hideFromLists(...readers) {
      for (const each of readers) state.hidden.add(each);
    },
    answerBesideErrors() {
      state.answersBesideErrors = true;
    },
  };
}

/** With the requested fields. */
function accountJson({ id, username, name, plan }: Account, { searchParams }: URL): object {
  const all = {
    profile_image_url: `https://pbs.twimg.com/profile_images/${id}/picture_normal.jpg`,
    subscription_type: plan,
  };
  return { id, name, username, ...pickFields(all, (searchParams.get("user.fields") ?? "").split(",")) };
}

const windowSeconds = 900;

/** Sent with every response. https://docs.x.com/x-api/fundamentals/rate-limits (2026-08) */
function withLimit(state: State, answer: SandboxAnswer): SandboxAnswer {
  const isSpent = answer.status === 429;
  const end = isSpent ? state.quota.endsAt() / 1000 : state.now() / 1000 + windowSeconds;
  const headers = {
    "x-rate-limit-limit": "100",
    "x-rate-limit-remaining": isSpent ? "0" : "99",
    "x-rate-limit-reset": String(Math.floor(end)),
    ...answer.headers,
  };
  return { ...answer, headers };
}
