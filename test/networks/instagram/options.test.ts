import { expect, it } from "vitest";
import type { CreatePost } from "../../../src/posts/schema.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import { fixture } from "../../media/fixtures.ts";
import { jpeg } from "../../media/samples.ts";
import { createTestService } from "../../support/service.ts";
import { planOn, problemsIn } from "../service.ts";

type Body = Pick<CreatePost, "post_type" | "text"> & {
  options?: JsonObject;
  files?: readonly ("picture" | "video")[];
  login?: "instagram" | "facebook";
  /** The known scopes of the connection. */
  scopes?: readonly string[];
};

/** What validate reports about a post on Instagram alone: field and message. */
async function problemsOf({ options = {}, files = ["picture"], login = "instagram", scopes = [], ...body }: Body) {
  const service = createTestService();
  const { sandbox } = service;
  const { access_token } = sandbox.instagram.addAccount({ username: "alice", login });
  const addresses = {
    picture: sandbox.media.put("a.jpg", jpeg(800, 800), { contentType: "image/jpeg" }),
    video: sandbox.media.put("a.mp4", fixture("index-first.mp4"), { contentType: "video/mp4" }),
  };
  const credentials = { access_token, scopes: [...scopes] };
  const media = files.map((each) => addresses[each]);
  const plan = await planOn(
    service,
    { network: "instagram", credentials },
    { media, ...body, networks: { instagram: options } },
  );
  return problemsIn(plan).filter((problem) => !problem.startsWith("media["));
}

const products = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ product_id: String(index + 1), x: 0.5, y: 0.5 }));
const many = (count: number, word: string) => Array.from({ length: count }, (_, index) => `${word}${index}`).join(" ");

it.each<[string, Body, RegExp]>([
  ["collaborators", { options: { collaborators: ["a", "b", "c", "d"] } }, /^networks\.instagram\.collaborators: /],
  [
    "user_tags",
    { options: { user_tags: [{ username: "no spaces" }] } },
    /^networks\.instagram\.user_tags\[0\]\.username: /,
  ],
  ["user_tags", { options: { user_tags: [{ username: "a" }] } }, /^networks\.instagram\.user_tags\[0\]\.x: .*position/],
  [
    "user_tags",
    { options: { user_tags: [{ username: "a", x: 2, y: 0 }] } },
    /^networks\.instagram\.user_tags\[0\]\.x: /,
  ],
  [
    "user_tags",
    { options: { user_tags: [{ username: "a", x: 0, y: 0, item: 3 }] } },
    /user_tags\[0\]\.item: .*no file 3/,
  ],
  [
    "product_tags",
    { options: { product_tags: [{ product_id: "rye", x: 0, y: 0 }] }, login: "facebook" },
    /^networks\.instagram\.product_tags\[0\]\.product_id: /,
  ],
  [
    "product_tags",
    { options: { product_tags: [{ product_id: "1", x: 0 }] }, login: "facebook" },
    /^networks\.instagram\.product_tags\[0\]\.y: .*products are tagged at a position/,
  ],
  [
    "product_tags",
    { options: { product_tags: [{ product_id: "1", x: 0, y: 0 }] }, files: ["video"], login: "facebook" },
    /^networks\.instagram\.product_tags\[0\]\.x: .*without a position/,
  ],
  [
    "product_tags",
    { options: { product_tags: [...products(1), { ...products(1)[0], item: 2 }] }, login: "facebook" },
    /^networks\.instagram\.product_tags\[1\]\.item: .*no file 2/,
  ],
  [
    "product_tags",
    { options: { product_tags: products(21) }, login: "facebook" },
    /^networks\.instagram\.product_tags\[20\]: File 0 has more than the 20/,
  ],
  [
    "product_tags",
    { options: { product_tags: [...products(2), ...products(1)] }, login: "facebook" },
    /^networks\.instagram\.product_tags\[2\]\.product_id: .*twice/,
  ],
  [
    "product_tags",
    { options: { product_tags: products(1) }, post_type: "story", text: "", login: "facebook" },
    /^networks\.instagram\.product_tags: Stories/,
  ],
  [
    "product_tags",
    { options: { product_tags: products(1) } },
    /^networks\.instagram\.product_tags: .*Connect the account with Facebook Login/,
  ],
  [
    "product_tags",
    { options: { product_tags: products(1) }, login: "facebook", scopes: ["instagram_content_publish"] },
    /^networks\.instagram\.product_tags: .*lacks instagram_shopping_tag_products: add it to furtherScopes/,
  ],
  ["location_id", { options: { location_id: "here" } }, /^networks\.instagram\.location_id: /],
  ["share_to_feed", { options: { share_to_feed: true } }, /^networks\.instagram\.share_to_feed: .*reels only/],
  ["cover_url", { options: { cover_url: "nowhere" }, files: ["video"] }, /^networks\.instagram\.cover_url: /],
  ["thumb_offset", { options: { thumb_offset: -1 }, files: ["video"] }, /^networks\.instagram\.thumb_offset: /],
  ["audio_name", { options: { audio_name: "" }, files: ["video"] }, /^networks\.instagram\.audio_name: /],
  [
    "trial_params",
    { options: { trial_params: {} }, files: ["video"] },
    /^networks\.instagram\.trial_params\.graduation_strategy: /,
  ],
  [
    "audio_configuration",
    { options: { audio_configuration: { audio_id: "1", audio_volume: 101 } }, files: ["video"] },
    /^networks\.instagram\.audio_configuration\.audio_volume: /,
  ],
  [
    "audio_configuration",
    { options: { audio_configuration: { audio_id: "1" } }, login: "facebook" },
    /^networks\.instagram\.audio_configuration: .*reels only/,
  ],
  [
    "audio_configuration",
    { options: { audio_configuration: { audio_id: "1" } }, files: ["video"] },
    /^networks\.instagram\.audio_configuration: .*Connect the account with Facebook Login/,
  ],
  [
    "is_paid_partnership",
    { options: { is_paid_partnership: true } },
    /^networks\.instagram\.is_paid_partnership: .*Connect the account with Facebook Login/,
  ],
  [
    "branded_content_sponsor_ids",
    { options: { branded_content_sponsor_ids: ["1", "2", "3"] } },
    /^networks\.instagram\.branded_content_sponsor_ids: /,
  ],
  [
    "branded_content_sponsor_ids",
    { options: { branded_content_sponsor_ids: ["@brand"] } },
    /^networks\.instagram\.branded_content_sponsor_ids\[0\]: /,
  ],
  ["is_ai_generated", { options: { is_ai_generated: "yes" } }, /^networks\.instagram\.is_ai_generated: /],
  ["first_comment", { options: { first_comment: "" } }, /^networks\.instagram\.first_comment: /],
  ["first_comment", { options: { first_comment: "x".repeat(2_201) } }, /^networks\.instagram\.first_comment: .*2200/],
  [
    "first_comment",
    { options: { first_comment: "a", comment_enabled: false } },
    /^networks\.instagram\.first_comment: /,
  ],
  [
    "comment_enabled",
    { options: { comment_enabled: false }, post_type: "story", text: "" },
    /^networks\.instagram\.comment_enabled: Stories/,
  ],
  ["a caption", { text: "x".repeat(2_201) }, /^text: .*2200/],
  ["hashtags", { text: many(31, "#tag") }, /^text: 31 hashtags/],
  ["mentions", { text: many(21, "@name") }, /^text: 21 mentions/],
  ["no file", { files: [] }, /^media: 0 files/],
  ["eleven files", { files: Array.from({ length: 11 }, () => "picture" as const) }, /^media: 11 files/],
])("the wrong option %s is named: %j", async (_, body, message) => {
  expect(await problemsOf(body)).toEqual([expect.stringMatching(message)]);
});

it("validation accepts all correct options", async () => {
  const options = {
    collaborators: ["a.b", "@c"],
    user_tags: [{ username: "a", x: 0, y: 1 }],
    location_id: "123",
    is_ai_generated: true,
    branded_content_sponsor_ids: ["17841400000000002"],
    first_comment: "#x",
  };
  expect(await problemsOf({ options })).toEqual([]);
  const scopes = ["instagram_content_publish", "instagram_shopping_tag_products"];
  const behindPage = { ...options, is_paid_partnership: true, product_tags: products(20) };
  expect(await problemsOf({ options: behindPage, login: "facebook", scopes })).toEqual([]);
  const onReel = { product_tags: products(30).map(({ product_id }) => ({ product_id })) };
  expect(await problemsOf({ options: onReel, files: ["video"], login: "facebook", scopes })).toEqual([]);
});
