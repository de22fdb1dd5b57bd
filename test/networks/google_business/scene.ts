import { google_business } from "../../../src/networks/google_business/index.ts";
import { networkScene } from "../../../src/testing/network-bench.ts";
import { type AccountKind, ownersSimilarPost, type RefusalScene, type Scene, type WireScene } from "../scene.ts";
import { app, credentials, type GoogleBusinessBench, googleBusinessBench, part, photo, photoOn } from "./bench.ts";
import { options } from "./options.ts";
import { outcomes } from "./outcomes.ts";

const location = "accounts/103948572039485720394/locations/8439204820482048204";

const wire: WireScene = {
  words: "a post with its text, addressed by account and location",
  url: `https://mybusiness.googleapis.com/v4/${location}/localPosts`,
  profile: {
    external_id: "locations/8439204820482048204",
    account_facts: { parent: "accounts/103948572039485720394" },
  },
  secret: { access_token: "the-token", refresh_token: "the-refresh-token" },
  key: "",
  sent: {
    headers: { authorization: "Bearer the-token", "content-type": "application/json" },
    body: { topicType: "STANDARD", summary: "Hello from the wire" },
  },
  accepted: { fixture: "create-post.200", id: `${location}/localPosts/5551234567890123456` },
  refused: [
    { fixture: "create-post.media.400", effect: "none", code: "media_error" },
    { fixture: "create-post.403", effect: "none", code: "internal_error" },
    { fixture: "create-post.429", effect: "later", remedy: "rate_limit", waitMs: null },
  ],
};

function caseOf(
  name: string,
  partOn: (bench: GoogleBusinessBench) => ReturnType<typeof part>,
  { isJob }: { isJob?: true } = {},
) {
  return {
    name,
    ...(isJob && { isJob }),
    create: () => {
      const bench = googleBusinessBench();
      if (isJob) bench.network.processFor(400);
      return networkScene(bench, { credentials: credentials(bench), part: partOn(bench) });
    },
  };
}

const refusals: RefusalScene = {
  /** https://cloud.google.com/apis/design/errors (2026-09) */
  answer({ status, code = "SOMETHING_ELSE", words }) {
    const [own = "", ...more] = code.split(" ");
    const isReason = /^[a-z]/.test(own);
    const errors = isReason ? { errors: [{ domain: "global", reason: own, message: words }] } : {};
    const message = [...more, words].join(" ");
    return { status, json: { error: { code: status, message, ...(isReason ? {} : { status: own }), ...errors } } };
  },
  limited: ({ now, endsAt }) => ({
    status: 429,
    json: { error: { code: 429, message: "Quota exceeded", status: "RESOURCE_EXHAUSTED" } },
    headers: { "retry-after": endsAt < now ? "0" : String((endsAt - now) / 1000) },
  }),
};

const account: AccountKind = {
  name: "google_business",
  commit: "createPost",
  read: "listPosts",
  canBeAsked: true,
  connect(sandbox, title) {
    const { access_token, refresh_token } = sandbox.google_business.addPerson({ titles: [title] });
    return { network: "google_business", credentials: { access_token, refresh_token } };
  },
};

export const scene: Scene = {
  network: "google_business",
  options,
  adapter: () => google_business({ app }),
  // Google refuses smaller images.
  needs: ({ media }) => ({ media: [{ url: media.put("needed-photo.jpg", photo(), { contentType: "image/jpeg" }) }] }),
  threads: null,
  operations: { look: ["listPosts", "getPost"], renew: "token" },
  accounts: [account],
  outcomes,
  contract: {
    cases: [
      caseOf("a text", () => part({ text: "Two\nlines" })),
      caseOf("a photo", (bench) => part({ media: [photoOn(bench)] })),
      caseOf(
        "an event that Google reviews for a while",
        () =>
          part({
            options: {
              topic_type: "EVENT",
              event: { title: "Baking", starts: "2026-12-24", ends: "2026-12-24T18:00" },
              call_to_action: { action_type: "BOOK", url: "https://example.com/book" },
              language_code: "en",
            },
          }),
        { isJob: true },
      ),
      caseOf("an offer", () =>
        part({
          options: {
            topic_type: "OFFER",
            event: { title: "Cheap bread", starts: "2026-12-01", ends: "2026-12-24" },
            offer: { coupon_code: "BREAD", redeem_online_url: "https://example.com/", terms_conditions: "One each." },
          },
        }),
      ),
    ],
  },
  wire,
  refusals,
  simulation: {
    expireCredentials: ({ google_business: network }) => network.expireTokens(),
    postByHand: ({ google_business: network }, { externalId, text }) => network.postByHand(externalId, text),
    excuse: ownersSimilarPost,
  },
};
