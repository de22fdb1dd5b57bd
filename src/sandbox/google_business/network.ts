import type { JsonObject } from "../../wire/json.ts";
import type { SandboxAnswer } from "../exchange.ts";
import { createFaults } from "../faults.ts";
import type { SandboxNetwork, SandboxPorts } from "../network.ts";
import { createGoogleLogin, type GoogleLogin, googleLoginHosts } from "../parts/google-login.ts";
import type { LoginApp } from "../parts/login-pages.ts";
import type { IssuedTokens } from "../parts/login-tokens.ts";
import { createRouter, type Route } from "../parts/routes.ts";
import { createCalls, manage, postsOf } from "./calls.ts";
import { createState, type Person, type State, type Ways } from "./state.ts";

/** Google Business Profile, simulated, with Google's login. */
export interface GoogleBusinessSandbox extends SandboxNetwork {
  /** Registers an app; the one of `sandboxApp` is there from the start. */
  addApp(app: LoginApp): void;
  /** Makes a person with a location, or with several; the tokens connect them. */
  addPerson(options?: NewPerson): AddedPerson;
  /** Somebody posts at a location by hand; returns the post's name. */
  postByHand(location: string, summary: string): string;
  /** What a post was made of, by its name. */
  post(name: string): JsonObject;
  /** Posts that come from now on are looked at for this long. */
  processFor(seconds: number): void;
  /** The next post is rejected. */
  rejectNext(): void;
  /** From now on it does this in another way; the rest stays as it is. */
  change(ways: Partial<Ways>): void;
  /** A location loses its verification, and may post nothing. */
  unverify(location: string): void;
  /** All access tokens run out now. */
  expireTokens(): void;
  /** The apps are in testing: logins from now on end after a week. @default false */
  setTesting(isTesting: boolean): void;
  /** The person takes back what the apps were allowed. */
  revoke(email: string): void;
}

/** A person to be made. */
export interface NewPerson {
  /** What their locations are called. @default ["Bakery"] */
  titles?: readonly string[];
  /** The first location is listed under a group of theirs as well. @default false */
  hasGroup?: boolean;
  /** What their tokens allow. @default business.manage */
  scopes?: readonly string[];
}

/** A person, and what connects their locations. */
export interface AddedPerson extends IssuedTokens {
  email: string;
  /** `accounts/1`, their own. */
  account: string;
  /** `locations/1`, in order. */
  locations: string[];
}

/** An app that is registered from the start. */
export const sandboxApp: LoginApp = {
  client_id: "business.apps.googleusercontent.com",
  client_secret: "GOCSPX-business-secret",
  redirect_uris: ["https://app.example.com/connect/google_business/callback"],
};

const hosts = {
  posts: "mybusiness.googleapis.com",
  accounts: "mybusinessaccountmanagement.googleapis.com",
  locations: "mybusinessbusinessinformation.googleapis.com",
} as const;
const ownHosts: ReadonlySet<string> = new Set(Object.values(hosts));
const loginHosts: ReadonlySet<string> = new Set(Object.values(googleLoginHosts));

/** A wrong path gets a page. */
const wrongPath: SandboxAnswer = {
  status: 404,
  headers: { "content-type": "text/html" },
  text: "<title>Error 404 (Not Found)!!1</title>",
};

export function googleBusinessSandbox(ports: SandboxPorts): GoogleBusinessSandbox {
  const state = createState(ports);
  state.apps.push(sandboxApp);
  const people = () => state.people.map(({ email }) => ({ account: email, name: email }));
  const google = createGoogleLogin({ apps: state.apps, scopes: [manage], people }, ports);
  const router = createRouter({ routes: routesOf(state, google, ports.fetch), missing: wrongPath });

  return {
    network: "google_business",
    serves: (host) => ownHosts.has(host) || loginHosts.has(host),
    owns: (request) => ownHosts.has(request.url.hostname) || google.owns(request),
    ...router,
    commits: ["createPost"],
    faults: createFaults(),
    posts: () => postsOf(state),
    rateLimit: state.quota.useUp,
    lagReads: state.lag.take,
    ...settings(state, google),
  };
}

function routesOf(state: State, google: GoogleLogin, fetchFile: typeof fetch): Route[] {
  const calls = createCalls(state, google, fetchFile);
  const posts = /^\/v4\/accounts\/\d+\/locations\/\d+\/localPosts$/;
  const post = /^\/v4\/accounts\/\d+\/locations\/\d+\/localPosts\/\d+$/;
  const at = (host: string, method: string, path: RegExp) => ({ host, method, path });
  return [
    { ...at(hosts.posts, "POST", posts), operation: "createPost", handle: calls.create },
    { ...at(hosts.posts, "GET", posts), operation: "listPosts", handle: calls.list },
    { ...at(hosts.posts, "GET", post), operation: "getPost", handle: calls.get },
    { ...at(hosts.accounts, "GET", /^\/v1\/accounts$/), operation: "listAccounts", handle: calls.accounts },
    {
      ...at(hosts.locations, "GET", /^\/v1\/accounts\/\d+\/locations$/),
      operation: "listLocations",
      handle: calls.locations,
    },
    { ...at(hosts.locations, "GET", /^\/v1\/locations\/\d+$/), operation: "getLocation", handle: calls.location },
    { ...at(googleLoginHosts.tokens, "POST", /^\/token$/), operation: "token", handle: google.token },
    { ...at(googleLoginHosts.tokens, "GET", /^\/tokeninfo$/), operation: "tokenInfo", handle: google.tokenInfo },
    { ...at(googleLoginHosts.tokens, "POST", /^\/revoke$/), operation: "revoke", handle: google.revoke },
    {
      ...at(googleLoginHosts.page, "GET", /^\/o\/oauth2\/v2\/auth$/),
      operation: "authorize",
      handle: google.authorize,
    },
  ];
}

type Settings = Omit<GoogleBusinessSandbox, keyof SandboxNetwork>;

function settings(state: State, google: GoogleLogin): Settings {
  const locationOf = (name: string) => {
    const location = state.locations.find((each) => each.name === name);
    if (location === undefined) throw new Error(`The sandbox has no location ${name}.`);
    return location;
  };
  return {
    addApp: (app) => void state.apps.push(app),
    addPerson({ titles = ["Bakery"], hasGroup = false, scopes = [manage] } = {}) {
      const email = `manager${state.people.length + 1}@gmail.example`;
      const account = `accounts/${state.digits(21)}`;
      const group = `accounts/${state.digits(21)}`;
      const person: Person = { email, accounts: [{ name: account, type: "PERSONAL" }] };
      if (hasGroup) person.accounts.push({ name: group, type: "LOCATION_GROUP" });
      state.people.push(person);
      const locations = titles.map((title, index) => {
        const parents = hasGroup && index === 0 ? [account, group] : [account];
        const location = { name: `locations/${state.digits(19)}`, title, parents, isVerified: true };
        state.locations.push(location);
        return location.name;
      });
      return { email, account, locations, ...google.issue(email, scopes) };
    },
    postByHand(location, summary) {
      const at = locationOf(location);
      const name = `${at.parents[0]}/${location}/localPosts/${state.digits(19)}`;
      const content = { summary, topicType: "STANDARD" };
      const job = { ready_at: state.now(), failure: null };
      state.posts.push({ name, location: at, content, created_at: state.now(), job, isDeleted: false });
      return name;
    },
    post(name) {
      const found = state.posts.find((each) => each.name === name);
      if (found === undefined) throw new Error(`The sandbox has no post ${name}.`);
      return found.content;
    },
    processFor: state.jobs.take,
    rejectNext: () => state.jobs.failNext("REJECTED"),
    change: (ways) => void Object.assign(state.ways, ways),
    unverify(location) {
      locationOf(location).isVerified = false;
    },
    expireTokens: google.expireAccess,
    setTesting: google.setTesting,
    revoke: google.takeBack,
  };
}
