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

/** A member to create, with a token. */
export interface NewLinkedinMember {
  /** The member's name. */
  name: string;
  /** The name in the URL of the member's page. @default the name in lower case, without spaces */
  vanityName?: string;
  /** The API product of the token's app, `share-app` or `community-app`. @default "self_serve" */
  product?: Product;
  /** The token's scopes. @default all that the app may request */
  scopes?: readonly string[];
}

/** The tokens that connect a created member, or an organisation that the member may post for. */
export interface LinkedinTokens {
  /** `urn:li:person:…` */
  external_id: string;
  /** Expires after 60 days. */
  access_token: string;
  /** Expires a year after the sign-in; null: the app gets none. */
  refresh_token: string | null;
  /** The id of the app that the tokens were issued to. */
  client_id: string;
  /** The tokens' scopes. */
  scopes: string[];
}

/** LinkedIn, simulated: the versioned API and the sign-ins. */
export interface LinkedinSandbox extends SandboxNetwork {
  /**
   * Creates a member, with tokens of an app that exists from the start (its secret: `share-secret`,
   * `community-secret`).
   */
  addMember(member: NewLinkedinMember): LinkedinTokens;
  /** Creates an organisation in which these members have roles; returns its `urn:li:organization:…`. */
  addOrganization(organization: {
    name: string;
    vanityName?: string;
    /** @default its own logo */
    logo?: string | null;
    roles?: Readonly<Record<string, Role>>;
  }): string;
  /** Sets a member's role, or removes it. */
  setRole(organization: string, member: string, role: Role | null): void;
  /** Registers an app; its redirect URLs are compared character by character. */
  addApp(app: LoginApp, product?: Product): void;
  /** A member or organisation posts without the library; returns the post's URN. */
  postAs(author: string, text: string): string;
  /** The sent fields of a post, and its text as it was sent. */
  detailsOf(urn: string): Pick<StoredPost, "given" | "commentary" | "files">;
  /** The author deletes a post. */
  removePost(urn: string): void;
  /** The member revokes the apps' access. */
  revoke(member: string): void;
  /** Expires all access tokens. */
  expireTokens(): void;
  /** Ends a version of the API. */
  endVersion(version: string): void;
  /** Omits posts that are in no feed from lists. */
  hideUnlisted(): void;
  /** The kinds of files that were uploaded with a video: subtitles, a thumbnail. */
  besideOf(urn: string): readonly string[];
  /** Sets the length of a video's parts, bytes. @default 4194304 */
  cutVideosInto(bytes: number): void;
  /** Hides the status of videos from members. */
  hideVideos(): void;
  /** Rejects comments until this long after the post, seconds. */
  knowPostsAfter(seconds: number): void;
  /** Sets how long files are processed. */
  processMediaFor(seconds: number): void;
  /** Makes the processing of the next file fail. */
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
    hideVideos() {
      state.hidesVideos = true;
    },
  };
}

/**
 * Each version is supported for at least a year. https://learn.microsoft.com/en-us/linkedin/marketing/versioning
 * (2026-08)
 */
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
