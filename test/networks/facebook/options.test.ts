import { describe, expect, it } from "vitest";
import { fixture } from "../../media/fixtures.ts";
import { jpeg } from "../../media/samples.ts";
import { createTestService } from "../../support/service.ts";

type Body = {
  options?: Record<string, unknown>;
  files?: readonly ("picture" | "film" | "gif")[];
  post_type?: "post" | "reel" | "story";
  text?: string;
  title?: string;
  link?: string;
};

/** What validate says of a post on Facebook alone: field and words. Nothing is sent for it. */
async function problemsOf({ options = {}, files = [], post_type = "post", text = "Hello", title, link }: Body) {
  const { social, sandbox, clock } = createTestService();
  const { access_token } = sandbox.facebook.addPage({ name: "Bakery" });
  const profile = await clock.run(() =>
    social.profiles.connect({ network: "facebook", credentials: { access_token } }),
  );
  const addresses = {
    picture: sandbox.media.put("a.jpg", jpeg(800, 800), { contentType: "image/jpeg" }),
    film: sandbox.media.put("a.mp4", fixture("index-first.mp4"), { contentType: "video/mp4" }),
    gif: sandbox.media.put("a.gif", new TextEncoder().encode("GIF89a"), { contentType: "image/gif" }),
  };
  const { targets } = await clock.run(() =>
    social.posts.validate({
      profile_ids: [profile.id],
      text,
      post_type,
      media: files.map((each) => addresses[each]),
      ...(title === undefined ? {} : { title }),
      ...(link === undefined ? {} : { link: { url: link } }),
      networks: { facebook: options },
    }),
  );
  expect(sandbox.facebook.uploads()).toEqual({ photos: 0, films: 0 });
  return (targets[0]?.issues ?? [])
    .filter(({ severity }) => severity === "error")
    .map(({ field, message }) => `${field}: ${message}`);
}

/** What the file itself is refused for stands beside it. */
async function problemsBesideFiles(body: Body) {
  return (await problemsOf(body)).filter((problem) => !problem.startsWith("media["));
}

const link = "https://example.com";

describe("an option that is wrong is named", () => {
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
      { options: { call_to_action: { type: "BUY_NOW" } }, files: ["film"] },
      /^networks\.facebook\.call_to_action\.link: The button BUY_NOW needs a URL/,
    ],
    [
      "content_category",
      { options: { content_category: "Food" }, files: ["film"] },
      /^networks\.facebook\.content_category: .*FOOD_HEALTH/,
    ],
    [
      "content_category",
      { options: { content_category: "FAMILY" } },
      /^networks\.facebook\.content_category: .*one video/,
    ],
    ["place", { options: { place: "here" }, files: ["film"], post_type: "reel" }, /^networks\.facebook\.place: /],
    ["place", { options: { place: "123" } }, /^networks\.facebook\.place: .*reels/],
    ["thumbnail", { options: { thumbnail: "nowhere" }, files: ["film"] }, /^networks\.facebook\.thumbnail: /],
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

describe("the ten most likely mistakes are refused before anything is sent, with what to do instead", () => {
  it.each<[string, Body, RegExp]>([
    ["a reel of two films", { post_type: "reel", files: ["film", "film"] }, /^media: 2 files.*1/],
    ["nothing at all", { text: " " }, /^text: A post on Facebook needs a text, a link or a file/],
    ["a link to Facebook", { link: "https://www.facebook.com/bakery" }, /^link\.url: .*put the URL into the text/],
    ["a link beside photos", { link, files: ["picture"] }, /^link: Posts with files have no link card.*into the text/],
    ["a photo beside a film", { files: ["picture", "film"] }, /^media: .*one kind|^media: .*side by side|^media: /],
    ["two films", { files: ["film", "film"] }, /^media: .*video/],
    ["eleven photos", { files: Array.from({ length: 11 }, () => "picture" as const) }, /^media: 11 files.*10/],
    ["a reel without a film", { post_type: "reel" }, /^media: .*1/],
    ["a story with a link", { post_type: "story", text: "", link, files: ["picture"] }, /^link: Stories.*leave it out/],
    [
      "a first comment under a story",
      { post_type: "story", text: "", files: ["picture"], options: { first_comment: "a" } },
      /^networks\.facebook\.first_comment: Stories/,
    ],
  ])("%s", async (_, body, message) => {
    expect(await problemsBesideFiles(body)).toEqual([expect.stringMatching(message)]);
  });

  it("a film that is no reel: each of its measures", async () => {
    const problems = await problemsOf({ post_type: "reel", files: ["film"] });
    expect(problems.length).toBeGreaterThan(0);
    for (const problem of problems) expect(problem).toMatch(/^media\[0\]: .*(Facebook|facebook|reel|540|3 s|wide)/i);
  });
});

it.each<[string, Body]>([
  ["a link alone", { text: "", link }],
  [
    "all of a post",
    { options: { first_comment: "#x", targeting: { geo_locations: { countries: ["DE"] }, age_min: 18 } } },
  ],
  [
    "all of a film",
    { title: "Bread", files: ["film"], options: { content_category: "FAMILY", call_to_action: { type: "LIKE_PAGE" } } },
  ],
])("takes %s", async (_, body) => {
  expect(await problemsOf(body)).toEqual([]);
});
