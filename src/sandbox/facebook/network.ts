import type { SandboxAnswer, SandboxRequest } from "../exchange.ts";
import { createFaults } from "../faults.ts";
import type { SandboxNetwork, SandboxPorts } from "../network.ts";
import { appUsageHeaders, graphOperation, graphRefusal, graphRoute, uploadHost, usageHeaders } from "../parts/graph.ts";
import { inUploadWords } from "../parts/graph-files.ts";
import { createIds } from "../parts/ids.ts";
import { takeOut } from "../parts/known.ts";
import { createQuota, type Quota } from "../parts/quota.ts";
import { answerTo } from "../parts/refusal.ts";
import { type Audience, createAudience, type Edge } from "./audience.ts";
import { phaseIn } from "./body.ts";
import { createFilms, type Films } from "./films.ts";
import type { HookSwitches, Hooks, HookWays } from "./hooks.ts";
import { createLogins } from "./logins.ts";
import type { Besides, StoredMessage } from "./messenger.ts";
import { operationsOn } from "./operations.ts";
import { allScopes, allTasks, assertScope, createPages, type NewPage, type Pages, type SandboxPage } from "./pages.ts";
import { createPosts, type ListWays, type NewPost } from "./posts.ts";
import { type FacebookPost, isPublic, type StoredComment, toPost } from "./state.ts";

/** What people do on Facebook, and what a Page's owner does in Facebook's own app. */
interface AudienceSwitches {
  /** Makes somebody who likes the Page; returns their id. */
  addFan(name: string): string;
  /** Somebody writes to the Page, by an ad of this id or by themselves; returns the message's id. */
  messageAs(fan: string, externalId: string, text: string, ad?: string): string;
  /** Somebody writes more than a text to the Page; returns the message's id. */
  sendAs(fan: string, externalId: string, message: { text?: string } & Besides): string;
  /** Somebody has read what the Page wrote to them. */
  readAs(fan: string, externalId: string): void;
  /** Somebody came to the thread by a link of this `ref`. */
  referAs(fan: string, externalId: string, ref: string): void;
  /** Somebody puts a reaction on a message of this id. */
  reactAs(fan: string, externalId: string, message: string, emoji: string): void;
  /** Somebody presses a button, of which Facebook tells without an id. */
  pressAs(fan: string, externalId: string, button: { title: string; payload: string }): void;
  /** Somebody comments on a post, or answers a comment; returns the comment's id. */
  commentAs(fan: string, id: string, message: string, attachment?: object): string;
  /** The comment says something else from now on. */
  editComment(id: string, message: string): void;
  /** Who wrote the comment deletes it. */
  removeComment(id: string): void;
  /** Somebody's post names the Page, or stands on it; returns the post's id. */
  mentionAs(fan: string, externalId: string, message: string, edge?: Edge, attachments?: readonly object[]): string;
  /** The Page's owner answers in Facebook's own app; returns the message's id. */
  answerByHand(fan: string, externalId: string, text: string): string;
}

/** Facebook, simulated: Pages, and people who log in for them. */
export interface FacebookSandbox extends SandboxNetwork, AudienceSwitches, HookSwitches {
  /** Makes a Page; connect it with its token. */
  addPage(page: NewPage): { access_token: string; external_id: string };
  /** Makes somebody who reaches these Pages, by their ids: their own, and those of their business. Returns their token. */
  addPerson(person: {
    name: string;
    pages: readonly string[];
    owned?: readonly string[];
    clients?: readonly string[];
    tasks?: readonly string[];
  }): string;
  /** Browsers of the app may come back to this address. */
  addCallback(address: string): void;
  /** The ids of all Pages, in the order in which they were made. */
  pages(): string[];
  /** Every post that is public, in the order of publication. */
  posts(): FacebookPost[];
  /** All that stand under posts. */
  comments(): StoredComment[];
  /** All messages of Messenger, in their order. */
  messages(): StoredMessage[];
  /** Where the app's address leads to: hooks are sent there once it has subscribed. */
  sendHooksTo(handler: (request: Request) => Promise<Response>): void;
  /** From now on hooks are sent in another way. */
  changeHooks(ways: Partial<HookWays>): void;
  /** What hooks were answered, in order; 0: nothing. */
  hookAnswers(): readonly number[];
  /** The Page has an Instagram account of this id. */
  linkInstagram(externalId: string, account: string): void;
  /** From now on each answer says that so much of the app's calls is used, percent; null: none says. @default null */
  tellUsage(percent: number | null): void;
  /** What is read is refused for this long, as what is sent is by `rateLimit`. */
  limitReads(seconds: number): void;
  /** Cursors that were given out until now are refused. */
  forgetCursors(): void;
  /** How many photos and videos were begun, published or not. */
  uploads(): { photos: number; films: number };
  /** The Page's owner posts by hand; returns the post's id. */
  postAs(externalId: string, post: Partial<NewPost>): string;
  /** The author deletes a post. */
  removePost(id: string): void;
  /** The user takes the token back. */
  revoke(token: string): void;
  /** A revoked token works again. */
  restore(token: string): void;
  /** From now on the Page's lists show posts in another way. */
  changeLists(ways: Partial<ListWays>): void;
  /** What Facebook fetches takes it this long from now on. */
  fetchFilmsFor(seconds: number): void;
  /** Videos are worked on for this long from now on, before they are public. */
  processPublicationsFor(seconds: number): void;
  /** The next video fails with these words. */
  failNextFilm(words: string): void;
  /** Facebook asks for pieces of videos of this length. */
  askForPieces(bytes: number): void;
  /** Of the next piece only so much arrives. */
  takeOnly(bytes: number): void;
  /** The ids of videos' posts are told this much after they are public. */
  tellPostIdsAfter(seconds: number): void;
}

const hosts: ReadonlySet<string> = new Set(["graph.facebook.com", uploadHost, "www.facebook.com"]);

/** Versions that the sandbox answers to: those that live. https://developers.facebook.com/docs/graph-api/changelog (2026-09) */
const versions: ReadonlySet<string> = new Set(["v26.0", "v25.0"]);

export function facebookSandbox(ports: SandboxPorts): FacebookSandbox {
  const nextId = createIds(12_210_000_000_000_000n, 1_013n);
  const pages = createPages(ports, nextId);
  const logins = createLogins(ports, pages);
  const posts = createPosts(ports, nextId);
  const films = createFilms(ports, posts, nextId);
  const audience = createAudience(ports, posts, nextId);
  const quotas = { reads: createQuota(ports.clock), writes: createQuota(ports.clock) };

  const operations = operationsOn({ posts, films, audience });

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

  return {
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
    ...audienceSwitches(audience, pages),
    ...hookSwitches(audience.hooks),
    linkInstagram(externalId, account) {
      pages.named(externalId).instagram = account;
    },
    uploads: () => ({ photos: posts.photos.made(), films: films.all().length }),
    postAs: (externalId, post) => posts.keep(pages.named(externalId), { kind: "post", ...post }).id,
    removePost: (id) => void takeOut(posts.stored, id, "post"),
    revoke: (token) => pages.setRevoked(token, true),
    restore: (token) => pages.setRevoked(token, false),
    changeLists: (ways) => void Object.assign(posts.ways, ways),
    ...filmSwitches(films),
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
}

/** What people do, past the app. */
function audienceSwitches(audience: Audience, pages: Pages): AudienceSwitches {
  return {
    addFan: audience.addFan,
    messageAs: (fan, externalId, text, ad) => audience.messageAs(pages.named(externalId), fan, { text, ad }),
    sendAs: (fan, externalId, { text = "", ...besides }) =>
      audience.messageAs(pages.named(externalId), fan, { text, besides }),
    readAs: (fan, externalId) => audience.readAs(pages.named(externalId), fan),
    referAs: (fan, externalId, ref) => audience.referAs(pages.named(externalId), fan, ref),
    reactAs: (fan, externalId, message, emoji) => audience.reactAs(pages.named(externalId), fan, message, emoji),
    pressAs: (fan, externalId, button) => audience.pressAs(pages.named(externalId), fan, button),
    commentAs: (fan, id, message, attachment) =>
      audience.commentAs(pages.named, fan, id, { message, ...(attachment && { attachment }) }),
    editComment: (id, message) => audience.editComment(pages.named, id, message),
    removeComment: (id) => audience.removeComment(pages.named, id),
    mentionAs: (fan, externalId, message, edge = "tagged", attachments = []) =>
      audience.mentionAs(pages.named(externalId), { fan, message, edge, attachments }),
    answerByHand: (fan, externalId, text) => audience.answerByHand(pages.named(externalId), fan, text),
  };
}

function hookSwitches(hooks: Hooks) {
  return {
    sendHooksTo: hooks.listen,
    changeHooks: (ways: Partial<HookWays>) => void Object.assign(hooks.ways, ways),
    hookAnswers: hooks.answers,
    unsubscribe: hooks.unsubscribe,
    isSubscribed: hooks.isSubscribed,
    subscribeByHand: hooks.subscribeByHand,
    fieldsSent: hooks.fieldsSent,
  };
}

function filmSwitches(films: Films) {
  return {
    fetchFilmsFor: films.fetchFor,
    processPublicationsFor: films.publishFor,
    failNextFilm: films.failNext,
    askForPieces: films.askForPieces,
    takeOnly: films.takeOnly,
    tellPostIdsAfter: films.tellPostIdsAfter,
  };
}

function limited({ id }: SandboxPage, quota: Quota, now: number): Error {
  const time = { now, endsAt: quota.endsAt() };
  const headers = usageHeaders(id, { ...time, type: "pages" });
  return graphRefusal(80001, "(#80001) There have been too many calls to this Page account", { headers });
}

function idIn({ pathname }: URL): string {
  return /\/(\d+(?:_\d+)?)(?:\/|$)/.exec(pathname.replace(/\/v\d+\.\d+/, ""))?.[1] ?? "";
}

/** An upload is told apart by its phase. */
function operation(request: SandboxRequest): string {
  const named = graphOperation(request);
  return /^POST \/:id\/video/.test(named) ? `${named} ${phaseIn(request)}` : named;
}
