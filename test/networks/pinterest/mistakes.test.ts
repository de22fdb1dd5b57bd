import { describe, expect, it } from "vitest";
import { errors } from "../../../src/networks/pinterest/errors.ts";
import type { CreatePost } from "../../../src/posts/schema.ts";
import { groupBoardId } from "../../../src/sandbox/pinterest/state.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import { fixture } from "../../media/fixtures.ts";
import { jpeg } from "../../media/samples.ts";
import { createTestService } from "../../support/service.ts";
import { refusalsBy } from "../refusals.ts";
import { planOn, problemsIn } from "../service.ts";

type Body = Partial<CreatePost> & {
  /** @default the group's */
  board?: null;
  options?: JsonObject;
  files?: readonly ("picture" | "wide" | "video")[];
  alt?: string;
};

async function problemsOf({ options = {}, board, files = ["picture"], alt, ...body }: Body) {
  const service = createTestService();
  const { sandbox } = service;
  const { access_token } = sandbox.pinterest.addAccount({ username: "alice" });
  const addresses = {
    picture: sandbox.media.put("a.jpg", jpeg(800, 1200), { contentType: "image/jpeg" }),
    wide: sandbox.media.put("b.jpg", jpeg(1200, 800), { contentType: "image/jpeg" }),
    video: sandbox.media.put("a.mp4", fixture("index-first.mp4"), { contentType: "video/mp4" }),
  };
  const media = files.map((each) => ({ url: addresses[each], ...(alt === undefined ? {} : { alt }) }));
  const own = { ...(board === null ? {} : { board_id: groupBoardId }), ...options };
  const account = { network: "pinterest", credentials: { access_token } } as const;
  const plan = await planOn(service, account, { media, ...body, networks: { pinterest: own } });
  return problemsIn(plan).filter((problem) => !problem.includes("second"));
}

it.each<[string, Body, RegExp]>([
  ["1: no board", { board: null }, /^networks\.pinterest\.board_id: /],
  ["2: a board's name", { options: { board_id: "my-board" } }, /^networks\.pinterest\.board_id: .*digits/],
  ["3: only a text", { files: [] }, /^media: 0 files/],
  ["4: a title of 101 characters", { title: "x".repeat(101) }, /^title: .*100/],
  ["5: a text of 801 characters", { text: "x".repeat(801) }, /^text: .*801 of at most 800/],
  ["6: six images", { files: Array.from({ length: 6 }, () => "picture" as const) }, /^media: 6 files/],
  ["7: images of two shapes", { files: ["picture", "wide"] }, /^media\[1\]: .*same size.*1200×800/],
  ["8: images beside a video", { files: ["picture", "video"] }, /^media: /],
  [
    "9: a cover without a video",
    { options: { cover_image_key_frame_time: 1 } },
    /cover_image_key_frame_time: .*only videos/,
  ],
  [
    "10: alt texts whose total is too long",
    { files: ["picture", "picture"], alt: "x".repeat(260) },
    /^media: .*521 of at most 500 characters/,
  ],
  ["a reel", { post_type: "reel", files: ["video"] }, /^post_type: Pinterest has no reel/],
  ["board_section_id", { options: { board_section_id: "Green" } }, /^networks\.pinterest\.board_section_id: /],
  [
    "cover_image_url",
    { options: { cover_image_url: "nowhere" }, files: ["video"] },
    /^networks\.pinterest\.cover_image_url: /,
  ],
  [
    "cover_image_key_frame_time",
    { options: { cover_image_key_frame_time: 1.5 }, files: ["video"] },
    /cover_image_key_frame_time: /,
  ],
  [
    "ai_disclosures",
    { options: { ai_disclosures: ["AI_MODIFIED", "AI_MODIFIED"] } },
    /^networks\.pinterest\.ai_disclosures: .*only once/,
  ],
  ["dominant_color", { options: { dominant_color: "red" } }, /^networks\.pinterest\.dominant_color: .*#6E7874/],
])("mistake %s is rejected before any request is sent", async (_, body, message) => {
  expect(await problemsOf(body)).toEqual([expect.stringMatching(message)]);
});

describe("Pinterest's refusals", () => {
  const read = refusalsBy(errors);

  it.each<[number, number, string, object]>([
    [401, 2, "Authentication failed.", { effect: "later", remedy: "refresh" }],
    [401, 3, "Your token does not have sufficient permissions", { effect: "none", code: "reauthentication_required" }],
    [401, 7, "Not authorized to access board or Pin.", { effect: "none", code: "rejected_by_network" }],
    [401, 29, "You are not permitted to access that resource.", { effect: "none", code: "rejected_by_network" }],
    [403, 29, "Apps with Trial access may not create Pins in production", { effect: "none", code: "internal_error" }],
    [403, 2626, "We are reviewing your account", { effect: "none", code: "profile_unavailable" }],
    [404, 404, "Board not found.", { effect: "none", code: "invalid_request" }],
    [404, 2031, "Sorry, we couldn't find this board section.", { effect: "none", code: "invalid_request" }],
    [400, 1, "Unable to reach the URL.", { effect: "later", remedy: "not_ready", code: "media_error" }],
    [400, 1, "Sorry, you entered an invalid URL", { effect: "none", code: "invalid_request" }],
    [409, 409, "Board section conflict.", { effect: "later", remedy: "not_ready" }],
    [409, 409, "Anything else", { effect: "unknown" }],
    [500, 500, "Unable to reach the URL.", { effect: "unknown" }],
  ])("are read: %d with code %d, %s", (status, code, message, expected) => {
    expect(read(status, { code, message, status: "failure" })).toMatchObject(expected);
  });

  it("may give the end of a limit in seconds from now, or since 1970", () => {
    const endOf = (value: string) =>
      errors.rateLimitEnd({ headers: new Headers({ "x-ratelimit-reset": value }), body: null }, 5_000);
    expect(endOf("42")).toBe(47_000);
    expect(endOf("1800000000")).toBe(1_800_000_001_000);
    expect(endOf("soon")).toBeNull();
  });
});
