import type { SandboxRequest } from "../exchange.ts";
import type { SandboxNetwork, SandboxPorts } from "../network.ts";
import { known } from "../parts/known.ts";
import type { LoginApp } from "../parts/login-pages.ts";
import { createSimulation } from "../parts/simulation.ts";
import { createAssets } from "./assets.ts";
import { createComments } from "./comments.ts";
import { allScopes, createLogins, type Product, sandboxApps } from "./logins.ts";
import { peopleRoutes } from "./people.ts";
import { createPosts } from "./posts.ts";
import { refusal } from "./refusal.ts";
import { createState, type Role, type State, type StoredPost } from "./state.ts";

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
  /** What came beside a video: subtitles, a picture. */
  besideOf(urn: string): readonly string[];
  /** Parts of videos are this long from now on, bytes. @default 4194304 */
  cutFilmsInto(bytes: number): void;
  /** Members are not told any more how far their videos are. */
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
  const logins = createLogins(state, ports);
  const assets = createAssets(state, logins, ports);
  const posts = createPosts(state, logins, assets);
  const comments = createComments(state, logins);
  const vanityOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, "-");

  return {
    ...createSimulation({
      network: "linkedin",
      hosts: ["api.linkedin.com", "www.linkedin.com"],
      commits: ["createPost", "createComment"],
      basics: state,
      routes: [...logins.routes, ...peopleRoutes(state, logins), ...posts.routes, ...comments.routes, ...assets.routes],
      missing: () => refusal(404, "RESOURCE_NOT_FOUND", "No virtual resource found").answer,
      assertTaken: (request) => assertVersion(state, request),
    }),
    ...logins.switches,
    ...assets.switches,
    ...posts.switches,
    ...comments.switches,
    posts: posts.posts,
    addMember({ name, vanityName = vanityOf(name), product = "self_serve", scopes = allScopes[product] }) {
      const urn = `urn:li:person:m-${state.newId()}_Z`;
      state.members.push({ urn, name, vanityName });
      const tokens = logins.issue(urn, product, scopes);
      return { external_id: urn, ...tokens, client_id: sandboxApps[product].client_id, scopes: [...scopes] };
    },
    addOrganization({ name, vanityName = vanityOf(name), logo: own, roles: given = {} }) {
      const id = state.newId();
      const urn = `urn:li:organization:${id}`;
      const logo = own === undefined ? `https://media.licdn.com/dms/image/${id}?e=1800000000` : own;
      state.organizations.push({ urn, name, vanityName, logo, roles: new Map(Object.entries(given)) });
      return urn;
    },
    setRole(urn, member, role) {
      const found = state.organizations.find((each) => each.urn === urn);
      const { roles } = known(found, `organisation ${urn}`);
      if (role === null) roles.delete(member);
      else roles.set(member, role);
    },
    endVersion: (version) => void state.ended.add(version),
    hideUnlisted() {
      state.hidesUnlisted = true;
    },
    hideFilms() {
      state.hidesFilms = true;
    },
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
