import { uploadOperation } from "../../../src/networks/mastodon/errors.ts";
import { mastodon } from "../../../src/networks/mastodon/index.ts";
import type { MastodonPost } from "../../../src/sandbox/mastodon/posts.ts";
import { type InstanceWays, mastodonsWays } from "../../../src/sandbox/mastodon/ways.ts";
import { randomWays, visibilityAt, whyUndecided } from "../../support/instance-ways.ts";
import { casesOn } from "../cases.ts";
import {
  type AccountKind,
  type Scene,
  type ServerWays,
  type SimulationScene,
  tokenOf,
  type WireScene,
} from "../scene.ts";
import { credentials, mastodonBench, part, pictures, video } from "./bench.ts";
import { options } from "./options.ts";
import { outcomes } from "./outcomes.ts";

const wire: WireScene = {
  words: "a status with its visibility, and the key in its header",
  url: "https://mastodon.example/api/v1/statuses",
  profile: {
    external_id: "mastodon.example:1",
    host: "mastodon.example",
    account_facts: { account_id: "1", api_version: 10 },
  },
  secret: { access_token: "the-token" },
  key: "6f1c8f0e-0000-4000-8000-000000000001",
  sent: {
    headers: {
      authorization: "Bearer the-token",
      "user-agent": /^postrider\/\d+\.\d+\.\d+ \(\+https:\/\//,
      "idempotency-key": "6f1c8f0e-0000-4000-8000-000000000001",
    },
    body: { status: "Hello from the wire", visibility: "public" },
  },
  accepted: { fixture: "create-status.200", id: "103270115826048975" },
  refused: [
    { fixture: "create-status.422", effect: "none", code: "invalid_request" },
    { fixture: "create-status.429", effect: "later", remedy: "rate_limit", waitMs: 5_000 },
  ],
};

const caseOf = casesOn(mastodonBench, credentials);

/** An instance that ignores the Idempotency-Key. */
const lookAlikeHost = "look-alike.sandbox.example";
/** The instance of a small server is named after its only account. */
const smallHost = (name: string): string => `${name}.small.example`;

const api = {
  commit: "POST /api/v1/statuses",
  read: "GET /api/v1/accounts/:id/statuses",
  canBeAsked: true,
} satisfies Partial<AccountKind>;

function connectOn(hostOf?: (name: string) => string): AccountKind["connect"] {
  return (sandbox, username) => {
    const instance = hostOf?.(username);
    const account = sandbox.mastodon.addAccount({ username, ...(instance === undefined ? {} : { instance }) });
    return { network: "mastodon", credentials: { instance: account.instance, access_token: account.access_token } };
  };
}

const lookAlike: AccountKind = {
  ...api,
  name: "mastodon look-alike that ignores keys",
  isVariant: true,
  prepare({ mastodon: network }) {
    network.addInstance({ host: lookAlikeHost });
    network.ignoreIdempotencyKeys(lookAlikeHost);
  },
  connect: connectOn(() => lookAlikeHost),
};

const smallServer: AccountKind = {
  ...api,
  name: "small server",
  isVariant: true,
  addServer(sandbox, name, random) {
    const ways = randomWays(random);
    sandbox.mastodon.addInstance({ host: smallHost(name), apiVersion: null, ...ways });
    return ways;
  },
  connect: connectOn(smallHost),
};

/** As returned by `addServer`. */
function waysOf(ways: ServerWays | null): Partial<InstanceWays> {
  return ways ?? {};
}

const simulation: SimulationScene = {
  login: {
    revoke: ({ mastodon: network }, { connection }) => network.revoke(tokenOf(connection)),
    allowAgain({ mastodon: network }, { connection }) {
      network.restore(tokenOf(connection));
      return connection;
    },
  },
  optionsFor: (visibility) => ({ visibility }),
  postByHand: (sandbox, { externalId, text, visibility }) => sandbox.mastodon.postAs(externalId, { text, visibility }),
  excuse({ kind, ways, visibility, part: place, ...doubt }) {
    return whyUndecided({
      ...doubt,
      ways: { ...mastodonsWays, ...(kind.name === lookAlike.name ? { keys: "ignored" } : {}), ...waysOf(ways) },
      visibility: visibilityAt(visibility, place),
      isReply: place > 0,
      // A post of a week ago may be on none of the pages that are read.
      wasShownBefore: false,
    });
  },
  complaint(shown, { visibility, part: place, ways }) {
    const { text, visibility: found, files } = shown as MastodonPost;
    const asked = visibilityAt(visibility, place);
    const wanted = waysOf(ways).visibilityBecomes?.[asked] ?? asked;
    if (found !== wanted) return `"${text}" is ${found} instead of ${wanted}`;
    return files.some((file) => !file.is_original) ? `"${text}" shows another picture` : null;
  },
};

export const scene: Scene = {
  network: "mastodon",
  options,
  adapter: () => mastodon({ app: { name: "Host" } }),
  threads: "part by part",
  operations: { look: [api.read], upload: "POST /api/v2/media" },
  accounts: [{ ...api, name: "mastodon", connect: connectOn() }, lookAlike, smallServer],
  outcomes,
  contract: {
    cases: [
      caseOf("a text", () => part({ text: "Hello @bob@elsewhere.example\n\nhttps://example.com/a?b=1&c=2 #hi" })),
      caseOf("four images", (bench) => part({ media: pictures(bench, 4) })),
      caseOf("a video", (bench) => part({ text: "", media: [video(bench)] })),
    ],
  },
  wire,
  refusals: {
    /** https://docs.joinmastodon.org/entities/Error/ (2026-07) */
    answer: ({ status, words }) => ({ status, json: { error: words } }),
    limited: ({ endsAt }) => ({
      status: 429,
      json: { error: "Slow down" },
      headers: { "x-ratelimit-reset": new Date(endsAt).toISOString().replace("Z", "000Z") },
    }),
    elsewhere: { [uploadOperation]: { options: {}, operation: "POST /api/v2/media", isBefore: true } },
  },
  realAccount({ MASTODON_URL: instance, MASTODON_TOKEN: access_token }) {
    return instance && access_token ? { network: "mastodon", credentials: { instance, access_token } } : null;
  },
  simulation,
};
