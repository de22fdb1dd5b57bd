import type { JsonObject } from "../../wire/json.ts";
import { ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import { createFaults } from "../faults.ts";
import type { SandboxNetwork, SandboxPorts } from "../network.ts";
import { createQuota } from "../parts/quota.ts";
import { createRequestWindow, type RequestsLeft } from "../parts/request-window.ts";
import { createAccounts, externalIdOf, type NewAccount, type SandboxAccount } from "./accounts.ts";
import type { MentionFlood } from "./flood.ts";
import {
  createInstances,
  defaultHost,
  type HandleDomain,
  instanceV1,
  instanceV2,
  type NewInstance,
  type SandboxInstance,
} from "./instances.ts";
import { createLogins } from "./logins.ts";
import { createMediaStore } from "./media.ts";
import { accountOperations, mediaOperations, type Operations, statusOperations, verification } from "./operations.ts";
import { type MastodonPeople, mastodonPeople } from "./people.ts";
import type { MastodonPost } from "./posts.ts";
import { answerOf, notFound, Refusal } from "./refusal.ts";
import { createStatuses, type PostByHand } from "./statuses.ts";
import type { InstanceWays } from "./ways.ts";
import { isWebfinger, sentOn, webfinger } from "./webfinger.ts";

/** The author of invented mentions. */
const strangersName = "a_stranger";

/** Mastodon, simulated: any number of instances, each with its own accounts. */
export interface MastodonSandbox extends SandboxNetwork {
  /** Creates an instance. `mastodon.sandbox.example` exists from the start, with Mastodon's limits and behaviour. */
  addInstance(instance: NewInstance): void;
  /** Changes these behaviours of the instance; the others stay the same. @default mastodon.sandbox.example */
  changeInstance(ways: Partial<InstanceWays>, host?: string): void;
  /** Creates a domain for handles, besides the instance's host; the instance must report it, too (`domain`). */
  addDomain(domain: HandleDomain): void;
  /** Creates an account; connect it with its instance and access token. */
  addAccount(account: NewAccount): { instance: string; access_token: string; external_id: string };
  /** The owner of the account with this external id posts without the library; returns the post's id. */
  postAs(externalId: string, post: PostByHand): string;
  /** Adds the posts of the second account to the home timeline of the first. */
  follow(externalId: string, followed: string): void;
  /** The first account mutes the second, or ends that. */
  mute(externalId: string, muted: string, isMuted: boolean): void;
  /** All posts, in the order of publication. */
  posts(): MastodonPost[];
  /** The author edits a post's text; returns its id, which some servers change. */
  editPost(id: string, text: string): string;
  /** Approves a reply, on an instance that requires it: the author of the post above lets others see it. */
  approvePost(id: string): void;
  /** The author deletes a post. */
  removePost(id: string): void;
  /** The server forgets all apps: sign-ins in progress fail. @default mastodon.sandbox.example */
  forgetApps(host?: string): void;
  /**
   * Makes the instance hostile: its sign-in page redirects browsers to this page of another server, with the same
   * `state`, and the instance stores the codes that it receives.
   */
  hijackLogins(host: string, page: string): void;
  /** The codes that the instance has received since. */
  stolenCodes(host: string): readonly string[];
  /** The user revokes the access token. */
  revoke(token: string): void;
  /** Makes a revoked access token valid again. */
  restore(token: string): void;
  /** Suspends the account with this external id; its posts are hidden. */
  suspend(externalId: string): void;
  /** Ends the suspension. */
  unsuspend(externalId: string): void;
  /** Rejects all changes for this long. */
  rateLimit(seconds: number): void;
  /** Sets how long videos and GIFs are processed. */
  processMediaFor(seconds: number): void;
  /** Makes the conversion of the next file fail. */
  failNextMedia(): void;
  /** Delays posts in timelines. */
  lagReads(seconds: number): void;
  /** Sets the number of requests accepted in five minutes with one token; null: no limit. @default null */
  limitRequests(max: number | null): void;
  /** Makes each read of the account's newest mentions return new ones by a stranger; null: no more. */
  flood(externalId: string, flood: MentionFlood | null): void;
  /**
   * Makes a repeated `Idempotency-Key` create a second post there, as on some Mastodon-compatible servers.
   * @default mastodon.sandbox.example
   */
  ignoreIdempotencyKeys(host?: string): void;
  /** Creates an account with people who write to it. */
  people(options: { name: string }): MastodonPeople;
}

/** Public documents. */
const documents: Readonly<Record<string, (instance: SandboxInstance) => JsonObject>> = {
  "GET /api/v2/instance": instanceV2,
  "GET /api/v1/instance": instanceV1,
};

export function mastodonSandbox(ports: SandboxPorts): MastodonSandbox {
  const instances = createInstances();
  const { domains, waysOf } = instances;
  const accounts = createAccounts(ports);
  const nextId = createIdSource(ports);
  const media = createMediaStore(ports, nextId);
  const statuses = createStatuses(ports, { nextId, media, accounts: accounts.all });
  const logins = createLogins(ports, { accounts, waysOf });
  const quota = createQuota(ports.clock);
  const requests = createRequestWindow(ports.clock, windowMs);
  const operations: Operations = {
    ...accountOperations(accounts, statuses),
    ...mediaOperations(media),
    ...statusOperations(statuses),
  };

  /** Requests that need no token. */
  const open: Readonly<Record<string, (request: SandboxRequest) => SandboxAnswer | Promise<SandboxAnswer>>> = {
    "POST /api/v1/apps": logins.register,
    "GET /.well-known/oauth-authorization-server": logins.metadata,
    "GET /oauth/authorize": logins.authorize,
    "POST /oauth/token": logins.token,
    "POST /oauth/revoke": logins.revoke,
  };

  function strangerOn(instance: SandboxInstance): SandboxAccount {
    const known = accounts.all().find((each) => each.instance === instance && each.username === strangersName);
    return known ?? accounts.add({ instance, given: { username: strangersName }, id: nextId() }).account;
  }

  async function answer(request: SandboxRequest): Promise<SandboxAnswer> {
    const domain = domains.get(request.url.hostname);
    const instance = instances.find(domain?.instance ?? request.url.hostname);
    const name = operation(request);
    if (instance !== undefined && isWebfinger(request)) {
      if (domain !== undefined && domain.webfinger !== "answers") return sentOn(request, domain);
      return webfinger(request, { instance, accounts: accounts.all() });
    }
    if (domain !== undefined || instance === undefined || (instance.only_v1 && name.includes("/api/v2/")))
      throw notFound();
    const document = documents[name];
    if (document !== undefined) return ok(document(instance));
    const login = open[name];
    if (login !== undefined) return login(request);
    const found = operations[name];
    if (found === undefined) throw notFound();
    const id = decodeURIComponent(request.url.pathname.split("/")[4] ?? "");
    const { account, scopes } = accounts.authenticate(request, found.scope);
    if (request.method !== "GET" && quota.isUsedUp()) throw new Refusal(429, "Too many requests");
    return found.run({ request, account, scopes, id });
  }

  /** The rate limit headers of each response. */
  function withRateLimit(given: SandboxAnswer, counted: RequestsLeft | null): SandboxAnswer {
    const isUsedUp = given.status === 429 && (counted?.left ?? 0) >= 0;
    const headers = limitHeaders(counted, { now: ports.clock.now(), usedUpUntil: isUsedUp ? quota.endsAt() : null });
    return { ...given, headers: { ...headers, ...given.headers } };
  }

  const there: Omit<MastodonSandbox, "people"> = {
    network: "mastodon",
    serves: (host) => instances.find(host) !== undefined || domains.has(host),
    operation,
    commits: ["POST /api/v1/statuses"],
    faults: createFaults(),
    async answer(request) {
      const counted = requests.take(request.headers.get("authorization") ?? "");
      try {
        if (counted !== null && counted.left < 0) throw new Refusal(429, "Too many requests");
        const given = await answer(request);
        return withRateLimit(
          { ...given, headers: { ...dateHeader(waysOf(request.url.hostname), ports.clock.now()), ...given.headers } },
          counted,
        );
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const ways = waysOf(request.url.hostname);
        const isVerification = operation(request) === verification;
        return withRateLimit(answerOf(error, { ways, isVerification }), counted);
      }
    },
    ...instances.switches,
    ...accounts.switches,
    addAccount(given) {
      const instance = instances.named(given.instance ?? defaultHost);
      const { account, token } = accounts.add({ instance, given, id: given.id ?? nextId() });
      return { instance: instance.host, access_token: token, external_id: externalIdOf(account) };
    },
    postAs: (externalId, post) => statuses.add(accounts.named(externalId), post),
    posts: statuses.posts,
    editPost: statuses.edit,
    approvePost: statuses.approve,
    removePost: statuses.remove,
    forgetApps: (host = defaultHost) => logins.forgetApps(host),
    hijackLogins: logins.hijack,
    stolenCodes: logins.stolenCodes,
    rateLimit: quota.useUp,
    limitRequests: requests.limit,
    processMediaFor: media.processFor,
    failNextMedia: media.failNext,
    lagReads: statuses.lagReads,
    flood(externalId, flood) {
      const reader = accounts.named(externalId);
      statuses.flood(reader, strangerOn(reader.instance), flood);
    },
  };
  return { ...there, people: (options) => mastodonPeople(there, options) };
}

/** Windows of five minutes. https://docs.joinmastodon.org/api/rate-limits/ (2026-07) */
const windowMs = 300_000;

/** The header `Date` of a server, if its clock is wrong. */
function dateHeader({ secondsBehind }: InstanceWays, now: number): Record<string, string> {
  return secondsBehind === 0 ? {} : { date: new Date(now - secondsBehind * 1000).toUTCString() };
}

/** An ISO time with microseconds; there is no Retry-After. https://docs.joinmastodon.org/api/rate-limits/ (2026-07) */
function limitHeaders(
  counted: RequestsLeft | null,
  { now, usedUpUntil }: { now: number; usedUpUntil: number | null },
): Record<string, string> {
  const windowEnd = (Math.floor(now / windowMs) + 1) * windowMs;
  const { max = 300, left = 299, resetsAt = windowEnd } = counted ?? {};
  return {
    "x-ratelimit-limit": String(max),
    "x-ratelimit-remaining": usedUpUntil === null ? String(Math.max(0, left)) : "0",
    "x-ratelimit-reset": new Date(usedUpUntil ?? resetsAt).toISOString().replace("Z", "000Z"),
  };
}

/** `GET /api/v1/media/:id`, derived from `/api/v1/media/1234`. */
function operation({ method, url }: SandboxRequest): string {
  const path = url.pathname.replace(
    /^(\/api\/v1\/(?:media|statuses|accounts))\/(?!(?:verify_credentials|lookup)$)[^/]+/,
    "$1/:id",
  );
  return `${method} ${path}`;
}

/** Ids that sort by time: milliseconds, then 16 bits. They are strings, because they exceed safe integers. */
function createIdSource(ports: SandboxPorts): () => string {
  let count = 0n;
  return () => {
    count += 1n;
    return ((BigInt(ports.clock.now()) << 16n) | (count & 0xffffn)).toString();
  };
}
