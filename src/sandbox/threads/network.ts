import { ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxNetwork, SandboxPorts } from "../network.ts";
import { graphOperation, graphRefusal, topLevelFields, usageHeaders } from "../parts/graph.ts";
import { tokenIn } from "../parts/graph-tokens.ts";
import { createIds } from "../parts/ids.ts";
import type { LoginApp } from "../parts/login-pages.ts";
import { type Route, route } from "../parts/routes.ts";
import { createBasics, createSimulation } from "../parts/simulation.ts";
import { assertScope, createAccounts, type Holding, type NewThreadsAccount, type ThreadsAccount } from "./accounts.ts";
import { createLogins } from "./logins.ts";
import { createMedia, type ListWays, type PostByHand } from "./media.ts";
import { searchPlaces } from "./places.ts";
import type { ThreadsPost } from "./posts.ts";
import type { PullFailure } from "./pull.ts";

/** Threads, simulated. */
export interface ThreadsSandbox extends SandboxNetwork {
  /** Creates an account; connect it with its token. */
  addAccount(account: NewThreadsAccount): { access_token: string; external_id: string };
  /** Registers an app. */
  addApp(app: LoginApp): void;
  /** All posts, in the order of publication. */
  posts(): ThreadsPost[];
  /** The number of created containers, published or not. */
  containers(): number;
  /** The owner of the account with this id posts without the library; returns the post's id. */
  postAs(externalId: string, post: PostByHand): string;
  /** The author deletes a post. */
  removePost(id: string): void;
  /** The user revokes the token. */
  revoke(token: string): void;
  /**
   * True: a token of this account was used after it had been replaced, so the response with its replacement was lost.
   */
  wasLockedOut(externalId: string): boolean;
  /** Makes a revoked token valid again. */
  restore(token: string): void;
  /** The account with this id may not publish any more. */
  restrict(externalId: string): void;
  /** Counts posts and replies of today that the account published without the library. */
  useUpPosts(externalId: string, used: Partial<ThreadsAccount["quota"]>): void;
  /** Changes how the accounts' lists show posts. */
  changeLists(ways: Partial<ListWays>): void;
  /** Sets how long containers are processed. */
  processMediaFor(seconds: number): void;
  /** Rejects the publication of containers for this long after their creation, although their status is finished. */
  spreadContainersFor(seconds: number): void;
  /**
   * A reply with a video that is published sooner than this after the container's creation becomes a separate post,
   * outside the thread. @default 30
   */
  loseParentsFor(seconds: number): void;
  /** Makes the next container fail like this. */
  failNextMedia(failure: PullFailure): void;
  /** Makes all sharing on Instagram fail. */
  failShares(): void;
  /** Hides the details of tokens. */
  hideTokens(): void;
}

interface Call {
  request: SandboxRequest;
  holding: Holding;
  account: ThreadsAccount;
  /** The id in the path. */
  id: string;
}

export function threadsSandbox(ports: SandboxPorts): ThreadsSandbox {
  const nextId = createIds(18_000_000_000_000_000n, 1_009n);
  const basics = createBasics(ports);
  const accounts = createAccounts(ports, nextId);
  const media = createMedia(accounts, { nextId, lag: basics.lag }, ports);
  const logins = createLogins(ports, accounts);
  let hidesTokens = false;

  /** @param path an edge of an id belongs to the account itself */
  function call(method: string, path: string, run: (call: Call) => SandboxAnswer | Promise<SandboxAnswer>): Route {
    return route(graphOperation, `${method} /v1.0${path}`, (request, id = "") => {
      const holding = accounts.tokens.find(tokenIn(request));
      const { account } = holding;
      assertScope(holding, "threads_basic");
      if (path.startsWith("/:id/") && id !== account.id)
        throw graphRefusal("100/33", `Unsupported request. Object with ID '${id}' does not exist`);
      if (method !== "GET" && basics.quota.isUsedUp()) throw limited(account);
      return run({ request, holding, account, id });
    });
  }

  /** Operations that require the permission to publish. */
  function publishing(
    method: string,
    path: string,
    run: (call: Call) => SandboxAnswer | Promise<SandboxAnswer>,
  ): Route {
    return call(method, path, (given) => {
      assertScope(given.holding, "threads_content_publish");
      return run(given);
    });
  }

  const routes = [
    call("GET", "/me", ({ account }) => ok(accountFields(account))),
    call("GET", "/debug_token", ({ request }) => debugToken(request.url)),
    call("GET", "/:id", async ({ account, id, request }) => {
      const fields = topLevelFields(request.url.searchParams.get("fields") ?? "id");
      const shown = await media.show(account, id, fields);
      if (shown !== null) return shown;
      throw graphRefusal("100/33", `Unsupported get request. Object with ID '${id}' does not exist`);
    }),
    publishing("POST", "/:id/threads", ({ holding, request }) => media.create(holding, request)),
    publishing("POST", "/:id/threads_publish", ({ holding, request }) => media.publish(holding, request)),
    publishing("GET", "/:id/threads_publishing_limit", ({ account }) => media.quota(account)),
    call("GET", "/:id/threads", ({ account, request }) => media.list(account, "threads", request.url)),
    call("GET", "/:id/replies", ({ account, request }) => media.list(account, "replies", request.url)),
    call("GET", "/location_search", ({ holding, request }) => searchPlaces(holding, request.url)),
  ];

  function debugToken({ searchParams }: URL): SandboxAnswer {
    if (hidesTokens) throw graphRefusal(100, "(#100) You must provide an app access token");
    const text = searchParams.get("input_token") ?? "";
    const { account, scopes } = accounts.tokens.find(text);
    const expires_at = Math.floor((accounts.tokens.endOf(text) ?? 0) / 1000);
    const data = { type: "USER", application: "A host", is_valid: true, expires_at, scopes, user_id: account.id };
    return ok({ data });
  }

  function limited({ id }: ThreadsAccount): Error {
    const headers = usageHeaders(id, { now: basics.now(), endsAt: basics.quota.endsAt() });
    return graphRefusal(32, "(#32) Page request limit reached", { status: 403, headers });
  }

  return {
    ...createSimulation({
      network: "threads",
      hosts: ["graph.threads.net", "threads.net"],
      commits: ["POST /:id/threads_publish"],
      basics,
      routes: [...logins.routes, ...routes],
      missing: ({ method }) => graphRefusal(100, `Unsupported ${method.toLowerCase()} request.`).answer,
    }),
    ...accounts.switches,
    ...logins.switches,
    ...media.switches,
    posts: media.posts,
    hideTokens() {
      hidesTokens = true;
    },
  };
}

function accountFields({ id, username, name, may_choose_countries }: ThreadsAccount): object {
  const threads_profile_picture_url = `https://scontent.cdninstagram.com/${id}.jpg`;
  const is_eligible_for_geo_gating = may_choose_countries;
  return { id, username, name, is_verified: false, is_eligible_for_geo_gating, threads_profile_picture_url };
}
