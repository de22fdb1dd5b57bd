import type { JsonObject } from "../../wire/json.ts";
import { ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import { createFaults } from "../faults.ts";
import type { SandboxNetwork, SandboxPorts, SandboxPost } from "../network.ts";
import { createLag } from "../parts/listing.ts";
import { createQuota } from "../parts/quota.ts";
import { answerTo, type Refusal } from "../parts/refusal.ts";
import { createRequestWindow, type RequestsLeft } from "../parts/request-window.ts";
import { type Accounts, createAccounts, firstServer, type NewAccount } from "./accounts.ts";
import { type AllowedClient, allowed } from "./allowed.ts";
import { createAuthorization } from "./authorization.ts";
import { createChatService, type SandboxChat } from "./chat.ts";
import type { Reached } from "./clients.ts";
import { type HandPosts, handPosts } from "./hand-posts.ts";
import { type BlueskyPeople, blueskyPeople } from "./people.ts";
import { postsOf } from "./posts.ts";
import { refusal } from "./refusal.ts";
import { createRepository } from "./repository.ts";
import {
  type Authenticate,
  createServiceAuth,
  type Methods,
  repositoryMethods,
  serverDid,
  serverMethods,
} from "./server-methods.ts";
import { createSessions } from "./sessions.ts";
import { createVideoService } from "./video.ts";
import { viewMethods } from "./view-methods.ts";
import { recordAt } from "./views.ts";

/** The limit that Bluesky's own servers report. https://docs.bsky.app/docs/advanced-guides/rate-limits (2026-08) */
const blueskyBlobLimit = 52_428_800;
const writes: ReadonlySet<string> = new Set(["applyWrites", "createRecord", "putRecord", "uploadBlob"]);

/** Bluesky, simulated: bsky.social, plc.directory, video.bsky.app and one server with the accounts. */
export interface BlueskySandbox extends SandboxNetwork, HandPosts {
  /** Creates an account; connect it with its handle and password. */
  addAccount(account: NewAccount): { did: string; handle: string; password: string };
  /**
   * The account's server and its DID document state this handle from now on, although the handle does not resolve to
   * the account.
   */
  claimHandle(did: string, handle: string): void;
  /** All posts, in the order of publication. */
  posts(): SandboxPost[];
  /** Messages between accounts. */
  chat: SandboxChat;
  /** The record with this at:// URI. */
  record(uri: string): JsonObject | undefined;
  /** Expires all access tokens; refresh tokens stay valid. */
  expireTokens(): void;
  /** True: a refresh token of this account, a DID, was used twice, which has ended its grant. */
  wasLockedOut(did: string): boolean;
  /**
   * The user revokes the app password and all grants: tokens cannot be refreshed; an app password's access token is
   * valid until it expires.
   */
  revoke(handle: string): void;
  /**
   * Makes a host reachable for the servers, so that they can read an app's metadata there. Pass the service's handler.
   */
  reach(host: string, answer: Reached): void;
  /** Invalidates all nonces that servers have issued. */
  rotateNonces(): void;
  /** Signs the user in to an app, without the page; returns the credentials that connect the account. */
  allow(handle: string, client: AllowedClient): JsonObject;
  /** The account is suspended. */
  takeDown(handle: string): void;
  /** Ends the suspension. */
  restore(handle: string): void;
  /** Rejects writes for this long. */
  rateLimit(seconds: number): void;
  /** Sets the number of requests accepted in five minutes from one IP address; null: no limit. @default null */
  limitRequests(max: number | null): void;
  /** Sets how long videos are processed. */
  processVideosFor(seconds: number): void;
  /** Makes the next video end with this `failureCode`. */
  failNextVideo(failureCode: string): void;
  /** Delays what the view service shows (profiles, quoted posts). The accounts' server does not lag. */
  lagReads(seconds: number): void;
  /** Sets the maximum file size on the accounts' server; null: a server from before April 2026, which reports none. */
  limitBlobs(bytes: number | null): void;
  /** Moves the account with all its data to the server of this name; on the old server it is deactivated. */
  move(handle: string, server: string): void;
  /**
   * Sets the status with which the accounts' server reports a missing record: the reference server's is 400, that of
   * another is 404.
   */
  sayMissingWith(status: 400 | 404): void;
  /** Creates an account with people who write to it. */
  people(options: { name: string }): BlueskyPeople;
}

export function blueskySandbox(ports: SandboxPorts): BlueskySandbox {
  const accounts = createAccounts(ports);
  const sessions = createSessions(ports, accounts);
  const authorization = createAuthorization(ports, accounts);
  const servers = new Set([firstServer]);
  const lag = createLag(ports.clock);
  const quota = createQuota(ports.clock);
  const requests = createRequestWindow(ports.clock, windowSeconds * 1000);
  const server = createServerWays();
  const repository = createRepository(ports, accounts, server);
  const authenticate: Authenticate = (request) => authorization.authenticate(request) ?? sessions.authenticate(request);
  const serviceAuth = createServiceAuth(ports, sessions, authenticate);
  const video = createVideoService(ports, accounts, {
    serverDid,
    blobLimit: server.blobLimit,
    isServiceToken: serviceAuth.isServiceToken,
  });
  const chat = createChatService(ports, accounts);

  /** Servers forward methods of the service for messages only with its header. */
  function chatAnswer(method: string, request: SandboxRequest): SandboxAnswer | null {
    if (request.headers.get("atproto-proxy") !== "did:web:api.bsky.chat#bsky_chat") return null;
    return chat.answer(authenticate(request), `${request.method} ${method}`, request);
  }

  const methods: Methods = {
    ...serverMethods({ accounts, sessions, authenticate, blobLimit: server.blobLimit }),
    "GET com.atproto.server.getServiceAuth": serviceAuth.grant,
    ...repositoryMethods(repository, authenticate),
    ...viewMethods(accounts, { lag, authenticate }),
  };

  async function answer(request: SandboxRequest): Promise<SandboxAnswer> {
    const ofLogin = await authorization.answer(request);
    if (ofLogin !== null) return ofLogin;
    const { hostname, pathname } = request.url;
    if (hostname === "plc.directory") return didDocument(accounts, decodeURIComponent(pathname.slice(1)));
    if (pathname === "/.well-known/did.json") return didDocument(accounts, `did:web:${hostname}`);
    const method = request.url.pathname.replace(/^\/xrpc\//, "");
    if (request.url.hostname === "video.bsky.app") return video.answer(method, request);
    if (writes.has(operation(request)) && quota.isUsedUp()) throw rateLimitExceeded(quota.endsAt());
    const handle = methods[`${request.method} ${method}`];
    const given = handle === undefined ? chatAnswer(method, request) : handle(request);
    if (given === null) throw refusal(502, "UpstreamFailure", "Upstream Failure");
    return given;
  }

  const there: Omit<BlueskySandbox, "people"> = {
    network: "bluesky",
    serves: (host) => ["bsky.social", "plc.directory", "video.bsky.app"].includes(host) || servers.has(host),
    operation: (request) => authorization.operation(request) ?? operation(request),
    commits: ["applyWrites", "createRecord", "sendMessage"],
    faults: createFaults(),
    async answer(request) {
      const left = requests.take("");
      const isRefused = left !== null && left.left < 0;
      const answered = isRefused ? Promise.reject(rateLimitExceeded(left.resetsAt)) : answer(request);
      const given = await answered.catch(answerTo);
      return { ...given, headers: { ...limitHeaders(left), ...given.headers, ...authorization.headers(request) } };
    },
    addAccount(account) {
      const { did, handle, password, server } = accounts.add(account);
      servers.add(server);
      return { did, handle, password };
    },
    ...accounts.switches,
    ...handPosts(ports, accounts, repository),
    posts: () => postsOf(accounts.all()),
    chat,
    record: (uri) => recordAt(accounts, uri)?.value,
    wasLockedOut: authorization.wasReplayed,
    expireTokens() {
      sessions.expireAll();
      authorization.expireAll();
    },
    revoke(handle) {
      const { did } = accounts.byHandle(handle);
      sessions.revoke(did);
      authorization.revoke(did);
    },
    reach: authorization.reach,
    rotateNonces: authorization.rotateNonces,
    allow: (handle, client) => allowed(authorization, accounts.byHandle(handle), client, ports),
    rateLimit: quota.useUp,
    limitRequests: requests.limit,
    processVideosFor: video.processFor,
    failNextVideo: video.failNext,
    lagReads: lag.take,
    ...server.switches,
    move(handle, server) {
      accounts.byHandle(handle).server = server;
      servers.add(server);
    },
  };
  return { ...there, people: (options) => blueskyPeople(there, options) };
}

/** The responses of the accounts' server that differ by version and implementation. */
function createServerWays() {
  let blobLimit: number | null = blueskyBlobLimit;
  let missingStatus: 400 | 404 = 400;
  return {
    blobLimit: () => blobLimit,
    missingStatus: () => missingStatus,
    switches: {
      limitBlobs(bytes: number | null): void {
        blobLimit = bytes;
      },
      sayMissingWith(status: 400 | 404): void {
        missingStatus = status;
      },
    },
  };
}

/** `createRecord`, derived from `/xrpc/com.atproto.repo.createRecord`. */
function operation(request: SandboxRequest): string {
  if (request.url.hostname === "plc.directory") return "plc.directory";
  return request.url.pathname.slice(request.url.pathname.lastIndexOf(".") + 1);
}

/** https://web.plc.directory/api/redoc (2026-08) */
function didDocument(accounts: Accounts, did: string): SandboxAnswer {
  const account = accounts.find(did);
  if (account === undefined) return { status: 404, json: { message: `DID not registered: ${did}` } };
  const service = [
    { id: "#atproto_pds", type: "AtprotoPersonalDataServer", serviceEndpoint: `https://${account.server}` },
  ];
  return ok({ id: did, alsoKnownAs: [`at://${account.claimed}`], service });
}

/**
 * The window in which the requests of one IP address are counted.
 * https://docs.bsky.app/docs/advanced-guides/rate-limits (2026-08)
 */
const windowSeconds = 300;

function limitHeaders(requests: RequestsLeft | null): Record<string, string> {
  if (requests === null) return {};
  const { max, left, resetsAt } = requests;
  return {
    "ratelimit-limit": String(max),
    "ratelimit-remaining": String(Math.max(0, left)),
    "ratelimit-reset": String(Math.floor(resetsAt / 1000)),
    "ratelimit-policy": `${max};w=${windowSeconds}`,
  };
}

/** There is no Retry-After. https://docs.bsky.app/docs/advanced-guides/rate-limits (2026-08) */
function rateLimitExceeded(until: number): Refusal {
  return refusal(429, "RateLimitExceeded", "Rate Limit Exceeded", {
    "ratelimit-limit": "5000",
    "ratelimit-remaining": "0",
    "ratelimit-reset": String(Math.floor(until / 1000)),
    "ratelimit-policy": "5000;w=3600",
  });
}
