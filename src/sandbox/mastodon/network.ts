import type { JsonObject } from "../../wire/json.ts";
import { ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import { createFaults } from "../faults.ts";
import type { SandboxNetwork, SandboxPorts } from "../network.ts";
import { known } from "../parts/known.ts";
import { createQuota } from "../parts/quota.ts";
import { createRequestWindow, type RequestsLeft } from "../parts/request-window.ts";
import {
  accountEntity,
  applicationEntity,
  createAccounts,
  credentialAccount,
  externalIdOf,
  type NewAccount,
  type SandboxAccount,
} from "./accounts.ts";
import type { MentionFlood } from "./flood.ts";
import { instanceV1, instanceV2, type NewInstance, type SandboxInstance, toInstance } from "./instances.ts";
import { createLogins } from "./logins.ts";
import { createMediaStore } from "./media.ts";
import type { MastodonPost } from "./posts.ts";
import { answerOf, notFound, Refusal } from "./refusal.ts";
import { createStatuses, type PostByHand } from "./statuses.ts";
import { type InstanceWays, mastodonsWays } from "./ways.ts";
import { type HandleDomain, isWebfinger, sentOn, webfinger } from "./webfinger.ts";

const defaultHost = "mastodon.sandbox.example";
/** Who writes what a server makes up. */
const strangersName = "a_stranger";

/** Mastodon, simulated: any number of instances, each with accounts of its own. */
export interface MastodonSandbox extends SandboxNetwork {
  /** Makes an instance. `mastodon.sandbox.example`, with stock limits and Mastodon's ways, is there from the start. */
  addInstance(instance: NewInstance): void;
  /** From now on the instance does this in another way; the rest stays as it is. @default mastodon.sandbox.example */
  changeInstance(ways: Partial<InstanceWays>, host?: string): void;
  /** Makes a domain that handles end in, apart from the instance's host; the instance must say so, too (`domain`). */
  addDomain(domain: HandleDomain): void;
  /** Makes an account; connect it with its instance and access token. */
  addAccount(account: NewAccount): { instance: string; access_token: string; external_id: string };
  /** The owner of the account of this external id posts by hand, past its tokens; returns the post's id. */
  postAs(externalId: string, post: PostByHand): string;
  /** From now on the home timeline of the first account shows the posts of the second. */
  follow(externalId: string, followed: string): void;
  /** The first account is told nothing more of the second, or again. */
  mute(externalId: string, muted: string, isMuted: boolean): void;
  /** Every post, in the order of publication. */
  posts(): MastodonPost[];
  /** The author changes a post's text; returns its id, which some servers change. */
  editPost(id: string, text: string): string;
  /** The account whose post it answers lets others see a post, where the instance asks for that. */
  approvePost(id: string): void;
  /** The author deletes a post. */
  removePost(id: string): void;
  /** The server no longer knows any app: logins that began before fail. @default mastodon.sandbox.example */
  forgetApps(host?: string): void;
  /**
   * From now on the instance means harm: it sends browsers from its login page to this one, another server's, with the
   * `state` that they came with, and keeps the codes that it is handed.
   */
  hijackLogins(host: string, page: string): void;
  /** The codes that the instance was handed since. */
  stolenCodes(host: string): readonly string[];
  /** The user takes the access token back. */
  revoke(token: string): void;
  /** A revoked access token works again. */
  restore(token: string): void;
  /** The account of this external id is suspended; its posts are hidden. */
  suspend(externalId: string): void;
  /** It is no longer suspended. */
  unsuspend(externalId: string): void;
  /** Whatever changes something is refused for this long. */
  rateLimit(seconds: number): void;
  /** Videos and GIFs take this long from now on. */
  processMediaFor(seconds: number): void;
  /** The next file cannot be converted. */
  failNextMedia(): void;
  /** Timelines show a post only this much later. */
  lagReads(seconds: number): void;
  /** From now on so many requests are taken in five minutes with one token; null: as many as come. @default null */
  limitRequests(max: number | null): void;
  /** From now on each look at the newest mentions of the account of this external id finds new ones, of a stranger; null: no more. */
  flood(externalId: string, flood: MentionFlood | null): void;
  /** From now on a repeated `Idempotency-Key` makes a second post there, as on some look-alikes. @default mastodon.sandbox.example */
  ignoreIdempotencyKeys(host?: string): void;
}

interface Operation {
  /** What the token must allow; null: anything. */
  scope: string | null;
  run(call: Call): SandboxAnswer | Promise<SandboxAnswer>;
}

interface Call {
  request: SandboxRequest;
  account: SandboxAccount;
  scopes: readonly string[];
  /** The one in the path. */
  id: string;
}

const verification = "GET /api/v1/accounts/verify_credentials";

/** What anybody may read. */
const documents: Readonly<Record<string, (instance: SandboxInstance) => JsonObject>> = {
  "GET /api/v2/instance": instanceV2,
  "GET /api/v1/instance": instanceV1,
};

export function mastodonSandbox(ports: SandboxPorts): MastodonSandbox {
  const instances = new Map<string, SandboxInstance>();
  const domains = new Map<string, HandleDomain>();
  const accounts = createAccounts(ports);
  const nextId = createIdSource(ports);
  const media = createMediaStore(ports, nextId);
  const statuses = createStatuses(ports, { nextId, media, accounts: accounts.all });
  const logins = createLogins(ports, { accounts, waysOf });
  const quota = createQuota(ports.clock);
  const requests = createRequestWindow(ports.clock, windowMs);
  instances.set(defaultHost, toInstance({ host: defaultHost }));

  const operations: Readonly<Record<string, Operation>> = {
    [verification]: {
      scope: "read:accounts",
      run: ({ account }) => ok(credentialAccount(account, statuses.count(account))),
    },
    "GET /api/v1/apps/verify_credentials": {
      scope: null,
      run: ({ scopes }) => ok(applicationEntity(scopes)),
    },
    "POST /api/v2/media": {
      scope: "write:media",
      run: ({ account, request }) => media.upload(account, request, "v2"),
    },
    "POST /api/v1/media": {
      scope: "write:media",
      run: ({ account, request }) => media.upload(account, request, "v1"),
    },
    "GET /api/v1/media/:id": { scope: "write:media", run: ({ account, id }) => media.show(account, id) },
    "POST /api/v1/statuses": {
      scope: "write:statuses",
      run: ({ account, request }) => statuses.create(account, request),
    },
    "GET /api/v1/statuses": {
      scope: "read:statuses",
      run: ({ account, request }) => statuses.showAll(account, request.url.searchParams),
    },
    "GET /api/v1/accounts/lookup": {
      scope: "read:accounts",
      run: ({ account, request }) => lookUp(account, request.url.searchParams.get("acct") ?? ""),
    },
    "GET /api/v1/accounts/:id": { scope: "read:accounts", run: ({ account, id }) => showAccount(account, id) },
    "GET /api/v1/statuses/:id": { scope: "read:statuses", run: ({ account, id }) => statuses.show(account, id) },
    "GET /api/v1/statuses/:id/source": {
      scope: "read:statuses",
      run: ({ account, id }) => statuses.source(account, id),
    },
    "GET /api/v1/statuses/:id/context": {
      scope: "read:statuses",
      run: ({ account, id }) => statuses.context(account, id),
    },
    "GET /api/v1/notifications": {
      scope: "read:notifications",
      run: ({ account, request }) => statuses.notifications(account, request.url.searchParams),
    },
    "GET /api/v1/accounts/:id/statuses": {
      scope: "read:statuses",
      run: ({ account, id, request }) => statuses.list(account, id, request.url.searchParams),
    },
    "GET /api/v1/timelines/home": {
      scope: "read:statuses",
      run: ({ account, request }) => statuses.home(account, request.url.searchParams),
    },
  };

  /** https://docs.joinmastodon.org/methods/accounts/#lookup (2026-07) */
  function lookUp(viewer: SandboxAccount, acct: string): SandboxAnswer {
    const [username, host = viewer.instance.host] = acct.toLowerCase().split("@");
    const found = accounts.all().find((each) => each.username === username && each.instance.host === host);
    if (found === undefined) throw notFound();
    return showAccount(viewer, found.id);
  }

  /** As the viewer's own instance knows it. */
  function showAccount({ instance }: SandboxAccount, id: string): SandboxAnswer {
    const account = accounts.all().find((each) => each.id === id && each.instance === instance);
    if (account === undefined || account.status === "suspended") throw notFound();
    return ok(accountEntity(account, statuses.count(account)));
  }

  /** What needs no token. */
  const open: Readonly<Record<string, (request: SandboxRequest) => SandboxAnswer | Promise<SandboxAnswer>>> = {
    "POST /api/v1/apps": logins.register,
    "GET /.well-known/oauth-authorization-server": logins.metadata,
    "GET /oauth/authorize": logins.authorize,
    "POST /oauth/token": logins.token,
    "POST /oauth/revoke": logins.revoke,
  };

  function waysOf(host: string): InstanceWays {
    return instances.get(host)?.ways ?? mastodonsWays;
  }

  function instanceAt(host: string): SandboxInstance {
    return known(instances.get(host), `instance ${host}`);
  }

  function changeInstance(ways: Partial<InstanceWays>, host = defaultHost): void {
    const instance = instanceAt(host);
    instance.ways = { ...instance.ways, ...ways };
  }

  function strangerOn(instance: SandboxInstance): SandboxAccount {
    const known = accounts.all().find((each) => each.instance === instance && each.username === strangersName);
    return known ?? accounts.add({ instance, given: { username: strangersName }, id: nextId() }).account;
  }

  async function answer(request: SandboxRequest): Promise<SandboxAnswer> {
    const domain = domains.get(request.url.hostname);
    const instance = instances.get(domain?.instance ?? request.url.hostname);
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

  /** What a server says of its time: nothing while that is right. */
  function dateHeader({ url }: SandboxRequest): Record<string, string> {
    const { secondsBehind } = waysOf(url.hostname);
    return secondsBehind === 0 ? {} : { date: new Date(ports.clock.now() - secondsBehind * 1000).toUTCString() };
  }

  /** An ISO time with microseconds; there is no Retry-After. https://docs.joinmastodon.org/api/rate-limits/ (2026-07) */
  function withRateLimit(given: SandboxAnswer, counted: RequestsLeft | null): SandboxAnswer {
    const now = ports.clock.now();
    const windowEnd = (Math.floor(now / windowMs) + 1) * windowMs;
    const { max = 300, left = 299, resetsAt = windowEnd } = counted ?? {};
    const isUsedUp = given.status === 429 && left >= 0;
    const headers = {
      "x-ratelimit-limit": String(max),
      "x-ratelimit-remaining": isUsedUp ? "0" : String(Math.max(0, left)),
      "x-ratelimit-reset": new Date(isUsedUp ? quota.endsAt() : resetsAt).toISOString().replace("Z", "000Z"),
      ...given.headers,
    };
    return { ...given, headers };
  }

  return {
    network: "mastodon",
    serves: (host) => instances.has(host) || domains.has(host),
    operation,
    commits: ["POST /api/v1/statuses"],
    faults: createFaults(),
    async answer(request) {
      const counted = requests.take(request.headers.get("authorization") ?? "");
      try {
        if (counted !== null && counted.left < 0) throw new Refusal(429, "Too many requests");
        const given = await answer(request);
        return withRateLimit({ ...given, headers: { ...dateHeader(request), ...given.headers } }, counted);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const ways = waysOf(request.url.hostname);
        const isVerification = operation(request) === verification;
        return withRateLimit(answerOf(error, { ways, isVerification }), counted);
      }
    },
    addInstance: (given) => void instances.set(given.host, toInstance(given)),
    changeInstance,
    addDomain: (given) => void domains.set(given.domain, given),
    addAccount(given) {
      const instance = instanceAt(given.instance ?? defaultHost);
      const { account, token } = accounts.add({ instance, given, id: nextId() });
      return { instance: instance.host, access_token: token, external_id: externalIdOf(account) };
    },
    postAs: (externalId, post) => statuses.add(accounts.named(externalId), post),
    follow: (externalId, followed) => void accounts.named(externalId).follows.add(accounts.named(followed)),
    mute(externalId, muted, isMuted) {
      const { mutes } = accounts.named(externalId);
      if (isMuted) mutes.add(accounts.named(muted));
      else mutes.delete(accounts.named(muted));
    },
    posts: statuses.posts,
    editPost: statuses.edit,
    approvePost: statuses.approve,
    removePost: statuses.remove,
    forgetApps: (host = defaultHost) => logins.forgetApps(host),
    hijackLogins: logins.hijack,
    stolenCodes: logins.stolenCodes,
    revoke: accounts.revoke,
    restore: accounts.restore,
    suspend(externalId) {
      accounts.named(externalId).status = "suspended";
    },
    unsuspend(externalId) {
      accounts.named(externalId).status = "active";
    },
    rateLimit: quota.useUp,
    limitRequests: requests.limit,
    processMediaFor: media.processFor,
    failNextMedia: media.failNext,
    lagReads: statuses.lagReads,
    flood(externalId, flood) {
      const reader = accounts.named(externalId);
      statuses.flood(reader, strangerOn(reader.instance), flood);
    },
    ignoreIdempotencyKeys: (host) => changeInstance({ keys: "ignored" }, host),
  };
}

/** Windows of five minutes. https://docs.joinmastodon.org/api/rate-limits/ (2026-07) */
const windowMs = 300_000;

/** `GET /api/v1/media/:id`, out of `/api/v1/media/1234`. */
function operation({ method, url }: SandboxRequest): string {
  const path = url.pathname.replace(
    /^(\/api\/v1\/(?:media|statuses|accounts))\/(?!(?:verify_credentials|lookup)$)[^/]+/,
    "$1/:id",
  );
  return `${method} ${path}`;
}

/** Ids that sort by time: milliseconds, then 16 bits. They are strings, and too long for numbers. */
function createIdSource(ports: SandboxPorts): () => string {
  let count = 0n;
  return () => {
    count += 1n;
    return ((BigInt(ports.clock.now()) << 16n) | (count & 0xffffn)).toString();
  };
}
