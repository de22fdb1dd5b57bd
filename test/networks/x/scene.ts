import { x } from "../../../src/networks/x/index.ts";
import { casesOn } from "../cases.ts";
import {
  type AccountKind,
  lockedOutOn,
  ownersSimilarPost,
  type RefusalScene,
  type Scene,
  type WireScene,
} from "../scene.ts";
import { app, credentials, part, pictures, video, xBench } from "./bench.ts";
import { options } from "./options.ts";
import { outcomes } from "./outcomes.ts";

const wire: WireScene = {
  words: "a post with its text and no unknown fields, with the account's token",
  url: "https://api.x.com/2/tweets",
  profile: { external_id: "2244994945", handle: "alice", account_facts: { subscription_type: "None", scopes: null } },
  secret: { access_token: "the-access-token", refresh_token: "the-refresh-token", client_id: "the-app" },
  key: "",
  sent: {
    headers: { authorization: "Bearer the-access-token", "content-type": "application/json" },
    body: { text: "Hello from the wire" },
  },
  accepted: { fixture: "create-post.201", id: "1991848293756207105" },
  refused: [
    { fixture: "create-post.400", effect: "none", code: "invalid_request" },
    { fixture: "create-post.429", effect: "later", remedy: "rate_limit", waitMs: 5_000 },
  ],
};

const refusals: RefusalScene = {
  /** https://docs.x.com/x-api/fundamentals/response-codes-and-errors (2026-08) */
  answer({ status, code, words }) {
    const isField = code?.includes(".") === true;
    const type = code === undefined || isField ? "about:blank" : `https://api.x.com/2/problems/${code}`;
    const errors = isField ? { errors: [{ parameters: { [code]: ["1"] }, message: words }] } : {};
    return { status, json: { title: "Refused", detail: words, type, ...errors } };
  },
  limited: ({ endsAt }) => ({
    status: 429,
    json: { title: "Too Many Requests", detail: "Slow down", type: "about:blank", status: 429 },
    headers: { "x-rate-limit-remaining": "0", "x-rate-limit-reset": String(Math.floor(endsAt / 1000)) },
  }),
  tellsWholeSeconds: true,
};

const caseOf = casesOn(xBench, credentials);

const api = { commit: "createPost", read: "userPosts", canBeAsked: true } satisfies Partial<AccountKind>;

function connectWith(remembersTextsSeconds?: number): AccountKind["connect"] {
  return (sandbox, name) => {
    const remembers = remembersTextsSeconds === undefined ? {} : { remembersTextsSeconds };
    // Handles on X are short.
    const { external_id: _, ...tokens } = sandbox.x.addAccount({ username: name.slice(0, 15), ...remembers });
    return { network: "x", credentials: tokens };
  };
}

export const scene: Scene = {
  network: "x",
  options,
  adapter: () => x({ app }),
  threads: "part by part",
  operations: { look: ["userPosts"], upload: "append", renew: "token" },
  accounts: [
    { ...api, name: "x", connect: connectWith() },
    // It is unknown how long X remembers a text: it may be too short to help.
    { ...api, name: "x that forgets texts", isVariant: true, connect: connectWith(0) },
  ],
  outcomes,
  contract: {
    cases: [
      caseOf("a text with a URL", () => part({ text: "Salt & pepper: https://example.com/a?b=1&c=2 or example.org" })),
      caseOf("a poll", () => part({ options: { poll: { options: ["Tea", "Coffee"], duration_minutes: 60 } } })),
      caseOf("four images", (bench) => part({ media: pictures(bench, 4), options: { sensitive: ["other"] } })),
      caseOf("a video", (bench) => part({ text: "", media: [video(bench)] })),
    ],
  },
  wire,
  refusals,
  refusesEqualTexts: true,
  realAccount({ X_ACCESS_TOKEN: access_token }) {
    return access_token ? { network: "x", credentials: { access_token } } : null;
  },
  simulation: {
    login: {
      revoke: ({ x: network }, { externalId }) => network.revoke(externalId),
      allowAgain({ x: network }, { externalId }) {
        const { external_id: _, ...credentials } = network.allowAgain(externalId);
        return { network: "x", credentials };
      },
    },
    expireCredentials: ({ x: network }) => network.expireTokens(),
    lockedOut: lockedOutOn("x"),
    postByHand: (sandbox, { externalId, text }) => sandbox.x.postAs(externalId, { text }),
    excuse: ownersSimilarPost,
  },
};
