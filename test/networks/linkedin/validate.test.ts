import { beforeEach, describe, expect, it } from "vitest";
import type { CreatePostBody, TargetPlan } from "../../../src/planning/schema.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import { png } from "../../media/samples.ts";
import { createTestService, type TestService } from "../../support/service.ts";
import { planOn } from "../service.ts";
import { memberOn, organizationOn } from "./bench.ts";

let service: TestService;
let picture: string;

beforeEach(() => {
  service = createTestService();
  picture = service.sandbox.media.put("a.png", png(8, 8), { contentType: "image/png" });
});

type Given = Partial<CreatePostBody>;

function plan(given: Given, kind: "member" | "organisation" = "organisation"): Promise<TargetPlan> {
  const connect = kind === "member" ? memberOn : organizationOn;
  const account = { network: "linkedin", credentials: connect(service.sandbox.linkedin) } as const;
  return planOn(service, account, given);
}

function withOptions(options: JsonObject, more: Given = {}): Given {
  return { text: "Hello", networks: { linkedin: options }, ...more } as Given;
}

const card = { url: "https://example.com", title: "A page" };
const poll = { question: "Tea?", options: ["Yes", "No"], duration: "ONE_DAY" };

describe("the likeliest mistakes are rejected before any request, with the field and the remedy", () => {
  it.each<[string, Given, string, string, RegExp, ("member" | "organisation")?]>([
    [
      "a link without a title, because LinkedIn does not read the page",
      { text: "A", link: "https://example.com" },
      "invalid_request",
      "link.title",
      /LinkedIn does not read the linked page/,
    ],
    [
      "a text that is too long",
      { text: "a".repeat(3_001) },
      "invalid_request",
      "text",
      /3001 of at most 3000 UTF-16 units/,
    ],
    [
      "a text that is too long once it is escaped",
      { text: "(".repeat(1_600) },
      "invalid_request",
      "text",
      /3200 of at most 3000.*Shorten it/,
    ],
    [
      "an image beside a video",
      { text: "A", media: ["picture", "video"] as never },
      "media_error",
      "media",
      /image and video.*LinkedIn/,
    ],
    [
      "21 images",
      { text: "A", media: Array.from({ length: 21 }, () => "picture") as never },
      "media_error",
      "media",
      /21 files; LinkedIn accepts at most 20/,
    ],
    [
      "a link card beside files",
      { text: "A", link: card, media: ["picture"] as never },
      "unsupported",
      "link",
      /LinkedIn.*Put the URL into the text/,
    ],
    [
      "a poll beside files",
      withOptions({ poll }, { media: ["picture"] as never }),
      "unsupported",
      "networks.linkedin.poll",
      /LinkedIn.*Leave out one/,
    ],
    ["an empty post", { text: " " }, "invalid_request", "text", /LinkedIn needs a text, a file, a link/],
    [
      "a first comment without the scope",
      withOptions({ first_comment: "First" }),
      "unsupported",
      "networks.linkedin.first_comment",
      /w_member_social_feed.*Leave out the comment/,
      "member",
    ],
    [
      "a reel",
      { text: "A", post_type: "reel", media: ["video"] as never },
      "unsupported",
      "post_type",
      /LinkedIn has no reel/,
    ],
    [
      "a post for connections of an organisation",
      withOptions({ visibility: "CONNECTIONS" }),
      "unsupported",
      "networks.linkedin.visibility",
      /no connections: use PUBLIC or LOGGED_IN/,
    ],
    [
      "an audience of a member",
      withOptions({ audience: { geo_locations: ["urn:li:geo:1"] } }),
      "unsupported",
      "networks.linkedin.audience",
      /Only organisations on LinkedIn/,
      "member",
    ],
    ["an empty audience", withOptions({ audience: {} }), "unsupported", "networks.linkedin.audience", /at least one/],
    [
      "subtitles without a video",
      withOptions({ captions_url: "https://example.com/a.srt" }),
      "invalid_request",
      "networks.linkedin.captions_url",
      /require a video/,
    ],
  ])("for example %s", async (_, given, code, field, message, kind) => {
    const video = service.sandbox.media.put("film.mp4", videoBytes(), { contentType: "video/mp4" });
    const media = (given.media as string[] | undefined)?.map((each) => (each === "video" ? video : picture));
    const { issues } = await plan({ ...given, ...(media === undefined ? {} : { media }) }, kind);
    expect(issues.filter(({ severity }) => severity === "error")).toContainEqual(
      expect.objectContaining({ code, field, message: expect.stringMatching(message) }),
    );
    expect(service.sandbox.linkedin.posts()).toEqual([]);
  });
});

function videoBytes(): Uint8Array {
  const bytes = new Uint8Array(100);
  bytes.set(new TextEncoder().encode("\0\0\0\x10ftypisom"));
  return bytes;
}

describe("a wrong option is named", () => {
  it.each<[JsonObject, string]>([
    [{ visibility: "CONTAINER" }, "visibility"],
    [{ feed_distribution: "SOMEWHERE" }, "feed_distribution"],
    [{ disable_reshares: "yes" }, "disable_reshares"],
    [{ poll: { ...poll, question: "?".repeat(141) } }, "poll.question"],
    [{ poll: { ...poll, options: ["Only"] } }, "poll.options"],
    [{ poll: { ...poll, options: ["Yes", "n".repeat(31)] } }, "poll.options[1]"],
    [{ poll: { ...poll, duration: "ONE_WEEK" } }, "poll.duration"],
    [{ document: { url: "https://example.com/a.pdf" } }, "document.title"],
    [{ document: { url: "a.pdf", title: "A" } }, "document.url"],
    [{ audience: { geo_locations: ["Berlin"] } }, "audience.geo_locations[0]"],
    [{ audience: { industries: ["urn:li:geo:1"] } }, "audience.industries[0]"],
    [{ audience: { seniorities: [] } }, "audience.seniorities"],
    [{ audience: { job_functions: ["urn:li:function:x"] } }, "audience.job_functions[0]"],
    [{ audience: { staff_count_ranges: ["11-50"] } }, "audience.staff_count_ranges[0]"],
    [{ reshare_of: "urn:li:activity:1" }, "reshare_of"],
    [{ captions_url: "words.srt" }, "captions_url"],
    [{ first_comment: "" }, "first_comment"],
    [{ first_comment: "a".repeat(1_251) }, "first_comment"],
  ])("for example %j", async (options, field) => {
    const { issues } = await plan(withOptions(options));
    expect(issues.map((issue) => issue.field)).toContain(`networks.linkedin.${field}`);
  });
});

describe("validation accepts", () => {
  it.each<[string, Given]>([
    ["a text of the maximum length", { text: "a".repeat(3_000) }],
    ["a link card", { text: "", link: card }],
    ["only a document", withOptions({ document: { url: "https://example.com/a.pdf", title: "A" } }, { text: "" })],
    ["a reshared post without a text", withOptions({ reshare_of: "urn:li:share:1" }, { text: "" })],
    ["a first comment with the scope", withOptions({ first_comment: "(First) #comment" })],
  ])("%s", async (_, given) => {
    expect(await plan(given)).toMatchObject({ valid: true, issues: [] });
  });
});
