import { linkedin } from "../../../src/networks/linkedin/index.ts";
import { networkScene } from "../../../src/testing/network-bench.ts";
import { casesOn } from "../cases.ts";
import { type AccountKind, ownersSimilarPost, type RefusalScene, type Scene, type WireScene } from "../scene.ts";
import {
  community,
  linkedinBench,
  linkOn,
  memberOn,
  organizationOn,
  part,
  partnersMemberOn,
  pictures,
} from "./bench.ts";
import { options } from "./options.ts";
import { outcomes } from "./outcomes.ts";

const wire: WireScene = {
  words: "a post with the API version and the member's token",
  url: "https://api.linkedin.com/rest/posts",
  profile: { external_id: "urn:li:organization:2414183", handle: "devtestco", account_facts: { scopes: null } },
  secret: { access_token: "the-access-token" },
  key: "",
  sent: {
    headers: {
      authorization: "Bearer the-access-token",
      "content-type": "application/json",
      "linkedin-version": "202609",
      "x-restli-protocol-version": "2.0.0",
    },
    body: {
      author: "urn:li:organization:2414183",
      commentary: "Hello from the wire",
      visibility: "PUBLIC",
      distribution: { feedDistribution: "MAIN_FEED", targetEntities: [], thirdPartyDistributionChannels: [] },
      lifecycleState: "PUBLISHED",
      isReshareDisabledByAuthor: false,
    },
  },
  accepted: { fixture: "create-post.201", id: "urn:li:share:7462098711234567890" },
  refused: [
    { fixture: "create-post.403", effect: "none", code: "unsupported" },
    { fixture: "create-post.426", effect: "none", code: "internal_error" },
    // Until midnight, UTC.
    { fixture: "create-post.429", effect: "later", remedy: "rate_limit", waitMs: 12 * 3_600_000 },
  ],
};

const refusals: RefusalScene = {
  /** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api (2026-08) */
  answer({ status, code, words }) {
    const errorDetails = { inputErrors: [{ code, description: words }] };
    if (status === 422) return { status, json: { status, message: words, errorDetails } };
    return { status, json: { status, ...(code === undefined ? {} : { code }), message: words } };
  },
  limited: ({ now, endsAt }) => ({
    status: 429,
    json: { status: 429, code: "TOO_MANY_REQUESTS", message: "Slow down" },
    headers: { "retry-after": String(Math.ceil((endsAt - now) / 1000)) },
  }),
};

const caseOf = casesOn(linkedinBench, ({ network }) => organizationOn(network));

const memberCase = {
  name: "a member's text",
  cannotBeRead: true,
  create: () => {
    const bench = linkedinBench();
    return networkScene(bench, { credentials: memberOn(bench.network), part: part() });
  },
} as const;

const organization: AccountKind = {
  name: "linkedin organisation",
  commit: "createPost",
  read: "findPosts",
  canBeAsked: true,
  connect: (sandbox, name) => ({ network: "linkedin", credentials: organizationOn(sandbox.linkedin, name) }),
};

const member: AccountKind = {
  name: "linkedin member",
  commit: "createPost",
  read: null,
  canBeAsked: false,
  isVariant: true,
  // An app with renewable tokens: in a simulated week they expire many times.
  connect: (sandbox, name) => ({ network: "linkedin", credentials: partnersMemberOn(sandbox.linkedin, name) }),
};

export const scene: Scene = {
  network: "linkedin",
  options,
  adapter: () => linkedin(community),
  threads: null,
  operations: { look: ["findPosts"], upload: "uploadFile", renew: "token" },
  accounts: [organization, member],
  outcomes,
  contract: {
    cases: [
      caseOf("a text with all markup characters", () =>
        part({ text: "#Bread (50 % off) @home *and* [more] {or} <less> | a_b ~c\\d https://example.com/a_b#c" }),
      ),
      caseOf("an image", (bench) => part({ text: "", media: pictures(bench, 1) })),
      caseOf("three images", (bench) => part({ media: pictures(bench, 3) })),
      caseOf("a link card", (bench) => part({ link: linkOn(bench) })),
      memberCase,
    ],
  },
  wire,
  refusals,
  refusesEqualTexts: true,
  realAccount({ LINKEDIN_ACCESS_TOKEN: access_token }) {
    return access_token ? { network: "linkedin", credentials: { access_token } } : null;
  },
  simulation: {
    expireCredentials: ({ linkedin: network }) => network.expireTokens(),
    postByHand: (sandbox, { externalId, text }) => sandbox.linkedin.postAs(externalId, text),
    excuse: ownersSimilarPost,
  },
};
