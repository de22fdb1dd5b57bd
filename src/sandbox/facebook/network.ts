import type { SandboxAnswer, SandboxRequest } from "../exchange.ts";
import { createFaults } from "../faults.ts";
import type { SandboxNetwork, SandboxPorts } from "../network.ts";
import { appUsageHeaders, graphOperation, graphRefusal, graphRoute, uploadHost, usageHeaders } from "../parts/graph.ts";
import { inUploadWords } from "../parts/graph-files.ts";
import { createIds } from "../parts/ids.ts";
import { takeOut } from "../parts/known.ts";
import { createQuota, type Quota } from "../parts/quota.ts";
import { answerTo } from "../parts/refusal.ts";
import { type AudienceSwitches, createAudience } from "./audience.ts";
import { phaseIn } from "./body.ts";
import type { HookSwitches } from "./hooks.ts";
import { createLogins } from "./logins.ts";
import type { StoredMessage } from "./messenger.ts";
import { operationsOn } from "./operations.ts";
import { allScopes, allTasks, assertScope, createPages, type NewPage, type SandboxPage } from "./pages.ts";
import { type FacebookPeople, facebookPeople } from "./people.ts";
import { createPosts, type ListWays, type NewPost } from "./posts.ts";
import { type FacebookPost, isPublic, type StoredComment, toPost } from "./state.ts";
import { createVideos, type VideoSwitches } from "./videos.ts";

/** Facebook, simulated: Pages, and the people who connect them. */
export interface FacebookSandbox extends SandboxNetwork, AudienceSwitches, HookSwitches, VideoSwitches {
  /** Creates a Page; connect it with its token. */
  addPage(page: NewPage): { access_token: string; external_id: string };
  /**
   * Creates a person with access to these Pages, by their ids: their own, and those of their business. Returns the
   * person's token.
   */
  addPerson(person: {
    name: string;
    pages: readonly string[];
    owned?: readonly string[];
    clients?: readonly string[];
    tasks?: readonly string[];
  }): string;
  /** Adds a URL to which browsers may return after a sign-in. */
  addCallback(address: string): void;
  /** The ids of all Pages, in the order of creation. */
  pages(): string[];
  /** All public posts, in the order of publication. */
  posts(): FacebookPost[];
  /** All comments under posts. */
  comments(): StoredComment[];
  /** All messages in Messenger, in their order. */
  messages(): StoredMessage[];
  /** Links the Instagram account with this id to the Page. */
  linkInstagram(externalId: string, account: string): void;
  /**
   * Sets the used share of the app's calls that each response reports, percent; null: none is reported. @default null
   */
  tellUsage(percent: number | null): void;
  /** Rejects reads for this long, as `rateLimit` rejects writes. */
  limitReads(seconds: number): void;
  /** Invalidates all cursors that were returned so far. */
  forgetCursors(): void;
  /** The number of started uploads of photos and videos, published or not. */
  uploads(): { photos: number; videos: number };
  /** The Page's owner posts without the library; returns the post's id. */
  postAs(externalId: string, post: Partial<NewPost>): string;
  /** The author deletes a post. */
  removePost(id: string): void;
  /** The user revokes the token. */
  revoke(token: string): void;
  /** Makes a revoked token valid again. */
  restore(token: string): void;
  /** Changes how the Page's lists show posts. */
  changeLists(ways: Partial<ListWays>): void;
  /**
   * Creates a Page with people who write to it.
   *
   * @param options.newerPosts the number of posts that are newer than the one on which people comment. @default 0
   */
  people(options: { name: string; newerPosts?: number }): FacebookPeople;
}

const hosts: ReadonlySet<string> = new Set(["graph.facebook.com", uploadHost, "www.facebook.com"]);

/**
 * The API versions that the sandbox supports: those that have not ended.
 * https://developers.facebook.com/docs/graph-api/changelog (2026-09)
 */
const versions: ReadonlySet<string> = new Set(["v26.0", "v25.0"]);

export function facebookSandbox(ports: SandboxPorts): FacebookSandbox {
  const nextId = createIds(12_210_000_000_000_000n, 1_013n);
  const pages = createPages(ports, nextId);
  const logins = createLogins(ports, pages);
  const posts = createPosts(ports, nextId);
  const videos = createVideos(ports, posts, nextId);
  const audience = createAudience(ports, { pages, posts, nextId });
  const quotas = { reads: createQuota(ports.clock), writes: createQuota(ports.clock) };

  const operations = operationsOn({ posts, videos, audience });

  function answer(request: SandboxRequest): SandboxAnswer | Promise<SandboxAnswer> {
    const { url } = request;
    const login = logins.answer(request);
    if (login !== null) return login;
    if (!url.pathname.split("/").some((step) => versions.has(step)))
      throw graphRefusal(2635, "(#2635) You are calling a deprecated version of the Graph API");
    const ofApp = audience.hooks.answerApp(request);
    if (ofApp !== null) return ofApp;
    const token = pages.authenticate(request);
    const route = graphRoute(request);
    const ofPerson = logins.ofPerson(route, token, url);
    if (ofPerson !== null) return ofPerson;
    const operation = operations[route];
    const { page } = token;
    if (operation === undefined || page === null)
      throw graphRefusal(100, `Unsupported request - method type: ${request.method.toLowerCase()}`);
    const quota = quotas[request.method === "GET" ? "reads" : "writes"];
    if (quota.isUsedUp()) throw limited(page, quota, ports.clock.now());
    for (const scope of operation.needs) assertScope(token, scope);
    const id = idIn(url);
    if (operation.isOfPage && id !== page.id)
      throw graphRefusal("100/33", `Unsupported request. Object with ID '${id}' does not exist or cannot be loaded`);
    return operation.run({ request, page, id });
  }

  let toldPercent: number | null = null;

  const there: Omit<FacebookSandbox, "people"> = {
    network: "facebook",
    serves: (host) => hosts.has(host),
    owns: (request) => pages.knows(request) || logins.knows(request) || audience.knows(request),
    operation,
    commits: [
      ...["POST /:id/feed", "POST /:id/photo_stories", "POST /:id/comments", "POST /:id/messages"],
      ...["videos", "video_reels", "video_stories"].map((edge) => `POST /:id/${edge} finish`),
    ],
    faults: createFaults(),
    async answer(request) {
      const answered = async (): Promise<SandboxAnswer> => answer(request);
      const isUpload = request.url.hostname === uploadHost;
      const given = await answered().catch((error) => answerTo(isUpload ? inUploadWords(error) : error));
      return { ...given, headers: { ...appUsageHeaders(toldPercent), ...given.headers } };
    },
    addPage(given) {
      const { page, token } = pages.add(given);
      return { access_token: token, external_id: page.id };
    },
    addPerson({ name, pages: own, owned = [], clients = [], tasks = allTasks }) {
      const business = { id: nextId(), owned: owned.map(pages.named), clients: clients.map(pages.named) };
      const person = { id: nextId(), name, pages: own.map(pages.named), business, tasks };
      logins.addPerson(person);
      return pages.issue({ page: null, person, scopes: allScopes });
    },
    addCallback: logins.addCallback,
    pages: () => pages.all().map(({ id }) => id),
    posts: () => posts.stored.filter((post) => isPublic(post, ports.clock)).map(toPost),
    comments: () => [...posts.comments.stored],
    messages: () => [...audience.messenger.stored],
    ...audience.switches,
    ...audience.hooks.switches,
    linkInstagram(externalId, account) {
      pages.named(externalId).instagram = account;
    },
    uploads: () => ({ photos: posts.photos.made(), videos: videos.all().length }),
    postAs: (externalId, post) => posts.keep(pages.named(externalId), { kind: "post", ...post }).id,
    removePost: (id) => void takeOut(posts.stored, id, "post"),
    revoke: (token) => pages.setRevoked(token, true),
    restore: (token) => pages.setRevoked(token, false),
    changeLists: (ways) => void Object.assign(posts.ways, ways),
    ...videos.switches,
    rateLimit: quotas.writes.useUp,
    limitReads: quotas.reads.useUp,
    forgetCursors: posts.lists.forgetCursors,
    tellUsage(percent) {
      toldPercent = percent;
    },
    lagReads(seconds) {
      posts.lag.take(seconds);
      audience.messenger.lag.take(seconds);
    },
  };
  return { ...there, people: (options) => facebookPeople(there, options) };
}

function limited({ id }: SandboxPage, quota: Quota, now: number): Error {
  const time = { now, endsAt: quota.endsAt() };
  const headers = usageHeaders(id, { ...time, type: "pages" });
  return graphRefusal(80001, "(#80001) There have been too many calls to this Page account", { headers });
}

function idIn({ pathname }: URL): string {
  return /\/(\d+(?:_\d+)?)(?:\/|$)/.exec(pathname.replace(/\/v\d+\.\d+/, ""))?.[1] ?? "";
}

/** An upload's operation includes its phase. */
function operation(request: SandboxRequest): string {
  const named = graphOperation(request);
  return /^POST \/:id\/video/.test(named) ? `${named} ${phaseIn(request)}` : named;
}
