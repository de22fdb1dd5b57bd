import { expect, it } from "vitest";
import { fixture } from "../../media/fixtures.ts";
import { jpeg } from "../../media/samples.ts";
import { createTestService } from "../../support/service.ts";

type Body = {
  options?: Record<string, unknown>;
  files?: readonly ("picture" | "film")[];
  post_type?: "post" | "reel" | "story";
  text?: string;
  login?: "instagram" | "facebook";
};

/** What validate says of a post on Instagram alone: field and words. */
async function problemsOf({
  options = {},
  files = ["picture"],
  post_type = "post",
  text = "Hello",
  login = "instagram",
}: Body) {
  const { social, sandbox, clock } = createTestService();
  const { access_token } = sandbox.instagram.addAccount({ username: "alice", login });
  const profile = await clock.run(() =>
    social.profiles.connect({ network: "instagram", credentials: { access_token } }),
  );
  const addresses = {
    picture: sandbox.media.put("a.jpg", jpeg(800, 800), { contentType: "image/jpeg" }),
    film: sandbox.media.put("a.mp4", fixture("index-first.mp4"), { contentType: "video/mp4" }),
  };
  const { targets } = await clock.run(() =>
    social.posts.validate({
      ...{ profile_ids: [profile.id], text, post_type, media: files.map((each) => addresses[each]) },
      networks: { instagram: options },
    }),
  );
  return (targets[0]?.issues ?? [])
    .filter(({ severity, field }) => severity === "error" && !field.startsWith("media["))
    .map(({ field, message }) => `${field}: ${message}`);
}

const many = (count: number, word: string) => Array.from({ length: count }, (_, index) => `${word}${index}`).join(" ");

it.each<[string, Body, RegExp]>([
  ["collaborators", { options: { collaborators: ["a", "b", "c", "d"] } }, /^networks\.instagram\.collaborators: /],
  [
    "user_tags",
    { options: { user_tags: [{ username: "no spaces" }] } },
    /^networks\.instagram\.user_tags\[0\]\.username: /,
  ],
  ["user_tags", { options: { user_tags: [{ username: "a" }] } }, /^networks\.instagram\.user_tags\[0\]\.x: .*place/],
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
  ["location_id", { options: { location_id: "here" } }, /^networks\.instagram\.location_id: /],
  ["share_to_feed", { options: { share_to_feed: true } }, /^networks\.instagram\.share_to_feed: .*reels only/],
  ["cover_url", { options: { cover_url: "nowhere" }, files: ["film"] }, /^networks\.instagram\.cover_url: /],
  ["thumb_offset", { options: { thumb_offset: -1 }, files: ["film"] }, /^networks\.instagram\.thumb_offset: /],
  ["audio_name", { options: { audio_name: "" }, files: ["film"] }, /^networks\.instagram\.audio_name: /],
  [
    "trial_params",
    { options: { trial_params: {} }, files: ["film"] },
    /^networks\.instagram\.trial_params\.graduation_strategy: /,
  ],
  [
    "audio_configuration",
    { options: { audio_configuration: { audio_id: "1", audio_volume: 101 } }, files: ["film"] },
    /^networks\.instagram\.audio_configuration\.audio_volume: /,
  ],
  [
    "audio_configuration",
    { options: { audio_configuration: { audio_id: "1" } }, login: "facebook" },
    /^networks\.instagram\.audio_configuration: .*reels only/,
  ],
  [
    "audio_configuration",
    { options: { audio_configuration: { audio_id: "1" } }, files: ["film"] },
    /^networks\.instagram\.audio_configuration: .*Connect the account with Facebook's login/,
  ],
  [
    "is_paid_partnership",
    { options: { is_paid_partnership: true } },
    /^networks\.instagram\.is_paid_partnership: .*Connect the account with Facebook's login/,
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
])("%s that is wrong is named: %j", async (_, body, message) => {
  expect(await problemsOf(body)).toEqual([expect.stringMatching(message)]);
});

it("takes all of what is right", async () => {
  const options = {
    ...{ collaborators: ["a.b", "@c"], user_tags: [{ username: "a", x: 0, y: 1 }], location_id: "123" },
    ...{ is_ai_generated: true, branded_content_sponsor_ids: ["17841400000000002"], first_comment: "#x" },
  };
  expect(await problemsOf({ options })).toEqual([]);
  expect(await problemsOf({ options: { ...options, is_paid_partnership: true }, login: "facebook" })).toEqual([]);
});
