import { beforeEach, describe, expect, it } from "vitest";
import { options } from "../../../src/networks/google_business/options.ts";
import type { CreatePostBody } from "../../../src/planning/schema.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import { fixture } from "../../media/fixtures.ts";
import { jpeg } from "../../media/samples.ts";
import { createTestService, type TestService } from "../../support/service.ts";
import { planOn } from "../service.ts";
import { photo } from "./bench.ts";

let service: TestService;

beforeEach(() => {
  service = createTestService();
});

function put(name: string, bytes: Uint8Array): { url: string } {
  return { url: service.sandbox.media.put(name, bytes) };
}

async function issuesOf(given: Partial<CreatePostBody>, own: JsonObject) {
  const { access_token } = service.sandbox.google_business.addPerson();
  const account = { network: "google_business", credentials: { access_token } } as const;
  const { issues } = await planOn(service, account, { networks: { google_business: own }, ...given });
  return issues.filter(({ severity }) => severity === "error");
}

const base = "networks.google_business";
const event = { title: "Baking", starts: "2026-12-24", ends: "2026-12-24" };
const url = "https://example.com/";

const mistakes: readonly [string, () => Partial<CreatePostBody>, JsonObject, string, string, RegExp][] = [
  [
    "an event without an event",
    () => ({}),
    { topic_type: "EVENT" },
    `${base}.event`,
    "invalid_request",
    /title, start/,
  ],
  ["an offer without an event", () => ({}), { topic_type: "OFFER" }, `${base}.event`, "invalid_request", /OFFER/],
  ["an event in a standard post", () => ({}), { event }, `${base}.event`, "invalid_request", /topic_type/],
  [
    "an event that ends before it begins",
    () => ({}),
    { topic_type: "EVENT", event: { ...event, ends: "2026-12-23" } },
    `${base}.event.ends`,
    "invalid_request",
    /before it starts/,
  ],
  [
    "an offer in a standard post",
    () => ({}),
    { offer: { coupon_code: "x" } },
    `${base}.offer`,
    "invalid_request",
    /OFFER/,
  ],
  [
    "a button without a URL",
    () => ({}),
    { call_to_action: { action_type: "SHOP" } },
    `${base}.call_to_action.url`,
    "invalid_request",
    /SHOP/,
  ],
  [
    "a call with a URL",
    () => ({}),
    { call_to_action: { action_type: "CALL", url } },
    `${base}.call_to_action.url`,
    "invalid_request",
    /own phone number/,
  ],
  [
    "a button on an offer",
    () => ({}),
    { topic_type: "OFFER", event, call_to_action: { action_type: "SHOP", url } },
    `${base}.call_to_action`,
    "invalid_request",
    /redeem_online_url/,
  ],
  ["a video", () => ({ media: [put("a.mp4", fixture("large.mp4"))] }), {}, "media[0]", "media_error", /Google/],
  [
    "a photo that is too small",
    () => ({ media: [put("a.jpg", jpeg(300, 300))] }),
    {},
    "media[0]",
    "media_error",
    /Google/,
  ],
  [
    "two photos",
    () => ({ media: [put("a.jpg", photo()), put("b.jpg", photo())] }),
    {},
    "media",
    "media_error",
    /at most 1/,
  ],
  ["a text that is too long", () => ({ text: "a".repeat(1_501) }), {}, "text", "invalid_request", /1,?500/],
];

describe("a caller's mistake is rejected before any request is sent", () => {
  it.each(mistakes)("%s", async (_, given, own, field, code, words) => {
    expect(await issuesOf(given(), own)).toEqual([
      expect.objectContaining({ field, code, message: expect.stringMatching(words) }),
    ]);
  });

  it("while correct posts pass", async () => {
    expect(await issuesOf({ media: [put("a.jpg", photo())] }, {})).toEqual([]);
    expect(await issuesOf({}, { topic_type: "OFFER", event, offer: {} })).toEqual([]);
  });

  it.each([
    { topic_type: "ALERT" },
    { event: { ...event, starts: "24.12.2026" } },
    { event: { ...event, starts: "2026-02-30" } },
    { event: { ...event, ends: "2026-12-24T25:00" } },
    { event: { ...event, title: " " } },
    { offer: { redeem_online_url: "file:///etc/passwd" } },
    { call_to_action: { action_type: "GET_OFFER" } },
    { language_code: "english language" },
  ])("for example the options %j", (given) => {
    expect(options.safeParse(given).success).toBe(false);
  });
});
