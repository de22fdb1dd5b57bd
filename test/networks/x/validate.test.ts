import { beforeEach, describe, expect, it } from "vitest";
import type { CreatePostBody, TargetPlan } from "../../../src/planning/schema.ts";
import type { NewXAccount } from "../../../src/sandbox/x/network.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import { png } from "../../media/samples.ts";
import { createTestService, type TestService } from "../../support/service.ts";
import { planOn } from "../service.ts";

let service: TestService;
let picture: string;

beforeEach(() => {
  service = createTestService();
  picture = service.sandbox.media.put("a.png", png(8, 8), { contentType: "image/png" });
});

function plan(given: Partial<CreatePostBody>, account: Partial<NewXAccount> = {}): Promise<TargetPlan> {
  const { external_id: _, ...credentials } = service.sandbox.x.addAccount({ username: "alice", ...account });
  return planOn(service, { network: "x", credentials }, given);
}

function issuesOf({ issues }: TargetPlan) {
  return issues.map(({ field, code }) => [field, code]);
}

describe("the price of a post on X", () => {
  it.each([
    ["no link", { text: "Hello" }, 0.015],
    ["a link", { text: "See https://example.com/a" }, 0.2],
    ["a bare domain, which X turns into a link", { text: "See example.com" }, 0.2],
    ["a link beside the text", { text: "See", link: "https://example.com/a" }, 0.2],
    ["a thread of which one part has a link", { thread: ["One", "Two: https://example.com", "Three"] }, 0.23],
  ] as const)("is known with %s", async (_, given, cost_usd) => {
    expect(await plan(given as Partial<CreatePostBody>)).toMatchObject({ valid: true, cost_usd });
  });

  it("is absent for networks without a known price", async () => {
    const { instance, access_token } = service.sandbox.mastodon.addAccount({ username: "alice" });
    const account = { network: "mastodon", credentials: { instance, access_token } } as const;
    expect(await planOn(service, account, {})).toMatchObject({ cost_usd: null });
  });
});

describe("validation for X", () => {
  it("counts characters by the account's plan", async () => {
    const text = "a".repeat(281);
    expect(issuesOf(await plan({ text }))).toEqual([["text", "invalid_request"]]);
    expect(await plan({ text }, { plan: "Premium" })).toMatchObject({ valid: true, parts: [{ limit: 25_000 }] });
  });

  it("rejects equal parts of a thread, which X calls duplicates", async () => {
    const target = await plan({ thread: ["Hello", "Other", " Hello\n"] });
    expect(target.issues).toMatchObject([
      { field: "thread[2]", message: expect.stringContaining("the same text as part 1") },
    ]);
  });

  it("rejects a second cashtag in one part, but not one in each", async () => {
    expect(issuesOf(await plan({ text: "$ONE and $TWO" }))).toEqual([["text", "invalid_request"]]);
    expect(await plan({ thread: ["$ONE", "$TWO, 5$ and a$b"] })).toMatchObject({ valid: true });
  });

  it("rejects an empty part", async () => {
    expect(issuesOf(await plan({ thread: ["One", " "] }))).toEqual([["thread[1]", "invalid_request"]]);
  });

  it.each<[string, JsonObject]>([
    ["networks.x.reply_settings", { reply_settings: "nobody" }],
    ["networks.x.poll.options", { poll: { options: ["One"], duration_minutes: 5 } }],
    ["networks.x.poll.options[1]", { poll: { options: ["One", "b".repeat(26)], duration_minutes: 5 } }],
    ["networks.x.poll.duration_minutes", { poll: { options: ["One", "Two"], duration_minutes: 4 } }],
    ["networks.x.community_id", { community_id: "12a" }],
    ["networks.x.community_id", { community_id: 12 }],
    ["networks.x.share_with_followers", { share_with_followers: "yes" }],
    ["networks.x.share_with_followers", { share_with_followers: true }],
    ["networks.x.subscribers_only", { subscribers_only: 1 }],
    ["networks.x.made_with_ai", { made_with_ai: "yes" }],
    ["networks.x.paid_partnership", { paid_partnership: "yes" }],
    ["networks.x.place_id", { place_id: "a b" }],
    ["networks.x.sensitive[0]", { sensitive: ["rude"] }],
    ["networks.x.sensitive", { sensitive: ["other"] }],
    ["networks.x.tagged_user_ids[0]", { tagged_user_ids: ["alice"] }],
    ["networks.x.tagged_user_ids", { tagged_user_ids: ["1"] }],
    [
      "networks.x.subtitles[0].language",
      { subtitles: [{ url: "https://a.example/a.vtt", language: "EN", name: "E" }] },
    ],
    ["networks.x.subtitles", { subtitles: [{ url: "https://a.example/a.vtt", language: "en", name: "E" }] }],
    ["networks.x.reply_to", { reply_to: "https://example.com/1" }],
    ["networks.x.quote_tweet_id", { quote_tweet_id: "1" }],
  ])("names %s in %j", async (field, x) => {
    const target = await plan({ text: "Hello", networks: { x } });
    expect(issuesOf(target).map(([name]) => name)).toEqual([field]);
    expect(target.valid).toBe(false);
  });

  it("rejects a poll beside a file", async () => {
    const x = { poll: { options: ["One", "Two"], duration_minutes: 5 } };
    expect(issuesOf(await plan({ text: "Hello", media: [picture], networks: { x } }))).toEqual([
      ["networks.x.poll", "unsupported"],
    ]);
  });
});
