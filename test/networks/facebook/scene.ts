import type { Part } from "../../../src/networks/contract/plan.ts";
import { belowPost } from "../../../src/networks/facebook/errors.ts";
import { facebook } from "../../../src/networks/facebook/index.ts";
import { graphRefusal, usageHeaders } from "../../../src/sandbox/parts/graph.ts";
import { uploadRefusal } from "../../../src/sandbox/parts/graph-files.ts";
import { networkScene } from "../../../src/testing/network-bench.ts";
import { movie } from "../../media/samples.ts";
import { type AccountKind, ownersSimilarPost, type Said, type Scene, tokenOf, type WireScene } from "../scene.ts";
import { type FacebookBench, facebookBench, part, pictures, video } from "./bench.ts";
import { options } from "./options.ts";
import { outcomes } from "./outcomes.ts";

const look = "GET /:id/published_posts";

const wire: WireScene = {
  words: "a text for the Page's feed",
  url: "https://graph.facebook.com/v26.0/122100000000001013/feed",
  profile: { external_id: "122100000000001013", account_facts: { scopes: [], tasks: null } },
  secret: { access_token: "EAAFthe-token" },
  key: "",
  sent: {
    headers: { authorization: "Bearer EAAFthe-token" },
    body: { message: "Hello from the wire", published: true },
  },
  accepted: { fixture: "feed.200", id: "122100000000001013_122100000000005065" },
  refused: [
    { fixture: "feed.link.400", effect: "none", code: "invalid_request" },
    { fixture: "feed.token.400", effect: "none", code: "reauthentication_required" },
    { fixture: "feed.limit.403", effect: "later", remedy: "rate_limit", waitMs: 300_000 },
    { fixture: "feed.too-fast.400", effect: "later", remedy: "rate_limit", waitMs: null },
  ],
};

function caseOf(
  name: string,
  partOn: (bench: FacebookBench) => Part,
  { videoUpload, ...more }: { isJob?: true; videoUpload?: "push" } = {},
) {
  return {
    name,
    ...more,
    create: () => {
      const bench = facebookBench({}, { videoUpload });
      const given = partOn(bench);
      const scene = networkScene(bench, { credentials: { access_token: bench.token }, part: given });
      // Uploads are available immediately; publishing takes Facebook a while.
      if (more.isJob) bench.network.processPublicationsFor(45);
      return scene;
    },
  };
}

const page: AccountKind = {
  name: "facebook",
  commit: "POST /:id/feed",
  read: look,
  canBeAsked: true,
  connect(sandbox, name) {
    const { access_token } = sandbox.facebook.addPage({ name });
    return { network: "facebook", credentials: { access_token } };
  },
};

/** The table's name for all codes of missing permissions. */
const permissionCodes = "200..299";

/** A subcode that may come with any code comes with 100 here. */
function answerTo({ status, code = "99999", words }: Said) {
  if (/^[A-Za-z]+$/.test(code)) return uploadRefusal(code, words, { status, retriable: code === "retriable" }).answer;
  const own = code === permissionCodes ? "200" : code.replace(/^any\//, "100/");
  const { answer } = graphRefusal(own as `${number}/${number}`, words, { status });
  return answer;
}

export const scene: Scene = {
  network: "facebook",
  options,
  adapter: () => facebook(),
  threads: null,
  operations: { look: [look], upload: "POST /:id/photos", confirm: "GET /:id?fields=permalink_url" },
  accounts: [page],
  settings: [
    {
      ...page,
      name: "facebook that is sent its reels",
      commit: "POST /:id/video_reels finish",
      adapter: () => facebook({ videoUpload: "push" }),
      needs({ media }) {
        const content = movie("isom", "first", { width: 1080, height: 1920, seconds: 5 });
        const url = media.put("film.mp4", content, { contentType: "video/mp4" });
        return { media: [{ url }], post_type: "reel" };
      },
    },
  ],
  outcomes,
  contract: {
    cases: [
      caseOf("a text", () => part()),
      caseOf("only a link", () =>
        part({ text: "", link: { url: "https://example.com/a?b=c", title: null, description: null, image_url: null } }),
      ),
      caseOf("an image", (bench) => part({ media: pictures(bench, 1) })),
      caseOf("three images without a text", (bench) => part({ text: "", media: pictures(bench, 3) })),
      caseOf("an image as a story", (bench) => part({ text: "", post_type: "story", media: pictures(bench, 1) })),
      caseOf("a video", (bench) => part({ media: [video(bench)], title: "Title" }), { isJob: true }),
      caseOf("a reel", (bench) => part({ post_type: "reel", media: [video(bench)] }), { isJob: true }),
      caseOf("an uploaded reel", (bench) => part({ post_type: "reel", media: [video(bench)] }), {
        isJob: true,
        videoUpload: "push",
      }),
      caseOf("a video as a story", (bench) => part({ text: "", post_type: "story", media: [video(bench)] }), {
        isJob: true,
      }),
    ],
  },
  wire,
  refusals: {
    answer: answerTo,
    limited: ({ now, endsAt }) => {
      const headers = usageHeaders("122100000000001013", { now, endsAt, type: "pages" });
      return graphRefusal(80001, "There have been too many calls to this Page account", { status: 403, headers })
        .answer;
    },
    elsewhere: {
      [belowPost]: { options: { first_comment: "And this." }, operation: "POST /:id/comments" },
    },
  },
  simulation: {
    login: {
      revoke: ({ facebook: network }, { connection }) => network.revoke(tokenOf(connection)),
      allowAgain({ facebook: network }, { connection }) {
        network.restore(tokenOf(connection));
        return connection;
      },
    },
    postByHand: ({ facebook: network }, { externalId, text }) => network.postAs(externalId, { message: text }),
    excuse: ownersSimilarPost,
  },
};
