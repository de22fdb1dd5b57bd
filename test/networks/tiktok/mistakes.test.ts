import { beforeEach, describe, expect, it } from "vitest";
import { options } from "../../../src/networks/tiktok/options.ts";
import type { CreatePostBody, TargetPlan } from "../../../src/planning/schema.ts";
import type { NewAccount } from "../../../src/sandbox/tiktok/network.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import { fixture } from "../../media/fixtures.ts";
import { jpeg } from "../../media/samples.ts";
import { createTestService, type TestService } from "../../support/service.ts";
import { planOn } from "../service.ts";
import { videoBytes } from "./video.ts";

let service: TestService;

beforeEach(() => {
  service = createTestService();
});

function put(name: string, bytes: Uint8Array): { url: string } {
  return { url: service.sandbox.media.put(name, bytes) };
}

const video = () => put("film.mp4", videoBytes());
const photo = () => put("photo.jpg", jpeg(8, 8));
const open: JsonObject = { privacy_level: "PUBLIC_TO_EVERYONE" };

async function plan(given: Partial<CreatePostBody>, own: JsonObject, account: NewAccount): Promise<TargetPlan> {
  const { access_token, refresh_token } = service.sandbox.tiktok.addAccount(account);
  const credentials = { access_token, refresh_token };
  return planOn(service, { network: "tiktok", credentials }, { text: "", networks: { tiktok: own }, ...given });
}

interface Mistake {
  what: string;
  given: () => Partial<CreatePostBody>;
  own: JsonObject;
  account?: NewAccount;
  field: string;
  code: string;
  words: RegExp;
}

const mistakes: readonly Mistake[] = [
  {
    what: "no privacy level",
    given: () => ({ media: [video()] }),
    own: {},
    field: "networks.tiktok.privacy_level",
    code: "invalid_request",
    words: /user chooses.*choices/,
  },
  {
    what: "only a text",
    given: () => ({ text: "Hello" }),
    own: open,
    field: "media",
    code: "media_error",
    words: /at least 1/,
  },
  {
    what: "photos and a video together",
    given: () => ({ media: [video(), photo()] }),
    own: open,
    field: "media",
    code: "media_error",
    words: /one type only/,
  },
  {
    what: "two videos",
    given: () => ({ media: [video(), video()] }),
    own: open,
    field: "media",
    code: "media_error",
    words: /at most 1/,
  },
  {
    what: "a PNG without a converter to JPEG",
    given: () => ({ media: [put("still.png", fixture("still.png"))] }),
    own: open,
    field: "media[0]",
    code: "media_error",
    words: /TikTok/,
  },
  {
    what: "a video that is too small",
    given: () => ({ media: [put("small.mp4", fixture("index-first.mp4"))] }),
    own: open,
    field: "media[0]",
    code: "media_error",
    words: /360/,
  },
  {
    what: "a story",
    given: () => ({ media: [video()], post_type: "story" }),
    own: open,
    field: "post_type",
    code: "unsupported",
    words: /TikTok/,
  },
  {
    what: "a video caption of a length that only photos may have",
    given: () => ({ media: [video()], text: "a".repeat(2_201) }),
    own: open,
    field: "text",
    code: "invalid_request",
    words: /2,?200/,
  },
  {
    what: "a draft with options that TikTok would drop",
    given: () => ({ media: [video()] }),
    own: { inbox: true, privacy_level: "SELF_ONLY" },
    field: "networks.tiktok.privacy_level",
    code: "unsupported",
    words: /draft.*leave out/i,
  },
  {
    what: "a private paid partnership",
    given: () => ({ media: [video()] }),
    own: { privacy_level: "SELF_ONLY", brand_content_toggle: true },
    field: "networks.tiktok.brand_content_toggle",
    code: "invalid_request",
    words: /another privacy_level/,
  },
  {
    what: "a video that is longer than the account may post",
    given: () => ({ media: [video()] }),
    own: open,
    account: { maxVideoSeconds: 0.2 },
    field: "media[0]",
    code: "media_error",
    words: /from this account/,
  },
  {
    what: "music for a video",
    given: () => ({ media: [video()] }),
    own: { ...open, auto_add_music: true },
    field: "networks.tiktok.auto_add_music",
    code: "unsupported",
    words: /Only photos/,
  },
  {
    what: "a duet with photos",
    given: () => ({ media: [photo()] }),
    own: { ...open, disable_duet: true },
    field: "networks.tiktok.disable_duet",
    code: "unsupported",
    words: /Only videos/,
  },
  {
    what: "a cover that is not among the photos",
    given: () => ({ media: [photo()] }),
    own: { ...open, photo_cover_index: 1 },
    field: "networks.tiktok.photo_cover_index",
    code: "invalid_request",
    words: /1 photos/,
  },
  {
    what: "a cover after the end of the video",
    given: () => ({ media: [video()] }),
    own: { ...open, video_cover_timestamp_ms: 5_000 },
    field: "networks.tiktok.video_cover_timestamp_ms",
    code: "invalid_request",
    words: /first frame/,
  },
];

describe("a caller's mistake is rejected before any request is sent", () => {
  it.each(mistakes)("$what", async ({ given, own, account = {}, field, code, words }) => {
    const { valid, issues } = await plan(given(), own, account);
    expect(valid).toBe(false);
    expect(issues.filter(({ severity }) => severity === "error")).toEqual([
      expect.objectContaining({ field, code, message: expect.stringMatching(words) }),
    ]);
  });

  it("while correct posts pass", async () => {
    expect(await plan({ media: [video()], text: "Hello" }, open, {})).toMatchObject({ valid: true });
    const text = "a".repeat(4_000);
    expect(await plan({ media: [photo()], text }, { ...open, title: "Title" }, {})).toMatchObject({ valid: true });
  });

  it.each([
    { privacy_level: "public" },
    { disable_comment: "no" },
    { disable_duet: 0 },
    { disable_stitch: null },
    { video_cover_timestamp_ms: 1.5 },
    { photo_cover_index: 35 },
    { auto_add_music: "yes" },
    { brand_content_toggle: 1 },
    { brand_organic_toggle: "x" },
    { is_aigc: "true" },
    { inbox: "draft" },
  ])("for example the options %j", (given) => {
    expect(options.safeParse(given).success).toBe(false);
  });
});

describe("a draft of a connection without the draft scope", () => {
  it("is rejected if TikTok has listed the granted scopes", async () => {
    const scopes = ["user.info.basic", "video.publish"];
    const { access_token } = service.sandbox.tiktok.addAccount({ scopes });
    const account = { network: "tiktok", credentials: { access_token, scopes } } as const;
    const { issues } = await planOn(service, account, { media: [video()], networks: { tiktok: { inbox: true } } });
    expect(issues).toMatchObject([{ field: "networks.tiktok.inbox", code: "reauthentication_required" }]);
  });
});
