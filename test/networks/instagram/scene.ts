import type { Part } from "../../../src/networks/contract/plan.ts";
import { type InstagramSettings, instagram } from "../../../src/networks/instagram/index.ts";
import { containerOperation } from "../../../src/networks/shared/meta/stage-container.ts";
import type { Login } from "../../../src/sandbox/instagram/accounts.ts";
import { graphRefusal, usageHeaders } from "../../../src/sandbox/parts/graph.ts";
import { uploadRefusal } from "../../../src/sandbox/parts/graph-files.ts";
import { networkScene } from "../../../src/testing/network-bench.ts";
import { jpeg, movie } from "../../media/samples.ts";
import { type AccountKind, lockedOutOn, type Said, type Scene, type WireScene } from "../scene.ts";
import { type InstagramBench, instagramBench, part, pictures, video, videoBytes } from "./bench.ts";
import { options } from "./options.ts";
import { outcomes } from "./outcomes.ts";

const look = "GET /:id?fields=id,status_code,status";

const wire: WireScene = {
  words: "only a container's id",
  url: "https://graph.instagram.com/v26.0/17841400000001009/media_publish",
  profile: {
    external_id: "17841400000001009",
    account_facts: { flavour: "instagram", scopes: [], quota: null },
  },
  secret: { access_token: "IGAAthe-token" },
  key: "",
  input: { staged: { container: "17889455560051444" } },
  sent: { headers: { authorization: "Bearer IGAAthe-token" }, body: { creation_id: "17889455560051444" } },
  accepted: { fixture: "media-publish.200", id: "17920238422030506", isWithoutUrl: true },
  refused: [
    { fixture: "media-publish.400", effect: "later", remedy: "not_ready", waitMs: null },
    { fixture: "media-publish.token.400", effect: "none", code: "reauthentication_required" },
    { fixture: "media-publish.limit.403", effect: "later", remedy: "rate_limit", waitMs: 300_000 },
  ],
};

function caseOf(
  name: string,
  partOn: (bench: InstagramBench) => Part,
  { login = "instagram", ...settings }: { login?: Login } & InstagramSettings = {},
) {
  return {
    name,
    create: () => {
      const bench = instagramBench({ login }, settings);
      return networkScene(bench, { credentials: { access_token: bench.token }, part: partOn(bench) });
    },
  };
}

function accountOf(name: string, login: Login): AccountKind {
  return {
    name,
    commit: "POST /:id/media_publish",
    read: look,
    canBeAsked: true,
    connect(sandbox, username) {
      const { access_token } = sandbox.instagram.addAccount({ username, login });
      return { network: "instagram", credentials: { access_token } };
    },
  };
}

/** The table's name for all codes of missing permissions. */
const permissionCodes = "200..299";

function answerTo({ status, code = "99999", words }: Said) {
  if (/^[A-Za-z]+$/.test(code)) return uploadRefusal(code, words, { status, retriable: code === "retriable" }).answer;
  const [own = "0"] = code === permissionCodes ? ["200"] : [code];
  const { answer } = graphRefusal(own as `${number}/${number}`, words, { status });
  return answer;
}

export const scene: Scene = {
  network: "instagram",
  options,
  adapter: () => instagram(),
  needs({ media }) {
    const url = media.put("needed.jpg", jpeg(8, 8), { contentType: "image/jpeg" });
    return { media: [{ url, alt: "A square." }] };
  },
  threads: null,
  operations: { look: [look], upload: "POST /:id/media", confirm: "POST /:id" },
  accounts: [
    accountOf("instagram login", "instagram"),
    { ...accountOf("facebook login", "facebook"), isVariant: true },
  ],
  settings: [
    {
      ...accountOf("instagram that is sent its films", "facebook"),
      adapter: () => instagram({ videoUpload: "push" }),
      needs({ media }) {
        const content = movie("isom", "first", { width: 1080, height: 1920, seconds: 5 });
        const url = media.put("film.mp4", content, { contentType: "video/mp4" });
        return { media: [{ url }] };
      },
    },
  ],
  outcomes,
  contract: {
    cases: [
      caseOf("an image", (bench) => part({ media: pictures(bench, 1) })),
      caseOf("an image for an account behind a Page", (bench) => part({ media: pictures(bench, 1) }), {
        login: "facebook",
      }),
      caseOf("a carousel of images and a video", (bench) => part({ media: [...pictures(bench, 2), video(bench)] })),
      caseOf(
        "images with products",
        (bench) => {
          const product_tags = [{ product_id: "9007199254741201", x: 0.5, y: 0.5 }];
          return part({ media: pictures(bench, 2), options: { product_tags } });
        },
        { login: "facebook" },
      ),
      caseOf("a reel", (bench) => part({ post_type: "reel", media: [video(bench)] })),
      caseOf(
        "an uploaded reel",
        (bench) => part({ post_type: "reel", media: [video(bench, { size_bytes: videoBytes })] }),
        {
          login: "facebook",
          videoUpload: "push",
        },
      ),
    ],
  },
  wire,
  simulation: {
    // Whether the former token continues to work is not documented (unconfirmed).
    lockedOut: lockedOutOn("instagram"),
  },
  refusals: {
    answer: answerTo,
    limited: ({ now, endsAt }) => {
      const headers = usageHeaders("17841400000001009", { now, endsAt });
      return graphRefusal(80002, "There have been too many calls to this Instagram account", { status: 403, headers })
        .answer;
    },
    elsewhere: { [containerOperation]: { options: {}, operation: "POST /:id/media", isBefore: true } },
  },
};
