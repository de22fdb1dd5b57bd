import type { SandboxAnswer, SandboxRequest } from "../exchange.ts";
import { createFaults } from "../faults.ts";
import type { SandboxNetwork, SandboxPorts } from "../network.ts";
import {
  createGraphIds,
  graphOperation,
  graphRefusal,
  graphRoute,
  topLevelFields,
  usageHeaders,
} from "../parts/graph.ts";
import { tokenIn } from "../parts/graph-tokens.ts";
import type { LoginApp } from "../parts/login-pages.ts";
import { createQuota } from "../parts/quota.ts";
import { answerTo } from "../parts/refusal.ts";
import { createAccounts, demandScope, type Holding, type NewThreadsAccount, type ThreadsAccount } from "./accounts.ts";
import { createLogins } from "./logins.ts";
import { createMedia, type ListWays, type PostByHand } from "./media.ts";
import { searchPlaces } from "./places.ts";
import type { ThreadsPost } from "./posts.ts";
import type { PullFailure } from "./pull.ts";

/** Threads, simulated. */
export interface ThreadsSandbox extends SandboxNetwork {
  /** Makes an account; connect it with its token. */
  addAccount(account: NewThreadsAccount): { access_token: string; external_id: string };
  /** Registers an app. */
  addApp(app: LoginApp): void;
  /** Every post, in the order of publication. */
  posts(): ThreadsPost[];
  /** How many containers were made, published or not. */
  containers(): number;
  /** The owner of the account of this id posts by hand; returns the post's id. */
  postAs(externalId: string, post: PostByHand): string;
  /** The author deletes a post. */
  removePost(id: string): void;
  /** The user takes the token back. */
  revoke(token: string): void;
  /** A token of this account's was used that another had taken the place of: the answer with the other was lost. */
  wasLockedOut(externalId: string): boolean;
  /** A revoked token works again. */
  restore(token: string): void;
  /** The account of this id may publish nothing. */
  restrict(externalId: string): void;
  /** The account has published so much today, past the library. */
  useUpPosts(externalId: string, used: Partial<ThreadsAccount["quota"]>): void;
  /** From now on the accounts' lists show posts in another way. */
  changeLists(ways: Partial<ListWays>): void;
  /** Containers are worked on for this long from now on. */
  processMediaFor(seconds: number): void;
  /** Containers cannot be published for this long after they were made, although they say that they are finished. */
  spreadContainersFor(seconds: number): void;
  /** A reply with a video that is published sooner than this after its container was made stands alone, in no thread. @default 30 */
  loseParentsFor(seconds: number): void;
  /** The next container fails like this. */
  failNextMedia(failure: PullFailure): void;
  /** Nothing is shown on Instagram from now on. */
  failShares(): void;
  /** From now on tokens tell nothing about themselves. */
  hideTokens(): void;
}

interface Call {
  request: SandboxRequest;
  holding: Holding;
  account: ThreadsAccount;
  /** In the path. */
  id: string;
}

type Operation = (call: Call) => SandboxAnswer | Promise<SandboxAnswer>;

const hosts: ReadonlySet<string> = new Set(["graph.threads.net", "threads.net"]);

export function threadsSandbox(ports: SandboxPorts): ThreadsSandbox {
  const nextId = createGraphIds(18_000_000_000_000_000n);
  const accounts = createAccounts(ports, nextId);
  const media = createMedia(ports, nextId);
  const logins = createLogins(ports, accounts);
  const quota = createQuota(ports.clock);
  let hidesTokens = false;

  const operations: Readonly<Record<string, Operation>> = {
    "GET /me": ({ account }) => ({ status: 200, json: accountFields(account) }),
    "GET /debug_token": ({ request }) => debugToken(request.url),
    "GET /:id": async ({ account, id, request }) => {
      const shown = await media.show(account, id, topLevelFields(request.url.searchParams.get("fields") ?? "id"));
      if (shown === null)
        throw graphRefusal("100/33", `Unsupported get request. Object with ID '${id}' does not exist`);
      return shown;
    },
    "POST /:id/threads": ({ holding, request }) => {
      demandScope(holding, "threads_content_publish");
      return media.create(holding, request);
    },
    "POST /:id/threads_publish": ({ holding, request }) => {
      demandScope(holding, "threads_content_publish");
      return media.publish(holding, request);
    },
    "GET /:id/threads": ({ account, request }) => media.list(account, "threads", request.url),
    "GET /:id/replies": ({ account, request }) => media.list(account, "replies", request.url),
    "GET /location_search": ({ holding, request }) => searchPlaces(holding, request.url),
    "GET /:id/threads_publishing_limit": ({ holding, account }) => {
      demandScope(holding, "threads_content_publish");
      return media.quota(account);
    },
  };

  async function answer(request: SandboxRequest): Promise<SandboxAnswer> {
    const { url, method } = request;
    const login = logins.answer(request);
    if (login !== null) return login;
    const [, version, id = ""] = url.pathname.split("/");
    const run = operations[graphRoute(request)];
    if (version !== "v1.0" || run === undefined)
      throw graphRefusal(100, `Unsupported ${method.toLowerCase()} request.`);
    const holding = accounts.tokens.find(tokenIn(request));
    const { account } = holding;
    demandScope(holding, "threads_basic");
    if (/^\/v1\.0\/\d+\/\w/.test(url.pathname) && id !== account.id)
      throw graphRefusal("100/33", `Unsupported request. Object with ID '${id}' does not exist`);
    if (method !== "GET" && quota.isUsedUp()) throw limited(account);
    return run({ request, holding, account, id });
  }

  function debugToken(url: URL): SandboxAnswer {
    if (hidesTokens) throw graphRefusal(100, "(#100) You must provide an app access token");
    const text = url.searchParams.get("input_token") ?? "";
    const { account, scopes } = accounts.tokens.find(text);
    const expires_at = Math.floor((accounts.tokens.endOf(text) ?? 0) / 1000);
    const data = { type: "USER", application: "A host", is_valid: true, expires_at, scopes, user_id: account.id };
    return { status: 200, json: { data } };
  }

  function limited({ id }: ThreadsAccount): Error {
    const headers = usageHeaders(id, { now: ports.clock.now(), endsAt: quota.endsAt() });
    return graphRefusal(32, "(#32) Page request limit reached", { status: 403, headers });
  }

  return {
    network: "threads",
    serves: (host) => hosts.has(host),
    operation: graphOperation,
    commits: ["POST /:id/threads_publish"],
    faults: createFaults(),
    answer: (request) => answer(request).catch(answerTo),
    addAccount(given) {
      const { account, token } = accounts.add(given);
      return { access_token: token, external_id: account.id };
    },
    addApp: logins.addApp,
    posts: media.posts,
    containers: media.made,
    postAs: (externalId, post) => media.addByHand(accounts.named(externalId), post),
    removePost: media.remove,
    wasLockedOut: (externalId) => accounts.tokens.wasReused(({ account }) => account.id === externalId),
    revoke: (token) => accounts.tokens.setRevoked(token, true),
    restore: (token) => accounts.tokens.setRevoked(token, false),
    restrict(externalId) {
      accounts.named(externalId).status = "restricted";
    },
    useUpPosts: (externalId, used) => media.useUp(accounts.named(externalId), used),
    changeLists: media.change,
    processMediaFor: media.processFor,
    spreadContainersFor: media.spreadFor,
    loseParentsFor: media.loseParentsFor,
    failNextMedia: media.failNext,
    failShares: media.failShares,
    hideTokens() {
      hidesTokens = true;
    },
    rateLimit: quota.useUp,
    lagReads: media.lagReads,
  };
}

function accountFields({ id, username, name, may_choose_countries }: ThreadsAccount): Record<string, unknown> {
  return {
    ...{ id, username, name, is_verified: false, is_eligible_for_geo_gating: may_choose_countries },
    threads_profile_picture_url: `https://scontent.cdninstagram.com/${id}.jpg`,
  };
}
