import type { JsonObject } from "../../wire/json.ts";
import type { SandboxAnswer, SandboxRequest } from "../exchange.ts";
import type { SandboxPost } from "../network.ts";
import type { GoogleLogin } from "../parts/google-login.ts";
import { readLocalPost } from "./local-post.ts";
import { refusal } from "./refusal.ts";
import type { Location, Person, Post, State } from "./state.ts";

export const manage = "https://www.googleapis.com/auth/business.manage";

export interface Calls {
  accounts(request: SandboxRequest): SandboxAnswer;
  locations(request: SandboxRequest): SandboxAnswer;
  location(request: SandboxRequest): SandboxAnswer;
  create(request: SandboxRequest): Promise<SandboxAnswer>;
  list(request: SandboxRequest): SandboxAnswer;
  get(request: SandboxRequest): SandboxAnswer;
}

export function createCalls(state: State, google: GoogleLogin, fetchFile: typeof fetch): Calls {
  function personFor(request: SandboxRequest): Person {
    const grant = google.grantOf(request);
    const person = state.people.find(({ email }) => email === grant?.account);
    if (grant === null || person === undefined)
      throw refusal(401, "UNAUTHENTICATED", "Request had invalid authentication credentials.");
    if (!grant.scopes.includes(manage))
      throw refusal(403, "PERMISSION_DENIED", "Request had insufficient authentication scopes.", {
        details: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "ACCESS_TOKEN_SCOPE_INSUFFICIENT" }],
      });
    return person;
  }

  function assertEnabled(): void {
    if (!state.ways.isDisabled) return;
    throw refusal(403, "PERMISSION_DENIED", "Google My Business API has not been used in project 1 before.", {
      details: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "SERVICE_DISABLED" }],
    });
  }

  /** By `accounts/1/locations/2` in the path of v4. @throws Refusal */
  function locationFor(request: SandboxRequest): Location {
    const person = personFor(request);
    assertEnabled();
    const [, parent = "", name = ""] = /(accounts\/\d+)\/(locations\/\d+)/.exec(request.url.pathname) ?? [];
    const location = state.locations.find((each) => each.name === name && each.parents.includes(parent));
    if (location === undefined) throw refusal(404, "NOT_FOUND", "Requested entity was not found.");
    if (!person.accounts.some((account) => account.name === parent))
      throw refusal(403, "PERMISSION_DENIED", "The caller does not have permission.");
    return location;
  }

  return {
    accounts(request) {
      const { accounts } = personFor(request);
      return paged("accounts", accounts, { query: request.url.searchParams, most: 20 });
    },

    locations(request) {
      const person = personFor(request);
      const query = request.url.searchParams;
      assertMask(query);
      const [, parent = ""] = /^\/v1\/(accounts\/\d+)\/locations$/.exec(request.url.pathname) ?? [];
      if (!person.accounts.some(({ name }) => name === parent))
        throw refusal(403, "PERMISSION_DENIED", "The caller does not have permission.");
      const own = state.locations.filter(({ parents }) => parents.includes(parent)).map(locationJson);
      return paged("locations", own, { query, most: 100 });
    },

    location(request) {
      const { accounts } = personFor(request);
      assertMask(request.url.searchParams);
      const name = request.url.pathname.slice("/v1/".length);
      const location = state.locations.find((each) => each.name === name);
      if (location === undefined || !location.parents.some((each) => accounts.some((account) => account.name === each)))
        throw refusal(404, "NOT_FOUND", "Requested entity was not found.");
      return { status: 200, json: locationJson(location) };
    },

    async create(request) {
      const location = locationFor(request);
      if (state.quota.isUsedUp()) {
        const seconds = Math.ceil((state.quota.endsAt() - state.now()) / 1000);
        throw refusal(429, "RESOURCE_EXHAUSTED", "Quota exceeded for quota metric 'Requests'.", {
          headers: { "retry-after": String(seconds) },
        });
      }
      if (!location.isVerified) throw refusal(400, "FAILED_PRECONDITION", "The location is not verified.");
      const content = await readLocalPost(request, fetchFile);
      const name = `${request.url.pathname.slice("/v4/".length)}/${state.digits(19)}`;
      const post: Post = {
        name,
        location,
        content,
        created_at: state.now(),
        job: state.jobs.start(),
        isDeleted: false,
      };
      state.posts.push(post);
      return { status: 200, json: postJson(state, post) };
    },

    list(request) {
      const location = locationFor(request);
      const own = state.posts.filter((post) => post.location === location && isShown(state, post));
      const ordered = state.ways.oldestFirst ? own : own.reverse();
      const all = ordered.map((post) => postJson(state, post));
      return paged("localPosts", all, { query: request.url.searchParams, most: state.ways.pageSize });
    },

    get(request) {
      locationFor(request);
      const name = request.url.pathname.slice("/v4/".length);
      const post = state.posts.find((each) => each.name === name);
      if (post === undefined || !isShown(state, post))
        throw refusal(404, "NOT_FOUND", "Requested entity was not found.");
      return { status: 200, json: postJson(state, post) };
    },
  };
}

function assertMask(query: URLSearchParams): void {
  if (!query.has("readMask")) throw refusal(400, "INVALID_ARGUMENT", "Request contains an invalid argument.");
}

function paged(
  kind: string,
  all: readonly object[],
  { query, most }: { query: URLSearchParams; most: number },
): SandboxAnswer {
  const count = Math.min(Number(query.get("pageSize") ?? 20), most);
  const from = Number(query.get("pageToken") ?? 0);
  const items = all.slice(from, from + count);
  const rest = all.length > from + count ? { nextPageToken: String(from + count) } : {};
  // What is empty is left out.
  return { status: 200, json: { ...(items.length === 0 ? {} : { [kind]: items }), ...rest } };
}

function locationJson({ name, title, isVerified }: Location): JsonObject {
  const mapsUri = `https://maps.google.com/maps?cid=${name.slice("locations/".length)}`;
  return { name, title, metadata: { mapsUri, hasVoiceOfMerchant: isVerified } };
}

/** Reads may be behind. */
function isShown(state: State, { created_at, isDeleted }: Post): boolean {
  return !isDeleted && state.lag.shows(created_at);
}

function stateOf(state: State, { job }: Post): string {
  if (!state.jobs.isDone(job)) return "PROCESSING";
  return job.failure ?? "LIVE";
}

/** https://developers.google.com/my-business/reference/rest/v4/accounts.locations.localPosts (2026-09) */
function postJson(state: State, post: Post): JsonObject {
  const { name, content, created_at } = post;
  const { summary } = content;
  const at = new Date(created_at).toISOString();
  const times: JsonObject = state.ways.hidesTimes ? {} : { createTime: at, updateTime: at };
  const json: JsonObject = { ...content, name, state: stateOf(state, post), ...times };
  if (typeof summary === "string" && state.ways.joinsLines) json.summary = summary.replace(/\s*\n\s*/g, " ");
  if (json.state === "LIVE") json.searchUrl = addressOf(post);
  return json;
}

function addressOf({ name }: Post): string {
  return `https://local.google.com/place?id=1&use=posts&lpsid=${name.split("/").at(-1)}`;
}

/** What is there to be seen, in the order of publication. */
export function postsOf(state: State): SandboxPost[] {
  return state.posts
    .filter((post) => !post.isDeleted && stateOf(state, post) !== "REJECTED")
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
