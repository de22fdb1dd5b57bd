import { youtube } from "../../../src/networks/youtube/index.ts";
import { jpeg } from "../../media/samples.ts";
import { casesOn } from "../cases.ts";
import type { AccountKind, RefusalScene, Scene, WireScene } from "../scene.ts";
import { app, credentials, part, videoOn, youtubeBench } from "./bench.ts";
import { options } from "./options.ts";
import { outcomes } from "./outcomes.ts";
import { chunkBytes, videoBytes } from "./video.ts";

const session = "https://www.googleapis.com/upload/youtube/v3/videos?uploadType=resumable&upload_id=AEnB2Uo";

const wire: WireScene = {
  words: "the last chunk of a video, to the upload's URL",
  url: session,
  profile: { external_id: "UC_x5XG1OV2P6uZZ5FSM9Ttw" },
  secret: { access_token: "the-token", refresh_token: "the-refresh-token" },
  key: "",
  input: { staged: { session: { url: session, total: 300_000, ends_at: Date.UTC(2026, 10, 22) }, ready: chunkBytes } },
  file: "the last bytes",
  sent: {
    method: "PUT",
    headers: { authorization: "Bearer the-token", "content-range": "bytes 262144-299999/300000" },
    body: "the last bytes",
  },
  accepted: { fixture: "insert-video.200", job: { video_id: "dQw4w9WgXcQ" } },
  refused: [
    { fixture: "insert-video.400", effect: "none", code: "rejected_by_network" },
    { fixture: "insert-video.401", effect: "later", remedy: "refresh", waitMs: null },
    { fixture: "insert-video.429", effect: "later", remedy: "rate_limit", waitMs: 20 * 3_600_000 },
    { fixture: "list-videos.403", effect: "later", remedy: "rate_limit", waitMs: 20 * 3_600_000 },
  ],
};

/** A network that takes a while to process a video. */
function slowBench() {
  const bench = youtubeBench();
  bench.network.processFor(45);
  return bench;
}

const caseOf = casesOn(slowBench, credentials, { isJob: true });

const refusals: RefusalScene = {
  /** https://developers.google.com/youtube/v3/docs/core_errors (2026-09) */
  answer({ status, code = "somethingElse", words }) {
    const [reason = "", ...more] = code.split(" ");
    const message = [...more, words].join(" ");
    const errors = [{ domain: "youtube.video", reason, message }];
    return { status, json: { error: { code: status, message, errors } } };
  },
  limited: ({ now, endsAt }) => ({
    status: 429,
    json: {
      error: { code: 429, message: "Slow down", errors: [{ domain: "usageLimits", reason: "rateLimitExceeded" }] },
    },
    headers: { "retry-after": endsAt < now ? "0" : String((endsAt - now) / 1000) },
  }),
};

const api = { commit: "finishUpload", read: "checkUpload", canBeAsked: true } as const;

function connectTo(given: { forgetsUploads: boolean }): AccountKind["connect"] {
  return (sandbox, title) => {
    const { access_token, refresh_token } = sandbox.youtube.addChannel({ title, ...given });
    return { network: "youtube", credentials: { access_token, refresh_token } };
  };
}

const channel: AccountKind = { ...api, name: "youtube", connect: connectTo({ forgetsUploads: false }) };

/** How long YouTube remembers a finished upload is not documented. */
const forgetful: AccountKind = {
  ...api,
  name: "youtube that forgets uploads",
  isVariant: true,
  connect: connectTo({ forgetsUploads: true }),
};

export const scene: Scene = {
  network: "youtube",
  options,
  adapter: () => youtube({ app, chunkBytes }),
  needs({ media }) {
    // The post that gets a thumbnail.
    media.put("thumbnail.jpg", jpeg(16, 9), { contentType: "image/jpeg" });
    return { title: "Title", media: [{ url: media.put("film.mp4", videoBytes(), { contentType: "video/mp4" }) }] };
  },
  threads: null,
  operations: {
    look: ["checkUpload", "listVideos", "listPlaylistItems"],
    upload: "openUpload",
    confirm: "setThumbnail",
    renew: "token",
  },
  // Each further request begins at the upload's offset, and each video's status is read when it is five seconds old.
  asks: { beforeAgain: 1, afterYes: { looks: 1, seconds: 5 } },
  accounts: [channel, forgetful],
  outcomes,
  contract: {
    reads: ["checkUpload"],
    cases: [
      caseOf("a video in one chunk", (bench) => part([videoOn(bench, { chunks: 1 })])),
      caseOf("a video in three chunks", (bench) => part([videoOn(bench, { chunks: 3 })])),
      caseOf("a private video with all options", (bench) =>
        part([videoOn(bench)], {
          options: {
            privacy_status: "private",
            tags: ["a b", "c"],
            language: "en",
            paid_promotion: true,
            license: "creativeCommon",
          },
        }),
      ),
    ],
  },
  wire,
  refusals,
  simulation: {
    expireCredentials: ({ youtube: network }) => network.expireTokens(),
    postByHand: ({ youtube: network }, { externalId, text }) =>
      network.uploadByHand(externalId, { title: "Title", description: text }),
  },
};
