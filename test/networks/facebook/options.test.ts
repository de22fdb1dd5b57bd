import { describe, expect, it } from "vitest";
import type { CreatePost } from "../../../src/posts/schema.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import { fixture } from "../../media/fixtures.ts";
import { jpeg } from "../../media/samples.ts";
import { createTestService } from "../../support/service.ts";
import { planOn, problemsIn } from "../service.ts";

type Body = Pick<CreatePost, "post_type" | "text" | "title" | "link"> & {
  options?: JsonObject;
  files?: readonly ("picture" | "video" | "gif")[];
};

/** What validate reports about a post on Facebook alone: field and message. It sends no request. */
async function problemsOf({ options = {}, files = [], ...body }: Body) {
  const service = createTestService();
  const { sandbox } = service;
  const { access_token } = sandbox.facebook.addPage({ name: "Bakery" });
  const addresses = {
    picture: sandbox.media.put("a.jpg", jpeg(800, 800), { contentType: "image/jpeg" }),
    video: sandbox.media.put("a.mp4", fixture("index-first.mp4"), { contentType: "video/mp4" }),
    gif: sandbox.media.put("a.gif", new TextEncoder().encode("GIF89a"), { contentType: "image/gif" }),
  };
  const account = { network: "facebook", credentials: { access_token } } as const;
  const media = files.map((each) => addresses[each]);
  const plan = await planOn(service, account, { media, ...body, networks: { facebook: options } });
  expect(sandbox.facebook.uploads()).toEqual({ photos: 0, videos: 0 });
  return problemsIn(plan);
}

/** Problems of the file itself are reported as well. */
async function problemsBesideFiles(body: Body) {
  return (await problemsOf(body)).filter((problem) => !problem.startsWith("media["));
}

const link = "https://example.com";

describe("a wrong option is named", () => {
  it.each<[string, Body, RegExp]>([
    ["first_comment", { options: { first_comment: "" } }, /^networks\.facebook\.first_comment: /],
    ["first_comment", { options: { first_comment: "x".repeat(8_001) } }, /^networks\.facebook\.first_comment: .*8000/],
    ["age_min", { options: { targeting: { age_min: 17 } } }, /^networks\.facebook\.targeting\.age_min: .*13.*25/],
    ["targeting", { options: { targeting: {} } }, /^networks\.facebook\.targeting: /],
    [
      "countries",
      { options: { targeting: { geo_locations: { countries: ["Germany"] } } } },
      /^networks\.facebook\.targeting\.geo_locations\.countries\[0\]: /,
    ],
    [
      "geo_locations",
      { options: { targeting: { geo_locations: {} } } },
      /^networks\.facebook\.targeting\.geo_locations: Specify countries/,
    ],
    [
      "feed_targeting",
      { options: { feed_targeting: { geo_locations: {} } } },
      /^networks\.facebook\.feed_targeting\.geo_locations: /,
    ],
    [
      "call_to_action",
      { options: { call_to_action: { type: "BUY" } }, link },
      /^networks\.facebook\.call_to_action\.type: .*BUY_NOW/,
    ],
    [
      "call_to_action",
      { options: { call_to_action: { type: "BUY_NOW", link } } },
      /^networks\.facebook\.call_to_action: .*link or with one video/,
    ],
    [
      "call_to_action",
      { options: { call_to_action: { type: "BUY_NOW" } }, files: ["video"] },
      /^networks\.facebook\.call_to_action\.link: The button BUY_NOW needs a URL/,
    ],
    [
      "content_category",
      { options: { content_category: "Food" }, files: ["video"] },
      /^networks\.facebook\.content_category: .*FOOD_HEALTH/,
    ],
    [
      "content_category",
      { options: { content_category: "FAMILY" } },
      /^networks\.facebook\.content_category: .*one video/,
    ],
    ["place", { options: { place: "here" }, files: ["video"], post_type: "reel" }, /^networks\.facebook\.place: /],
    ["place", { options: { place: "123" } }, /^networks\.facebook\.place: .*reels/],
    ["thumbnail", { options: { thumbnail: "nowhere" }, files: ["video"] }, /^networks\.facebook\.thumbnail: /],
    [
      "text_format_preset_id",
      { options: { text_format_preset_id: "blue" } },
      /^networks\.facebook\.text_format_preset_id: /,
    ],
    [
      "text_format_preset_id",
      { options: { text_format_preset_id: "1" }, text: "x".repeat(131) },
      /^networks\.facebook\.text_format_preset_id: .*130 characters; the text has 131/,
    ],
    [
      "text_format_preset_id",
      { options: { text_format_preset_id: "1" }, files: ["picture"] },
      /^networks\.facebook\.text_format_preset_id: .*only text-only posts/,
    ],
    [
      "targeting of a story",
      { options: { targeting: { age_min: 18 } }, post_type: "story", files: ["picture"], text: "" },
      /^networks\.facebook\.targeting: Stories/,
    ],
  ])("%s: %j", async (_, body, message) => {
    expect(await problemsBesideFiles(body)).toEqual([expect.stringMatching(message)]);
  });
});

describe("the ten likeliest mistakes are rejected before any request, with the remedy", () => {
  it.each<[string, Body, RegExp]>([
    ["a reel of two videos", { post_type: "reel", files: ["video", "video"] }, /^media: 2 files.*1/],
    ["an empty post", { text: " " }, /^text: A post on Facebook needs a text, a link or a file/],
    ["a link to Facebook", { link: "https://www.facebook.com/bakery" }, /^link\.url: .*put the URL into the text/],
    ["a link beside photos", { link, files: ["picture"] }, /^link: Posts with files have no link card.*into the text/],
    ["a photo beside a video", { files: ["picture", "video"] }, /^media: .*one kind|^media: .*side by side|^media: /],
    ["two videos", { files: ["video", "video"] }, /^media: .*video/],
    ["eleven photos", { files: Array.from({ length: 11 }, () => "picture" as const) }, /^media: 11 files.*10/],
    ["a reel without a video", { post_type: "reel" }, /^media: .*1/],
    ["a story with a link", { post_type: "story", text: "", link, files: ["picture"] }, /^link: Stories.*leave it out/],
    [
      "a first comment under a story",
      { post_type: "story", text: "", files: ["picture"], options: { first_comment: "a" } },
      /^networks\.facebook\.first_comment: Stories/,
    ],
  ])("%s", async (_, body, message) => {
    expect(await problemsBesideFiles(body)).toEqual([expect.stringMatching(message)]);
  });

  it("a video that is no reel is rejected for each of its measures", async () => {
    const problems = await problemsOf({ post_type: "reel", files: ["video"] });
    expect(problems.length).toBeGreaterThan(0);
    for (const problem of problems) expect(problem).toMatch(/^media\[0\]: .*(Facebook|facebook|reel|540|3 s|wide)/i);
  });
});

it.each<[string, Body]>([
  ["only a link", { text: "", link }],
  [
    "all options of a post",
    { options: { first_comment: "#x", targeting: { geo_locations: { countries: ["DE"] }, age_min: 18 } } },
  ],
  [
    "all options of a video",
    {
      title: "Bread",
      files: ["video"],
      options: { content_category: "FAMILY", call_to_action: { type: "LIKE_PAGE" } },
    },
  ],
])("validate accepts %s", async (_, body) => {
  expect(await problemsOf(body)).toEqual([]);
});
