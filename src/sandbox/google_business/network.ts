import type { JsonObject } from "../../wire/json.ts";
import type { SandboxAnswer } from "../exchange.ts";
import type { SandboxNetwork, SandboxPorts } from "../network.ts";
import { createGoogleLogin, googleLoginHosts } from "../parts/google-login.ts";
import { known } from "../parts/known.ts";
import type { LoginApp } from "../parts/login-pages.ts";
import type { IssuedTokens } from "../parts/login-tokens.ts";
import { createSimulation } from "../parts/simulation.ts";
import { callRoutes, errorInfo, hosts, manage, postsOf } from "./calls.ts";
import { refusal } from "./refusal.ts";
import { createState, type Location, type Person, type Ways } from "./state.ts";

/** Google Business Profile, simulated, with Google's sign-in. */
export interface GoogleBusinessSandbox extends SandboxNetwork {
  /** Registers an app; that of `sandboxApp` exists from the start. */
  addApp(app: LoginApp): void;
  /** Creates a person with one location, or several; connect them with the returned tokens. */
  addPerson(options?: NewPerson): AddedPerson;
  /** A manager of the location posts without the library; returns the post's name. */
  postByHand(location: string, summary: string): string;
  /** The content that a post was created with, by its name. */
  post(name: string): JsonObject;
  /** Sets how long later posts are reviewed. */
  processFor(seconds: number): void;
  /** Makes Google reject the next post. */
  rejectNext(): void;
  /** Changes these behaviours; the others stay the same. */
  change(ways: Partial<Ways>): void;
  /** Removes a location's verification: it may not post any more. */
  unverify(location: string): void;
  /** Expires all access tokens. */
  expireTokens(): void;
  /** Sets whether the apps are in testing: then later sign-ins end after a week. @default false */
  setTesting(isTesting: boolean): void;
  /** The person revokes the apps' access. */
  revoke(email: string): void;
}

/** A person to create. */
export interface NewPerson {
  /** The names of their locations. @default ["Bakery"] */
  titles?: readonly string[];
  /** True: the first location is also listed under a group of theirs. @default false */
  hasGroup?: boolean;
  /** The scopes of their tokens. @default business.manage */
  scopes?: readonly string[];
}

/** A person, and the tokens that connect their locations. */
export interface AddedPerson extends IssuedTokens {
  /** The address of their Google account. */
  email: string;
  /** `accounts/1`, their own account. */
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

const ownHosts: readonly string[] = Object.values(hosts);

/** The response to a wrong path is a page. */
const wrongPath: SandboxAnswer = {
  status: 404,
  headers: { "content-type": "text/html" },
  text: "<title>Error 404 (Not Found)!!1</title>",
};

export function googleBusinessSandbox(ports: SandboxPorts): GoogleBusinessSandbox {
  const state = createState(ports);
  const google = createGoogleLogin(
    {
      app: sandboxApp,
      scopes: [manage],
      accounts: state.people,
      person: ({ email }) => ({ account: email, name: email }),
      refused: (what) =>
        what === "token"
          ? refusal(401, "UNAUTHENTICATED", "Request had invalid authentication credentials.")
          : refusal(403, "PERMISSION_DENIED", "Request had insufficient authentication scopes.", {
              details: errorInfo("ACCESS_TOKEN_SCOPE_INSUFFICIENT"),
            }),
    },
    ports,
  );

  const locationOf = (name: string): Location =>
    known(
      state.locations.find((each) => each.name === name),
      `location ${name}`,
    );

  return {
    ...createSimulation({
      network: "google_business",
      hosts: [...ownHosts, ...Object.values(googleLoginHosts)],
      commits: ["createPost"],
      basics: state,
      routes: [...callRoutes(state, google, ports.fetch), ...google.routes],
      missing: () => wrongPath,
    }),
    ...google.switches,
    owns: (request) => ownHosts.includes(request.url.hostname) || google.owns(request),
    posts: () => postsOf(state),
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
    postByHand(at, summary) {
      const location = locationOf(at);
      const name = `${location.parents[0]}/${at}/localPosts/${state.digits(19)}`;
      const content = { summary, topicType: "STANDARD" };
      state.posts.push({ name, location, content, created_at: state.now(), job: state.jobs.ended() });
      return name;
    },
    post(name) {
      const found = state.posts.find((each) => each.name === name);
      return known(found, `post ${name}`).content;
    },
    processFor: state.jobs.take,
    rejectNext: () => state.jobs.failNext("REJECTED"),
    change: (ways) => void Object.assign(state.ways, ways),
    unverify(location) {
      locationOf(location).isVerified = false;
    },
  };
}
