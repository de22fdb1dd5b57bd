import { containerOperation } from "../../../src/networks/shared/meta/stage-container.ts";
import { threads } from "../../../src/networks/threads/index.ts";
import { graphRefusal, usageHeaders } from "../../../src/sandbox/parts/graph.ts";
import { casesOn } from "../cases.ts";
import { lockedOutOn, type Said, type Scene, type WireScene } from "../scene.ts";
import { part, pictures, threadsBench, video } from "./bench.ts";
import { options } from "./options.ts";
import { outcomes } from "./outcomes.ts";

const look = "GET /:id?fields=id,status,error_message";

const wire: WireScene = {
  words: "only a container's id",
  url: "https://graph.threads.net/v1.0/18000000000001009/threads_publish",
  profile: {
    external_id: "18000000000001009",
    account_facts: { scopes: [], may_choose_countries: null, quota: null },
  },
  secret: { access_token: "THAAthe-token" },
  key: "",
  input: { staged: { container: "17889455560051444" } },
  sent: { headers: { authorization: "Bearer THAAthe-token" }, body: { creation_id: "17889455560051444" } },
  accepted: { fixture: "threads-publish.200", id: "18047193634567890", isWithoutUrl: true },
  refused: [
    { fixture: "threads-publish.400", effect: "later", remedy: "not_ready", waitMs: null },
    { fixture: "threads-publish.token.400", effect: "none", code: "reauthentication_required" },
  ],
};

const caseOf = casesOn(threadsBench, ({ token }) => ({ access_token: token }));

/** A code that the network does not use. */
const anyCode = "99999";

/** The table's names for all codes of missing permissions, and for a subcode of any code. */
function codeFor(code: string): `${number}/${number}` {
  return (code === "200..299" ? "200" : code.replace("any/", `${anyCode}/`)) as `${number}/${number}`;
}

function answerTo({ status, code = anyCode, words }: Said) {
  return graphRefusal(codeFor(code), words, { status }).answer;
}

export const scene: Scene = {
  network: "threads",
  options,
  adapter: () => threads(),
  threads: "part by part",
  operations: { look: [look], upload: "POST /:id/threads" },
  accounts: [
    {
      name: "threads",
      commit: "POST /:id/threads_publish",
      read: look,
      canBeAsked: true,
      connect(sandbox, username) {
        const { access_token } = sandbox.threads.addAccount({ username });
        return { network: "threads", credentials: { access_token } };
      },
    },
  ],
  outcomes,
  contract: {
    cases: [
      caseOf("a text", () => part({ text: "Hello https://example.com/a #topic" })),
      caseOf("a link without a text", () => {
        const link = { url: "https://example.com/", title: null, description: null, image_url: null };
        return part({ text: "", link });
      }),
      caseOf("a poll", () => part({ options: { poll_attachment: { option_a: "Tea", option_b: "Coffee" } } })),
      caseOf("an image", (bench) => part({ media: pictures(bench, 1) })),
      caseOf("a carousel of images and a video", (bench) => part({ media: [...pictures(bench, 2), video(bench)] })),
      caseOf("a video without a text", (bench) => part({ text: "", media: [video(bench)] })),
    ],
  },
  wire,
  refusals: {
    answer: answerTo,
    limited: ({ now, endsAt }) => {
      const headers = usageHeaders("18000000000001009", { now, endsAt });
      return graphRefusal(32, "Request limit reached", { status: 403, headers }).answer;
    },
    elsewhere: { [containerOperation]: { options: {}, operation: "POST /:id/threads", isBefore: true } },
  },
  simulation: {
    // Whether the former token continues to work is not documented (unconfirmed).
    lockedOut: lockedOutOn("threads"),
    postByHand: (sandbox, { externalId, text }) => sandbox.threads.postAs(externalId, { text }),
  },
};
