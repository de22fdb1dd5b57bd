import type { SandboxRequest } from "../exchange.ts";
import { createFaults } from "../faults.ts";
import type { SandboxNetwork, SandboxPorts } from "../network.ts";
import type { LoginApp, Person } from "../parts/login-pages.ts";
import { createRouter, type Route } from "../parts/routes.ts";
import { type Assets, createAssets } from "./assets.ts";
import { type Comments, createComments } from "./comments.ts";
import { allScopes, type Caller, createLogins, type Logins, type Product, sandboxApps } from "./logins.ts";
import { idIn, logo, me, memberOf, organization, roles, userinfo } from "./people.ts";
import { createPosts, type Posts } from "./posts.ts";
import { refusal } from "./refusal.ts";
import { createState, type Organization, postOf, type Role, type State, type StoredPost } from "./state.ts";

/** Somebody to be made, with a token. */
export interface NewLinkedinMember {
  /** What the member is called. */
  name: string;
  /** In the address of the member's page. @default the name in small letters, without spaces */
  vanityName?: string;
  /** What the app has that the token is of: `share-app` or `community-app`. @default "self_serve" */
  product?: Product;
  /** What the token allows. @default all that the app may ask for */
  scopes?: readonly string[];
}

/** What connects a member that was made, or an organisation that the member may post for. */
export interface LinkedinTokens {
  /** `urn:li:person:…` */
  external_id: string;
  /** Runs out after 60 days. */
  access_token: string;
  /** Ends a year after the login; null: the app gets none. */
  refresh_token: string | null;
  /** Of the app that they are for. */
  client_id: string;
  /** What they allow. */
  scopes: string[];
}

/** LinkedIn, simulated: the versioned API, with its logins. */
export interface LinkedinSandbox extends SandboxNetwork {
  /** Makes a member, with tokens of an app that is there from the start (its secret: `share-secret`, `community-secret`). */
  addMember(member: NewLinkedinMember): LinkedinTokens;
  /** Makes an organisation for which these members have roles; returns its `urn:li:organization:…`. */
  addOrganization(organization: {
    name: string;
    vanityName?: string;
    /** @default one of its own */
    logo?: string | null;
    roles?: Readonly<Record<string, Role>>;
  }): string;
  /** Gives a member a role, or takes it away. */
  setRole(organization: string, member: string, role: Role | null): void;
  /** Registers an app; its redirects are compared to the letter. */
  addApp(app: LoginApp, product?: Product): void;
  /** Somebody posts by hand; returns the post's name. */
  postAs(author: string, text: string): string;
  /** What was sent of a post besides its text, and its text as it was sent. */
  detailsOf(urn: string): Pick<StoredPost, "given" | "commentary" | "files">;
  /** The author deletes a post. */
  removePost(urn: string): void;
  /** The member takes back what the apps were allowed. */
  revoke(member: string): void;
  /** All access tokens run out now. */
  expireTokens(): void;
  /** A version of the API is no more. */
  endVersion(version: string): void;
  /** Lists of posts leave out from now on what is in no feed. */
  hideUnlisted(): void;
  /** What came beside a film: subtitles, a picture. */
  besideOf(urn: string): readonly string[];
  /** Parts of films are this long from now on, bytes. @default 4194304 */
  cutFilmsInto(bytes: number): void;
  /** Members are not told any more how far their films are. */
  hideFilms(): void;
  /** So long after a post no comment can stand under it, seconds. */
  knowPostsAfter(seconds: number): void;
  /** Files take this long from now on. */
  processMediaFor(seconds: number): void;
  /** The next file cannot be used. */
  failNextMedia(): void;
}

export function linkedinSandbox(ports: SandboxPorts): LinkedinSandbox {
  const state = createState(ports);
  const logins = createLogins(ports);
  const assets = createAssets(state, ports);
  const posts = createPosts(state, assets);
  const comments = createComments(state);
  const router = createRouter({
    routes: routesOf({ state, logins, assets, posts, comments }),
    missing: refusal(404, "RESOURCE_NOT_FOUND", "No virtual resource found").answer,
    assertTaken: (request) => assertVersion(state, request),
  });

  return {
    network: "linkedin",
    serves: (host) => host === "api.linkedin.com" || host === "www.linkedin.com",
    ...router,
    commits: ["createPost", "createComment"],
    faults: createFaults(),
    posts: posts.all,
    rateLimit: state.quota.useUp,
    lagReads: state.lag.take,
    ...settings({ state, logins, assets, posts, comments }),
  };
}

/** Each version lives for at least a year. https://learn.microsoft.com/en-us/linkedin/marketing/versioning (2026-08) */
const versions: ReadonlySet<string> = new Set([
  "202609",
  "202608",
  "202607",
  "202606",
  "202605",
  "202604",
  "202603",
  "202602",
  "202601",
]);

function assertVersion({ ended }: State, { url, headers }: SandboxRequest): void {
  if (!url.pathname.startsWith("/rest/")) return;
  const version = headers.get("linkedin-version") ?? "";
  if (!versions.has(version) || ended.has(version))
    throw refusal(426, "NONEXISTENT_VERSION", `Requested version ${version} is not active`);
  if (headers.get("x-restli-protocol-version") !== "2.0.0")
    throw refusal(400, "ILLEGAL_ARGUMENT", "X-Restli-Protocol-Version must be 2.0.0");
}

interface Parts {
  state: State;
  logins: Logins;
  assets: Assets;
  posts: Posts;
  comments: Comments;
}

function routesOf({ state, logins, assets, posts, comments }: Parts): Route[] {
  const caller = (request: SandboxRequest, resource: string, ...scopes: string[]): Caller =>
    logins.authenticate(request, { resource, scopes });
  const writer = (request: SandboxRequest, resource: string): Caller =>
    caller(request, resource, "w_member_social", "w_organization_social");
  const people = (): Person[] => state.members.map(({ urn, name }) => ({ account: urn, name }));
  const rest = (
    operation: string,
    method: string,
    path: string,
    asks: string | undefined,
    handle: Route["handle"],
  ): Route => ({
    operation,
    method,
    path: new RegExp(`^/rest/${path.replace(":id", "([^/]+)")}$`),
    fits: ({ searchParams }) => asks === undefined || asks === (searchParams.get("action") ?? searchParams.get("q")),
    handle,
  });
  return [
    {
      operation: "authorize",
      method: "GET",
      path: /^\/oauth\/v2\/authorization$/,
      handle: (request) => logins.authorize(request, people()),
    },
    {
      operation: "token",
      method: "POST",
      path: /^\/oauth\/v2\/accessToken$/,
      handle: logins.token,
    },
    {
      operation: "revoke",
      method: "POST",
      path: /^\/oauth\/v2\/revoke$/,
      handle: logins.end,
    },
    {
      operation: "userinfo",
      method: "GET",
      path: /^\/v2\/userinfo$/,
      handle: (request) => userinfo(memberOf(state, caller(request, "userinfo.GET.NO_VERSION", "openid"))),
    },
    {
      operation: "me",
      method: "GET",
      path: /^\/v2\/me$/,
      handle: (request) => me(memberOf(state, caller(request, "me.GET.NO_VERSION", "r_basicprofile"))),
    },
    rest("organizationAcls", "GET", "organizationAcls", "roleAssignee", (request) =>
      roles(
        state,
        caller(request, "partnerApiOrganizationAcls.FINDER-roleAssignee", "rw_organization_admin"),
        request.url,
      ),
    ),
    rest("organization", "GET", "organizations/:id", undefined, (request, id) => {
      caller(request, "organizations.GET", "rw_organization_admin", "r_organization_social");
      return organization(state, id);
    }),
    {
      operation: "logo",
      method: "GET",
      path: /^\/v2\/organizations\/(\d+)$/,
      handle: (request, id) => {
        caller(request, "organizations.GET.NO_VERSION", "rw_organization_admin");
        return logo(state, id, request.url);
      },
    },
    rest("createPost", "POST", "posts", undefined, (request) => {
      const who = writer(request, "posts.CREATE");
      if (state.quota.isUsedUp())
        throw refusal(
          429,
          "TOO_MANY_REQUESTS",
          "Resource level throttle MEMBER DAY limit for calls to this resource is reached.",
          // Told, since it does not last until midnight here.
          { "retry-after": String(Math.ceil((state.quota.endsAt() - state.now()) / 1000)) },
        );
      return posts.create(who, request);
    }),
    rest("findPosts", "GET", "posts", "author", (request) =>
      posts.list(caller(request, "partnerApiPostsExternal.FINDER-author"), request.url),
    ),
    rest("createComment", "POST", "socialActions/:id/comments", undefined, (request, id) =>
      comments.create(caller(request, "socialActions.CREATE"), id, request),
    ),
    rest("findComments", "GET", "socialActions/:id/comments", undefined, (request, id) =>
      comments.list(caller(request, "socialActions.GET_ALL"), id, request.url),
    ),
    ...(["images", "videos", "documents"] as const).flatMap((kind) => {
      const one = { images: "Image", videos: "Video", documents: "Document" }[kind];
      return [
        rest(`initialize${one}`, "POST", kind, "initializeUpload", (request) =>
          assets.initialize(writer(request, `${kind}.INITIALIZE_UPLOAD`), request, kind),
        ),
        rest(`status${one}`, "GET", `${kind}/:id`, undefined, (request, id) =>
          assets.status(writer(request, `${kind}.GET`), id),
        ),
      ];
    }),
    rest("finalizeVideo", "POST", "videos", "finalizeUpload", (request) =>
      assets.finalize(writer(request, "videos.FINALIZE_UPLOAD"), request),
    ),
    {
      operation: "uploadFile",
      method: "PUT",
      path: /^\/dms-uploads\/(\d+)$/,
      handle(request, id) {
        writer(request, "dms-uploads.PUT");
        return assets.take(request, id);
      },
    },
    {
      operation: "uploadPart",
      method: "PUT",
      path: /^\/dms-uploads\/sp\/(\d+\/\w+)$/,
      handle: (request, id) => assets.takePart(request, id),
    },
  ];
}

type Settings = Omit<LinkedinSandbox, keyof SandboxNetwork>;

function settings({ state, logins, assets, posts, comments }: Parts): Settings {
  const vanityOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  const organizationOf = (wanted: string): Organization => {
    const found = state.organizations.find(({ urn }) => urn === wanted);
    if (found === undefined) throw new Error(`The sandbox has no organisation ${wanted}.`);
    return found;
  };

  return {
    addMember({ name, vanityName = vanityOf(name), product = "self_serve", scopes = allScopes[product] }) {
      const urn = `urn:li:person:m-${state.newId()}_Z`;
      state.members.push({ urn, name, vanityName });
      const tokens = logins.issue(urn, { product, scopes });
      return { external_id: urn, ...tokens, client_id: sandboxApps[product].client_id, scopes: [...scopes] };
    },
    addOrganization({ name, vanityName = vanityOf(name), logo: own, roles: given = {} }) {
      const id = idIn(state.newId());
      const urn = `urn:li:organization:${id}`;
      const address = own === undefined ? `https://media.licdn.com/dms/image/${id}?e=1800000000` : own;
      state.organizations.push({ urn, name, vanityName, logo: address, roles: new Map(Object.entries(given)) });
      return urn;
    },
    setRole(urn, member, role) {
      const { roles: given } = organizationOf(urn);
      if (role === null) given.delete(member);
      else given.set(member, role);
    },
    addApp: (app, product = "self_serve") => void logins.apps[product].push(app),
    postAs: posts.add,
    detailsOf: (urn) => postOf(state, urn),
    removePost(urn) {
      postOf(state, urn).isDeleted = true;
    },
    revoke: logins.revoke,
    expireTokens: logins.expireAccess,
    endVersion: (version) => void state.ended.add(version),
    hideUnlisted() {
      state.hidesUnlisted = true;
    },
    besideOf: assets.besideOf,
    cutFilmsInto: assets.cutInto,
    hideFilms() {
      state.hidesFilms = true;
    },
    knowPostsAfter: comments.knowPostsAfter,
    processMediaFor: assets.processFor,
    failNextMedia: assets.failNext,
  };
}
