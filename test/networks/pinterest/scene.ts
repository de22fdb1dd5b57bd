import { pinterest } from "../../../src/networks/pinterest/index.ts";
import { rateHeaders } from "../../../src/sandbox/pinterest/network.ts";
import { groupBoardId } from "../../../src/sandbox/pinterest/state.ts";
import { jpeg } from "../../media/samples.ts";
import { casesOn } from "../cases.ts";
import { lockedOutOn, ownersSimilarPost, type RefusalScene, type Scene, type WireScene } from "../scene.ts";
import { app, part, pictures, pinterestBench, video } from "./bench.ts";
import { options } from "./options.ts";
import { outcomes } from "./outcomes.ts";

const picture = "https://media.example/0.jpg";

const wire: WireScene = {
  words: "a Pin on its board, with its image's URL",
  url: "https://api.pinterest.com/v5/pins",
  profile: { external_id: "2783136121146311751", account_facts: { scopes: null } },
  secret: { access_token: "pina_the-token", refresh_token: "pinr_the-token" },
  key: "",
  input: {
    staged: { address_0: picture, privacy: "PUBLIC" },
    part: { media: pictures(pinterestBench(), 1), options: { board_id: groupBoardId } },
  },
  sent: {
    headers: { authorization: "Bearer pina_the-token", "content-type": "application/json" },
    body: {
      board_id: groupBoardId,
      description: "Hello from the wire",
      alt_text: "picture 0",
      media_source: { source_type: "image_url", url: picture },
    },
  },
  accepted: { fixture: "create-pin.201", id: "813744226420795884" },
  refused: [
    { fixture: "create-pin.400", effect: "none", code: "invalid_request" },
    { fixture: "create-pin.401", effect: "later", remedy: "refresh", waitMs: null },
    { fixture: "create-pin.429", effect: "later", remedy: "rate_limit", waitMs: 42_000 },
  ],
};

const caseOf = casesOn(pinterestBench, ({ credentials }) => credentials);

const refusals: RefusalScene = {
  answer: ({ status, code = "99999", words }) => ({ status, json: { code: Number(code), message: words } }),
  limited: ({ now, endsAt }) => ({
    status: 429,
    json: { code: 8, message: "This request exceeded a rate limit." },
    headers: rateHeaders(Math.max(0, (endsAt - now) / 1000)),
  }),
};

export const scene: Scene = {
  network: "pinterest",
  options,
  adapter: () => pinterest({ app }),
  needs({ media }) {
    const url = media.put("pin.jpg", jpeg(200, 300), { contentType: "image/jpeg" });
    return { media: [{ url, alt: "A picture." }], board_id: groupBoardId };
  },
  threads: null,
  operations: { look: ["GET /boards/:id/pins"], renew: "POST /oauth/token" },
  accounts: [
    {
      name: "pinterest",
      commit: "POST /pins",
      read: "GET /boards/:id/pins",
      canBeAsked: true,
      connect(sandbox, username) {
        const { access_token, refresh_token } = sandbox.pinterest.addAccount({ username });
        return { network: "pinterest", credentials: { access_token, refresh_token: refresh_token ?? "" } };
      },
    },
  ],
  outcomes,
  contract: {
    cases: [
      caseOf("an image", (bench) => part({ media: pictures(bench, 1) })),
      caseOf("images with all options", (bench) => {
        const link = { url: "https://example.com/a", title: null, description: null, image_url: null };
        const options = { dominant_color: "#6E7874" };
        return part({ title: "Title", link, media: pictures(bench, 5), options });
      }),
      caseOf("a video", (bench) => part({ media: [video(bench)], options: { cover_image_key_frame_time: 2 } })),
    ],
  },
  wire,
  refusals,
  simulation: {
    login: {
      revoke: ({ pinterest: network }, { externalId }) => network.revoke(externalId),
      allowAgain({ pinterest: network }, { externalId }) {
        const { external_id: _, ...credentials } = network.allowAgain(externalId);
        return { network: "pinterest", credentials };
      },
    },
    expireCredentials: ({ pinterest: network }) => network.expireTokens(),
    lockedOut: lockedOutOn("pinterest"),
    postByHand: ({ pinterest: network }, { externalId, text }) =>
      network.postAs(externalId, { board: groupBoardId, description: text }),
    excuse: ownersSimilarPost,
  },
};
