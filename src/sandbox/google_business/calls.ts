import { ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPost } from "../network.ts";
import type { GoogleLogin } from "../parts/google-login.ts";
import { pageAt } from "../parts/listing.ts";
import { type Route, route } from "../parts/routes.ts";
import { readLocalPost } from "./local-post.ts";
import { refusal } from "./refusal.ts";
import type { Location, Person, Post, State } from "./state.ts";

export const hosts = {
  posts: "mybusiness.googleapis.com",
  accounts: "mybusinessaccountmanagement.googleapis.com",
  locations: "mybusinessbusinessinformation.googleapis.com",
} as const;

export const manage = "https://www.googleapis.com/auth/business.manage";

export function callRoutes(state: State, google: GoogleLogin<Person>, fetchFile: typeof fetch): Route[] {
  const posts = `${hosts.posts}/v4/accounts/:id/locations/:id/localPosts`;

  /** The location at `accounts/1/locations/2` in the path of v4. @throws Refusal */
  function locationFor(request: SandboxRequest, account: string, id: string): Location {
    const person = google.accountFor(request, manage);
    if (state.ways.isDisabled)
      throw refusal(403, "PERMISSION_DENIED", "Google My Business API has not been used in project 1 before.", {
        details: errorInfo("SERVICE_DISABLED"),
      });
    const parent = `accounts/${account}`;
    const location = state.locations.find(
      ({ name, parents }) => name === `locations/${id}` && parents.includes(parent),
    );
    if (location === undefined) throw notFound();
    assertOwn(person, parent);
    return location;
  }

  return [
    route("createPost", `POST ${posts}`, async (request, account, id) => {
      const location = locationFor(request, account, id);
      if (state.quota.isUsedUp())
        throw refusal(429, "RESOURCE_EXHAUSTED", "Quota exceeded for quota metric 'Requests'.", {
          headers: { "retry-after": String(state.quota.secondsLeft()) },
        });
      if (!location.isVerified) throw refusal(400, "FAILED_PRECONDITION", "The location is not verified.");
      const content = await readLocalPost(request, fetchFile);
      const name = `${request.url.pathname.slice("/v4/".length)}/${state.digits(19)}`;
      const post: Post = { name, location, content, created_at: state.now(), job: state.jobs.start() };
      state.posts.push(post);
      return ok(postJson(state, post));
    }),

    route("listPosts", `GET ${posts}`, (request, account, id) => {
      const location = locationFor(request, account, id);
      const own = state.posts.filter((post) => post.location === location && state.lag.shows(post.created_at));
      const ordered = state.ways.oldestFirst ? own : own.reverse();
      const all = ordered.map((post) => postJson(state, post));
      return paged("localPosts", all, { request, most: state.ways.pageSize });
    }),

    route("getPost", `GET ${posts}/:id`, (request, account, id) => {
      locationFor(request, account, id);
      const name = request.url.pathname.slice("/v4/".length);
      const post = state.posts.find((each) => each.name === name && state.lag.shows(each.created_at));
      if (post === undefined) throw notFound();
      return ok(postJson(state, post));
    }),

    route("listAccounts", `GET ${hosts.accounts}/v1/accounts`, (request) => {
      const { accounts } = google.accountFor(request, manage);
      return paged("accounts", accounts, { request, most: 20 });
    }),

    route("listLocations", `GET ${hosts.locations}/v1/accounts/:id/locations`, (request, id) => {
      const person = google.accountFor(request, manage);
      assertMask(request);
      assertOwn(person, `accounts/${id}`);
      const own = state.locations.filter(({ parents }) => parents.includes(`accounts/${id}`)).map(locationJson);
      return paged("locations", own, { request, most: 100 });
    }),

    route("getLocation", `GET ${hosts.locations}/v1/locations/:id`, (request, id) => {
      const { accounts } = google.accountFor(request, manage);
      assertMask(request);
      const location = state.locations.find(({ name }) => name === `locations/${id}`);
      if (!accounts.some(({ name }) => location?.parents.includes(name)) || location === undefined) throw notFound();
      return ok(locationJson(location));
    }),
  ];
}

function notFound(): Error {
  return refusal(404, "NOT_FOUND", "Requested entity was not found.");
}

export function errorInfo(reason: string): object[] {
  return [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason }];
}

function assertOwn({ accounts }: Person, account: string): void {
  if (!accounts.some(({ name }) => name === account))
    throw refusal(403, "PERMISSION_DENIED", "The caller does not have permission.");
}

function assertMask({ url }: SandboxRequest): void {
  if (!url.searchParams.has("readMask"))
    throw refusal(400, "INVALID_ARGUMENT", "Request contains an invalid argument.");
}

function paged(
  kind: string,
  all: readonly object[],
  { request, most }: { request: SandboxRequest; most: number },
): SandboxAnswer {
  const query = request.url.searchParams;
  const count = Math.min(Number(query.get("pageSize") ?? 20), most);
  const { items, next } = pageAt(all, { from: Number(query.get("pageToken") ?? 0), count });
  // Empty fields are omitted.
  return ok({ [kind]: items.length === 0 ? undefined : items, nextPageToken: next?.toString() });
}

function locationJson({ name, title, isVerified }: Location): object {
  const mapsUri = `https://maps.google.com/maps?cid=${name.slice("locations/".length)}`;
  return { name, title, metadata: { mapsUri, hasVoiceOfMerchant: isVerified } };
}

function stateOf({ jobs }: State, { job }: Post): "PROCESSING" | "LIVE" | "REJECTED" {
  return ({ working: "PROCESSING", done: "LIVE", failed: "REJECTED" } as const)[jobs.stateOf(job)];
}

/** https://developers.google.com/my-business/reference/rest/v4/accounts.locations.localPosts (2026-09) */
function postJson(state: State, post: Post): object {
  const { name, content, created_at } = post;
  const { joinsLines, hidesTimes } = state.ways;
  const { summary } = content;
  const time = hidesTimes ? undefined : new Date(created_at).toISOString();
  return {
    ...content,
    ...(typeof summary === "string" && joinsLines && { summary: summary.replace(/\s*\n\s*/g, " ") }),
    name,
    state: stateOf(state, post),
    createTime: time,
    updateTime: time,
    searchUrl: stateOf(state, post) === "LIVE" ? addressOf(post) : undefined,
  };
}

function addressOf({ name }: Post): string {
  return `https://local.google.com/place?id=1&use=posts&lpsid=${name.split("/").at(-1)}`;
}

/** The visible posts, in the order of publication. */
export function postsOf(state: State): SandboxPost[] {
  return state.posts
    .filter((post) => stateOf(state, post) !== "REJECTED")
    .map((post) => ({
      id: post.name,
      account: post.location.name,
      text: String(post.content.summary ?? ""),
      media: Array.isArray(post.content.media) ? post.content.media.length : 0,
      alt: [],
      reply_to: null,
      url: addressOf(post),
      created_at: new Date(post.created_at).toISOString(),
    }));
}
