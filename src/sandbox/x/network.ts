import type { JsonObject } from "../../wire/json.ts";
import type { SandboxAnswer, SandboxRequest } from "../exchange.ts";
import { createFaults } from "../faults.ts";
import type { SandboxNetwork, SandboxPorts } from "../network.ts";
import type { LoginApp, Person } from "../parts/login-pages.ts";
import { createRouter, type Route } from "../parts/routes.ts";
import { allScopes, createLogins, type Logins, sandboxApp } from "./logins.ts";
import { createMediaStore, type MediaStore } from "./media.ts";
import { createPosts, type Posts } from "./posts.ts";
import { refusal } from "./refusal.ts";
import { type Account, accountOf, createState, type Plan, type Readers, type State, type StoredPost } from "./state.ts";

/** An account to be made. */
export interface NewXAccount {
  /** Its handle. */
  username: string;
  /** What it is called. @default the username */
  name?: string;
  /** What it pays for. @default "None" */
  plan?: Plan;
  /** What its tokens allow. @default all that there is */
  scopes?: readonly string[];
  /** Communities that it is a member of. @default none */
  communities?: readonly string[];
  /** For so long a text of its own is refused as a duplicate, seconds; X tells no number. @default 86400 */
  remembersTextsSeconds?: number;
}

/** What connects an account that was made. */
export interface XTokens {
  /** Its id on X. */
  external_id: string;
  /** Runs out after two hours. */
  access_token: string;
  /** Good for one use. */
  refresh_token: string;
  /** Of the app that they are for. */
  client_id: string;
}

/** X, simulated: API v2, with its logins. */
export interface XSandbox extends SandboxNetwork {
  /** Makes an account, with tokens of the app `sandbox-app` (its secret: `sandbox-secret`). */
  addAccount(account: NewXAccount): XTokens;
  /** Registers an app; its redirects are compared to the letter. */
  addApp(app: LoginApp): void;
  /** The owner of the account of this external id posts by hand; returns the post's id. */
  postAs(externalId: string, post: { text: string; reply_to?: string; readers?: Readers }): string;
  /** What was sent of a post besides its text. */
  detailsOf(id: string): Pick<StoredPost, "given" | "poll" | "media" | "readers">;
  /** The author deletes a post. */
  removePost(id: string): void;
  /** The user takes back what the apps were allowed. */
  revoke(externalId: string): void;
  /** The user allows the app `sandbox-app` what X has, once more: new tokens. */
  allowAgain(externalId: string): XTokens;
  /** The app came with a refresh token of this account's that it had used: the answer with the next one was lost. */
  wasLockedOut(externalId: string): boolean;
  /** All access tokens run out now. */
  expireTokens(): void;
  /** The account is suspended. */
  suspend(externalId: string): void;
  /** An account's posts leave these out from now on. */
  hideFromLists(...readers: readonly Readers[]): void;
  /** The next new post is answered with problems beside it. */
  answerBesideErrors(): void;
  /** Films take this long from now on. */
  processMediaFor(seconds: number): void;
  /** The next film cannot be used. */
  failNextMedia(): void;
}

export function xSandbox(ports: SandboxPorts): XSandbox {
  const state = createState(ports);
  const logins = createLogins(state, ports);
  const media = createMediaStore(state, ports);
  const posts = createPosts(state, media);
  const router = createRouter({
    routes: routesOf({ state, logins, media, posts }),
    missing: refusal(404, "resource-not-found", "There is no such route.").answer,
  });

  return {
    network: "x",
    serves: (host) => host === "api.x.com" || host === "x.com",
    operation: router.operation,
    commits: ["createPost"],
    faults: createFaults(),
    answer: async (request) => withLimit(state, await router.answer(request)),
    posts: posts.all,
    rateLimit: state.quota.useUp,
    lagReads: state.lag.take,
    ...settings({ state, logins, media, posts }),
  };
}

interface Parts {
  state: State;
  logins: Logins;
  media: MediaStore;
  posts: Posts;
}

function routesOf({ state, logins, media, posts }: Parts): Route[] {
  const route = (operation: string, method: string, path: string, handle: Route["handle"]): Route => ({
    operation,
    method,
    path: new RegExp(`^/2${path.replace(":id", "(\\d+)")}$`),
    handle,
  });
  const people = (): Person[] => state.accounts.map(({ id, username }) => ({ account: id, name: username }));
  const uploader = (request: SandboxRequest): Account => logins.authenticate(request, "media.write");
  return [
    {
      operation: "authorize",
      method: "GET",
      path: /^\/i\/oauth2\/authorize$/,
      handle: (request) => logins.visit(request, people()),
    },
    route("token", "POST", "/oauth2/token", logins.token),
    route("revoke", "POST", "/oauth2/revoke", logins.end),
    route("me", "GET", "/users/me", (request) => {
      const account = logins.authenticate(request, "tweet.read", "users.read");
      return { status: 200, json: { data: accountJson(account, request.url) } };
    }),
    route("createPost", "POST", "/tweets", (request) => {
      const account = logins.authenticate(request, "tweet.read", "tweet.write", "users.read");
      if (state.quota.isUsedUp()) throw refusal(429, "rate-limit-exceeded", "Too Many Requests");
      return posts.create(account, request);
    }),
    route("userPosts", "GET", "/users/:id/tweets", (request, id) => {
      logins.authenticate(request, "tweet.read", "users.read");
      return posts.list(id, request.url);
    }),
    route("initialize", "POST", "/media/upload/initialize", (request) => media.initialize(uploader(request), request)),
    route("append", "POST", "/media/upload/:id/append", (request, id) => media.append(uploader(request), id, request)),
    route("finalize", "POST", "/media/upload/:id/finalize", (request, id) =>
      media.finalize(uploader(request), id, request),
    ),
    route("status", "GET", "/media/upload", (request) => media.status(uploader(request), request.url)),
    route("metadata", "POST", "/media/metadata", (request) => media.describe(uploader(request), request)),
    route("subtitles", "POST", "/media/subtitles", (request) => media.subtitle(uploader(request), request)),
  ];
}

type Settings = Omit<XSandbox, keyof SandboxNetwork>;

function settings({ state, logins, media, posts }: Parts): Settings {
  const postOf = (id: string): StoredPost => {
    const post = state.posts.find((each) => each.id === id);
    if (post === undefined) throw new Error(`The sandbox has no post ${id}.`);
    return post;
  };
  const tokensFor = (account: string, scopes: readonly string[]): XTokens => {
    const { client_id } = sandboxApp;
    const { access_token, refresh_token } = logins.issue({ account, client_id, scopes });
    return { external_id: account, access_token, refresh_token: refresh_token ?? "", client_id };
  };

  return {
    addAccount({ username, name = username, plan = "None", scopes = allScopes, communities = [], ...rest }) {
      const { remembersTextsSeconds = 86_400 } = rest;
      const account = { id: state.newId(), username, name, plan, isSuspended: false, remembersTextsSeconds };
      state.accounts.push({ ...account, communities: new Set(communities) });
      return tokensFor(account.id, scopes);
    },
    addApp: (app) => void logins.apps.push(app),
    postAs: (externalId, post) => posts.add(accountOf(state, externalId), post),
    detailsOf: postOf,
    removePost(id) {
      postOf(id).isDeleted = true;
    },
    revoke: logins.revoke,
    allowAgain: (externalId) => tokensFor(accountOf(state, externalId).id, allScopes),
    wasLockedOut: logins.wasReused,
    expireTokens: logins.expireAccess,
    suspend(externalId) {
      accountOf(state, externalId).isSuspended = true;
    },
    hideFromLists(...readers) {
      for (const each of readers) state.hidden.add(each);
    },
    answerBesideErrors() {
      state.answersBesideErrors = true;
    },
    processMediaFor: media.processFor,
    failNextMedia: () => media.failNext("Unsupported video format"),
  };
}

/** With the fields that were asked for. */
function accountJson({ id, username, name, plan }: Account, { searchParams }: URL): JsonObject {
  const all: JsonObject = {
    profile_image_url: `https://pbs.twimg.com/profile_images/${id}/picture_normal.jpg`,
    subscription_type: plan,
  };
  const asked = new Set((searchParams.get("user.fields") ?? "").split(","));
  return { id, name, username, ...Object.fromEntries(Object.entries(all).filter(([field]) => asked.has(field))) };
}

const windowSeconds = 900;

/** On every answer. https://docs.x.com/x-api/fundamentals/rate-limits (2026-08) */
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
