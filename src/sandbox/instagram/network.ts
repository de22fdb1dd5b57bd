import { ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import { createFaults } from "../faults.ts";
import type { SandboxNetwork, SandboxPorts } from "../network.ts";
import { graphOperation, graphRefusal, graphRoute, topLevelFields, uploadHost, usageHeaders } from "../parts/graph.ts";
import { inUploadWords } from "../parts/graph-files.ts";
import { createIds } from "../parts/ids.ts";
import { answerTo } from "../parts/refusal.ts";
import { createBasics } from "../parts/simulation.ts";
import { assertScope, type Caller, createAccounts, type NewAccount, type SandboxAccount } from "./accounts.ts";
import { createLogins, type Logins } from "./logins.ts";
import { createMedia, type ListWays, type Media, type PostByHand } from "./media.ts";
import { listMusic } from "./music.ts";
import type { InstagramPost, StoredComment } from "./posts.ts";
import { listCatalogs, searchProducts } from "./shop.ts";

/** Instagram, simulated: accounts of Instagram Login, and of Facebook Login through their Pages. */
export interface InstagramSandbox extends SandboxNetwork {
  /** Creates an account; connect it with its token. */
  addAccount(account: NewAccount): { access_token: string; external_id: string };
  /**
   * Creates a person at Facebook with access to these accounts, by their ids: through their own Pages, and those of
   * their business.
   */
  addPerson(person: {
    name: string;
    accounts: readonly string[];
    owned?: readonly string[];
    clients?: readonly string[];
  }): void;
  /** The ids of all accounts, in the order of creation. */
  accounts(): string[];
  /** Adds a URL to which browsers may return after a sign-in with its apps. */
  addCallback(address: string): void;
  /** All posts, in the order of publication. */
  posts(): InstagramPost[];
  /** All comments under posts. */
  comments(): StoredComment[];
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
  /** Counts this many posts of today that the account published without the library. */
  useUpPosts(externalId: string, posts: number): void;
  /** Changes how the accounts' lists show posts. */
  changeLists(ways: Partial<ListWays>): void;
  /** Sets how long containers are processed. */
  processMediaFor(seconds: number): void;
  /** Makes the next container fail with this code. */
  failNextMedia(subcode: number): void;
}

interface Call {
  request: SandboxRequest;
  caller: Caller;
  /** The token's account, if it belongs to one account. */
  account: SandboxAccount;
  /** The id in the path. */
  id: string;
  fields: readonly string[];
}

type Operation = (call: Call) => SandboxAnswer | Promise<SandboxAnswer>;

const hosts: ReadonlySet<string> = new Set([
  ...["graph.instagram.com", "graph.facebook.com", uploadHost],
  ...["www.instagram.com", "api.instagram.com", "www.facebook.com"],
]);

/**
 * The API versions that the sandbox supports: those that have not ended.
 * https://developers.facebook.com/docs/graph-api/changelog (2026-09)
 */
const versions: ReadonlySet<string> = new Set(["v26.0", "v25.0"]);

export function instagramSandbox(ports: SandboxPorts): InstagramSandbox {
  const nextId = createIds(17_841_400_000_000_000n, 1_009n);
  const { lag, quota } = createBasics(ports);
  const accounts = createAccounts(ports, nextId);
  const media = createMedia(accounts, { nextId, lag }, ports);
  const logins = createLogins(ports, accounts);

  const ofPeople = questionsOfPeople(logins);
  const operations = operationsOn(media);

  function answer(request: SandboxRequest): SandboxAnswer | Promise<SandboxAnswer> {
    const { url } = request;
    const login = logins.answer(request);
    if (login !== null) return login;
    if (url.pathname === "/refresh_access_token" && url.hostname === "graph.instagram.com") return refresh(url);
    if (url.hostname === uploadHost) return upload(request);
    const [, version = "", id = ""] = url.pathname.split("/");
    if (!versions.has(version))
      throw graphRefusal(2635, "(#2635) You are calling a deprecated version of the Graph API");
    const caller = accounts.authenticate(request);
    const route = graphRoute(request);
    const found = ofPeople[route]?.(caller);
    if (found !== undefined) return found;
    const run = operations[route];
    const [account] = caller.token.accounts;
    if (run === undefined || account === undefined)
      throw graphRefusal(100, `Unsupported request - method type: ${request.method.toLowerCase()}`);
    if (request.method !== "GET" && quota.isUsedUp()) throw limited(account);
    const fields = topLevelFields(url.searchParams.get("fields") ?? "id");
    return run({ request, caller, account, id: decodeURIComponent(id), fields });
  }

  function upload(request: SandboxRequest): Promise<SandboxAnswer> {
    const caller = accounts.authenticate(request);
    const [account] = caller.token.accounts;
    const [, route, version = "", id = ""] = request.url.pathname.split("/");
    if (request.method !== "POST" || route !== "ig-api-upload" || !versions.has(version) || account === undefined)
      throw graphRefusal(100, "Unsupported request");
    assertScope(caller, "publish");
    return media.send(account, id, request);
  }

  function limited({ id }: SandboxAccount): Error {
    const headers = usageHeaders(id, { now: ports.clock.now(), endsAt: quota.endsAt() });
    return graphRefusal(80002, "(#80002) There have been too many calls to this Instagram account", { headers });
  }

  function refresh(url: URL): SandboxAnswer {
    if (url.searchParams.get("grant_type") !== "ig_refresh_token") throw graphRefusal(100, "Invalid grant_type");
    return ok(accounts.renew(url.searchParams.get("access_token") ?? ""));
  }

  return {
    network: "instagram",
    serves: (host) => hosts.has(host),
    operation: graphOperation,
    commits: ["POST /:id/media_publish", "POST /:id/comments"],
    faults: createFaults(),
    async answer(request) {
      try {
        return await answer(request);
      } catch (error) {
        return answerTo(request.url.hostname === uploadHost ? inUploadWords(error) : error);
      }
    },
    ...accounts.switches,
    ...media.switches,
    posts: media.posts,
    addPerson({ name, accounts: own, owned = [], clients = [] }) {
      const named = (ids: readonly string[]): SandboxAccount[] => ids.map(accounts.named);
      const business = { id: nextId(), owned: named(owned), clients: named(clients) };
      logins.addPerson({ id: nextId(), name, accounts: named(own), business });
    },
    addCallback: logins.addCallback,
    rateLimit: quota.useUp,
    lagReads: lag.take,
  };
}

/** Requests about a person, who may have access to no account. */
function questionsOfPeople(logins: Logins): Readonly<Record<string, (caller: Caller) => SandboxAnswer>> {
  return {
    "GET /me/accounts": (caller) => logins.pages(caller, "accounts"),
    "GET /me/permissions": logins.permissions,
    "GET /me/businesses": logins.businesses,
    "GET /:id/owned_pages": (caller) => logins.pages(caller, "owned_pages"),
    "GET /:id/client_pages": (caller) => logins.pages(caller, "client_pages"),
  };
}

function operationsOn(media: Media): Readonly<Record<string, Operation>> {
  return {
    "GET /me": ({ caller, account, fields }) => me(caller, account, fields),
    "GET /:id": async ({ account, id, fields }) => {
      const shown = id === account.id ? named(account) : await media.show(account, id, fields);
      if (shown === null)
        throw graphRefusal("100/33", `Unsupported get request. Object with ID '${id}' does not exist`);
      return shown;
    },
    "POST /:id": needing("comments", ({ account, id, request }) => media.switchComments(account, id, request)),
    "POST /:id/media": needing(
      "publish",
      ofAccount(({ caller, account, request }) => media.create(account, caller, request)),
    ),
    "POST /:id/media_publish": needing(
      "publish",
      ofAccount(({ account, request }) => media.publish(account, request)),
    ),
    "GET /:id/media": ofAccount(({ account, request }) => media.list(account, "media", request.url)),
    "GET /:id/stories": ofAccount(({ account, request }) => media.list(account, "stories", request.url)),
    "GET /ig_audio": needing("publish", ({ caller, account, request }) => listMusic(account, caller, request.url)),
    "GET /:id/available_catalogs": ofAccount(({ caller, request }) => listCatalogs(caller, request.url)),
    "GET /:id/catalog_product_search": ofAccount(({ caller, request }) => searchProducts(caller, request.url)),
    "GET /:id/content_publishing_limit": needing(
      "publish",
      ofAccount(({ account }) => media.quota(account)),
    ),
    "POST /:id/comments": needing("comments", ({ account, id, request }) => media.comment(account, id, request)),
    "GET /:id/comments": needing("basic", ({ account, id, request }) => media.listComments(account, id, request.url)),
  };
}

function needing(purpose: Parameters<typeof assertScope>[1], run: Operation): Operation {
  return (call) => {
    assertScope(call.caller, purpose);
    return run(call);
  };
}

/** The path begins with the account's own id. */
function ofAccount(run: Operation): Operation {
  return (call) => {
    const { account, id } = call;
    if (id !== account.id)
      throw graphRefusal("100/33", `Unsupported request. Object with ID '${id}' does not exist or cannot be loaded`);
    return run(call);
  };
}

function accountFields({ id, username, name }: SandboxAccount): Record<string, string> {
  return { id, username, name, profile_picture_url: `https://scontent.cdninstagram.com/${id}.jpg` };
}

function named(account: SandboxAccount): SandboxAnswer {
  return ok(accountFields(account));
}

/** `user_id` is written as a JSON number. https://github.com/facebook/facebook-business-sdk-codegen (2026-04) */
function me({ token }: Caller, account: SandboxAccount, fields: readonly string[]): SandboxAnswer {
  const { id, ...shown } = accountFields(account);
  if (token.kind === "instagram") {
    const json = JSON.stringify({ ...shown, id: account.app_scoped_id, account_type: account.account_type });
    return answerJson(json.replace(/}$/, `,"user_id":${id}}`));
  }
  if (token.kind === "user") {
    const missing = fields.find((field) => field.startsWith("instagram_business_account"));
    if (missing !== undefined) throw graphRefusal(100, `(#100) Tried accessing nonexisting field (${missing})`);
    return ok({ id: account.app_scoped_id, name: "Somebody" });
  }
  return ok({ ...account.page, instagram_business_account: accountFields(account) });
}

function answerJson(text: string): SandboxAnswer {
  return { status: 200, headers: { "content-type": "application/json; charset=UTF-8" }, text };
}
