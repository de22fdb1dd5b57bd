import { chatOperation } from "../../../src/networks/bluesky/errors.ts";
import { thumbprintOf } from "../../../src/networks/bluesky/signing-key.ts";
import { casesOn } from "../cases.ts";
import { lockedOutOn, type Scene, type WireScene } from "../scene.ts";
import { appHost, blueskyWithLogin, clientId, describedApp, firstKey } from "./app.ts";
import { blueskyBench, credentials, part, pictures, video } from "./bench.ts";
import { options } from "./options.ts";
import { outcomes } from "./outcomes.ts";

const did = "did:plc:abcdefghijklmnopqrstuvwx";

const wire: WireScene = {
  words: "a record under our key, with the session's token",
  url: "https://pds.example/xrpc/com.atproto.repo.applyWrites",
  profile: {
    external_id: did,
    host: "pds.example",
    account_facts: { pds: "https://pds.example", blob_upload_limit: null },
  },
  secret: { access: "the-access-token", refresh: "the-refresh-token" },
  key: "3n2t2gu4wkqgc",
  sent: {
    headers: { authorization: "Bearer the-access-token", "content-type": "application/json" },
    body: {
      repo: did,
      writes: [
        {
          $type: "com.atproto.repo.applyWrites#create",
          collection: "app.bsky.feed.post",
          rkey: "3n2t2gu4wkqgc",
          value: { $type: "app.bsky.feed.post", text: "Hello from the wire", createdAt: "2026-11-21T12:00:00.000Z" },
        },
      ],
    },
  },
  accepted: { fixture: "apply-writes.200", id: `at://${did}/app.bsky.feed.post/3n2t2gu4wkqgc` },
  refused: [
    { fixture: "apply-writes.400", effect: "none", code: "invalid_request" },
    { fixture: "apply-writes.429", effect: "later", remedy: "rate_limit", waitMs: 6_000 },
  ],
};

const caseOf = casesOn(blueskyBench, () => credentials());

export const scene: Scene = {
  network: "bluesky",
  options,
  adapter: () => blueskyWithLogin(),
  threads: "in one request",
  operations: { look: ["getRecord"], upload: "uploadBlob", renew: "refreshSession" },
  accounts: [
    {
      name: "bluesky",
      commit: "applyWrites",
      read: "getRecord",
      canBeAsked: true,
      connect(sandbox, name) {
        const { handle, password } = sandbox.bluesky.addAccount({ handle: `${name}.sandbox.example` });
        return { network: "bluesky", credentials: { identifier: handle, app_password: password } };
      },
    },
    {
      name: "bluesky login",
      commit: "applyWrites",
      read: "getRecord",
      canBeAsked: true,
      renew: "token",
      prepare: (sandbox) => sandbox.bluesky.reach(appHost, describedApp),
      connect(sandbox, name) {
        const { handle } = sandbox.bluesky.addAccount({ handle: `${name}.login.example` });
        const scopes = ["atproto", "transition:generic"];
        const client = { client_id: clientId, key_id: thumbprintOf(firstKey), scopes };
        return { network: "bluesky", credentials: sandbox.bluesky.allow(handle, client) };
      },
    },
  ],
  outcomes,
  contract: {
    cases: [
      caseOf("a text", () => part({ options: { replies: "nobody" } })),
      caseOf("four images", (bench) => part({ media: pictures(bench, 4) })),
      caseOf("a video", (bench) => part({ media: [video(bench)] })),
    ],
  },
  wire,
  refusals: {
    /** https://atproto.com/specs/xrpc (2026-08) */
    answer: ({ status, code = "SomethingElse", words }) => ({ status, json: { error: code, message: words } }),
    limited: ({ endsAt }) => ({
      status: 429,
      json: { error: "SomethingElse", message: "Slow down" },
      headers: { "ratelimit-reset": String(Math.floor(endsAt / 1000)) },
    }),
    tellsWholeSeconds: true,
    inInbox: chatOperation,
  },
  realAccount({ BLUESKY_IDENTIFIER: identifier, BLUESKY_APP_PASSWORD: app_password }) {
    return identifier && app_password ? { network: "bluesky", credentials: { identifier, app_password } } : null;
  },
  simulation: {
    expireCredentials: ({ bluesky: network }) => network.expireTokens(),
    lockedOut: lockedOutOn("bluesky"),
  },
};
