import { expect, it } from "vitest";
import type { CreatePost } from "../../../src/posts/schema.ts";
import type { NewThreadsAccount } from "../../../src/sandbox/threads/accounts.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import { fixture } from "../../media/fixtures.ts";
import { jpeg } from "../../media/samples.ts";
import { createTestService } from "../../support/service.ts";
import { planOn, problemsIn } from "../service.ts";

type Body = Partial<CreatePost> & {
  options?: JsonObject;
  files?: readonly ("picture" | "video")[];
  account?: Partial<NewThreadsAccount>;
};

async function validated({ options = {}, files = [], account = {}, ...body }: Body) {
  const service = createTestService();
  const { sandbox } = service;
  const { access_token } = sandbox.threads.addAccount({ username: "alice", ...account });
  const addresses = {
    picture: sandbox.media.put("a.jpg", jpeg(800, 800), { contentType: "image/jpeg" }),
    video: sandbox.media.put("a.mp4", fixture("index-first.mp4"), { contentType: "video/mp4" }),
  };
  const media = files.map((each) => addresses[each]);
  const post = { media, ...body, networks: { threads: options } };
  const plan = await planOn(service, { network: "threads", credentials: { access_token } }, post);
  return { parts: plan.parts, problems: problemsIn(plan).filter((problem) => !problem.startsWith("media[")) };
}

const links = (count: number) => Array.from({ length: count }, (_, index) => `https://example.com/${index}`).join(" ");
const link = "https://example.com/card";
const poll = { option_a: "Tea", option_b: "Coffee" };

it.each<[string, Body, RegExp]>([
  ["topic_tag", { options: { topic_tag: "a.b" } }, /^networks\.threads\.topic_tag: .*without/],
  ["reply_control", { options: { reply_control: "nobody" } }, /^networks\.threads\.reply_control: /],
  [
    "enable_reply_approvals",
    { options: { enable_reply_approvals: "yes" } },
    /^networks\.threads\.enable_reply_approvals: /,
  ],
  [
    "quote_post_id",
    { options: { quote_post_id: "https://www.threads.com/x" } },
    /^networks\.threads\.quote_post_id: .*digits/,
  ],
  ["is_spoiler_media", { options: { is_spoiler_media: true } }, /^networks\.threads\.is_spoiler_media: .*none/],
  [
    "text_entities",
    { options: { text_entities: [{ entity_type: "SPOILER", offset: 3, length: 3 }] } },
    /^networks\.threads\.text_entities\[0\]\.length: .*5 UTF-16/,
  ],
  [
    "text_attachment",
    { options: { text_attachment: { plaintext: "x".repeat(10_001) } } },
    /^networks\.threads\.text_attachment\.plaintext: /,
  ],
  [
    "styles",
    {
      options: {
        text_attachment: {
          plaintext: "abc",
          text_with_styling_info: [{ offset: 2, length: 2, styling_info: ["bold"] }],
        },
      },
    },
    /^networks\.threads\.text_attachment\.text_with_styling_info\[0\]\.length: .*3 UTF-16/,
  ],
  [
    "poll_attachment",
    { options: { poll_attachment: { option_a: "Tea" } } },
    /^networks\.threads\.poll_attachment\.option_b: /,
  ],
  [
    "poll_attachment",
    { options: { poll_attachment: { ...poll, option_d: "None" } } },
    /^networks\.threads\.poll_attachment\.option_c: .*before option_d/,
  ],
  [
    "gif_attachment",
    { options: { gif_attachment: { gif_id: "a", provider: "TENOR" } } },
    /^networks\.threads\.gif_attachment\.provider: /,
  ],
  [
    "is_ghost_post",
    { options: { is_ghost_post: true }, thread: ["One", "Two"] },
    /^networks\.threads\.is_ghost_post: .*thread/,
  ],
  [
    "is_ghost_post",
    { options: { is_ghost_post: true }, files: ["picture"] },
    /^networks\.threads\.is_ghost_post: .*files/,
  ],
  ["location_id", { options: { location_id: "here" } }, /^networks\.threads\.location_id: .*digits/],
  [
    "location_id",
    { options: { location_id: "7" }, account: { scopes: ["threads_basic", "threads_content_publish"] } },
    /^networks\.threads\.location_id: .*threads_location_tagging/,
  ],
  [
    "allowlisted_country_codes",
    { options: { allowlisted_country_codes: ["Germany"] } },
    /^networks\.threads\.allowlisted_country_codes\[0\]: .*DE/,
  ],
  [
    "allowlisted_country_codes",
    { options: { allowlisted_country_codes: ["DE"] } },
    /^networks\.threads\.allowlisted_country_codes: .*does not allow this account/,
  ],
  [
    "crossreshare_to_ig",
    { options: { crossreshare_to_ig: true }, account: { scopes: ["threads_basic", "threads_content_publish"] } },
    /^networks\.threads\.crossreshare_to_ig: .*threads_share_to_instagram/,
  ],
  [
    "crossreshare_to_ig_dark_mode",
    { options: { crossreshare_to_ig: true, crossreshare_to_ig_dark_mode: true } },
    /^networks\.threads\.crossreshare_to_ig_dark_mode: .*not both/,
  ],
])("the wrong option %s is named: %j", async (_, body, message) => {
  expect((await validated(body)).problems).toEqual([expect.stringMatching(message)]);
});

it.each<[string, Body, RegExp]>([
  ["1: more than 500 characters", { text: "x".repeat(501) }, /^text: .*501 of at most 500 .*auto_thread/],
  ["2: emoji, which count by their bytes", { text: "👨‍👩‍👧‍👦".repeat(21) }, /^text: .*525 of at most 500/],
  ["3: six links, of which one is the card", { text: links(5), link }, /^text: 6 different links.*at most 5/],
  [
    "4: a poll beside files",
    { files: ["picture"], options: { poll_attachment: poll } },
    /poll_attachment: .*with files/,
  ],
  ["5: a poll beside a card", { link, options: { poll_attachment: poll } }, /poll_attachment: .*link card/],
  ["6: a story", { post_type: "story", files: ["picture"] }, /^post_type: Threads has no story/],
  ["7: a reel without a video", { post_type: "reel" }, /^media: 0 files/],
  ["8: 21 files", { files: Array.from({ length: 21 }, () => "picture" as const) }, /^media: 21 files.*20/],
  ["9: an empty part", { thread: ["One", " "] }, /^thread\[1\]: .*needs a text/],
  [
    "10: a long text beside files",
    { files: ["video"], options: { text_attachment: { plaintext: "a" } } },
    /text_attachment: .*with files/,
  ],
])("mistake %s is rejected before any request is sent", async (_, body, message) => {
  expect((await validated(body)).problems).toEqual([expect.stringMatching(message)]);
});

it("a repeated URL counts once, and five different ones are accepted", async () => {
  expect((await validated({ text: `${links(5)} ${links(5)}`, link: "https://example.com/0" })).problems).toEqual([]);
});

it("a post with files has no card, so the URL is in the text", async () => {
  const { parts, problems } = await validated({ link, files: ["picture"] });
  expect(problems).toEqual([]);
  expect(parts).toMatchObject([{ text: `Hello\n\n${link}` }]);
  expect((await validated({ link })).parts).toMatchObject([{ text: "Hello" }]);
});
