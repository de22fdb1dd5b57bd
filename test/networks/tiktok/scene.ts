import { networkScene } from "../../../src/testing/network-bench.ts";
import { casesOn } from "../cases.ts";
import { type AccountKind, lockedOutOn, type RefusalScene, type Scene, type WireScene } from "../scene.ts";
import { credentials, part, photosOn, tiktokBench, videoOn } from "./bench.ts";
import { options } from "./options.ts";
import { outcomes } from "./outcomes.ts";
import { adapter, videoBytes } from "./video.ts";

const address = "https://open-upload.tiktokapis.com/video/?upload_id=67890&upload_token=Xza123";
const publish_id = "v_pub_file~v2-1.7602997070760331285";

const wire: WireScene = {
  words: "the last piece of a video, with the remainder and without a credential, to the upload's URL",
  url: address,
  profile: { external_id: "-000YSS_OTWKQzsQ", handle: "alice" },
  secret: { access_token: "the-token", refresh_token: "the-refresh-token" },
  key: "",
  input: {
    staged: {
      upload: { publish_id, url: address, total: 35_000_000, chunk: 10_000_000, ends_at: Date.UTC(2026, 10, 22) },
      ready: 20_000_000,
    },
  },
  file: "the last bytes",
  sent: { method: "PUT", headers: { "content-range": "bytes 20000000-34999999/35000000" }, body: "the last bytes" },
  accepted: { fixture: "upload.201", job: { publish_id } },
  refused: [
    { fixture: "init.403", effect: "none", code: "invalid_request" },
    { fixture: "init.401", effect: "later", remedy: "refresh", waitMs: null },
    { fixture: "creator-info.200", effect: "none", code: "rejected_by_network" },
  ],
};

/** A network that takes a while to process a video. */
function slowBench() {
  const bench = tiktokBench();
  bench.network.processFor(45);
  return bench;
}

const caseOf = casesOn(slowBench, credentials, { isJob: true });

const refusals: RefusalScene = {
  /** https://developers.tiktok.com/doc/tiktok-api-v2-error-handling (2026-11) */
  answer: ({ status, code = "something_else", words }) => ({
    status,
    json: { data: {}, error: { code, message: words, log_id: "202611211200" } },
  }),
  limited: ({ now, endsAt }) => ({
    status: 429,
    json: { data: {}, error: { code: "rate_limit_exceeded", message: "Slow down", log_id: "202611211200" } },
    headers: { "retry-after": endsAt < now ? "0" : String((endsAt - now) / 1000) },
  }),
};

const account: AccountKind = {
  name: "tiktok",
  commit: "finishUpload",
  read: "fetchStatus",
  canBeAsked: true,
  connect(sandbox, username) {
    const { access_token, refresh_token } = sandbox.tiktok.addAccount({ username });
    return { network: "tiktok", credentials: { access_token, refresh_token } };
  },
};

export const scene: Scene = {
  network: "tiktok",
  options,
  adapter,
  needs: ({ media }) => ({
    privacy_level: "PUBLIC_TO_EVERYONE",
    media: [{ url: media.put("needed-film.mp4", videoBytes(), { contentType: "video/mp4" }) }],
  }),
  threads: null,
  operations: { look: ["fetchStatus", "listVideos"], upload: "initVideo", renew: "token" },
  // Each further request begins at the upload's offset, and each post's status is read when it is five seconds old.
  asks: { beforeAgain: 1, afterYes: { looks: 1, seconds: 5 } },
  accounts: [account],
  outcomes,
  contract: {
    reads: ["creatorInfo", "fetchStatus", "listVideos"],
    cases: [
      caseOf("a video in one piece", (bench) => part([videoOn(bench, { chunks: 1 })])),
      caseOf("a video in three pieces", (bench) => part([videoOn(bench)])),
      caseOf("a video with all options", (bench) =>
        part([videoOn(bench)], {
          options: {
            disable_comment: true,
            disable_duet: true,
            disable_stitch: true,
            video_cover_timestamp_ms: 200,
            brand_content_toggle: true,
            brand_organic_toggle: true,
            is_aigc: true,
          },
        }),
      ),
      {
        name: "photos that only their owner sees",
        cannotBeRead: true,
        create: () => {
          const bench = tiktokBench();
          const own = part(photosOn(bench, 3), { title: "Title", options: { privacy_level: "SELF_ONLY" } });
          return networkScene(bench, { credentials: credentials(bench), part: own });
        },
      },
    ],
  },
  wire,
  refusals,
  simulation: {
    login: {
      revoke: ({ tiktok: network }, { externalId }) => network.revoke(externalId),
      allowAgain({ tiktok: network }, { externalId }) {
        const { open_id: _, ...credentials } = network.allowAgain(externalId);
        return { network: "tiktok", credentials };
      },
    },
    expireCredentials: ({ tiktok: network }) => network.expireTokens(),
    lockedOut: lockedOutOn("tiktok"),
    postByHand: ({ tiktok: network }, { externalId, text }) => network.postByHand(externalId, text),
  },
};
