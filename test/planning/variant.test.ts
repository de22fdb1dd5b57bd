import { describe, expect, it } from "vitest";
import type { MediaRule, MediaType } from "../../src/networks/contract/limits.ts";
import type { NetworkSpec } from "../../src/networks/contract/spec.ts";
import { png } from "../media/samples.ts";
import { createToy, type Toy } from "../support/toy.ts";

const image: MediaRule = { type: "image", mime: "image/png", max_bytes: 1_000_000 };

async function withSpec(spec: Partial<NetworkSpec>): Promise<Toy> {
  return createToy({}, { spec: { media: { max_items: 4, mixing: "any", types: [image] }, ...spec } });
}

type Body = Parameters<Toy["social"]["posts"]["validate"]>[0];

async function plan(toy: Toy, body: Omit<Body, "profile_ids">) {
  const { targets } = await toy.clock.run(() => toy.social.posts.validate({ profile_ids: [toy.profileId], ...body }));
  const [target] = targets;
  if (target === undefined) throw new Error("nothing was planned");
  return {
    ...target,
    problems: target.issues.map(({ severity, field, message }) => `${severity} ${field}: ${message}`),
  };
}

function pictures(toy: Toy, count: number, size: [number, number] = [8, 8]): string[] {
  return Array.from({ length: count }, (_, index) => toy.sandbox.media.put(`${index}.png`, png(...size)));
}

describe("a rule that a network has for some posts only", () => {
  const spec = {
    post_types: ["post", "story"],
    text: { max: 20, unit: "graphemes" },
    variants: [
      { when: { post_type: "story" }, text: { max: 0 }, media: { min_items: 1, max_items: 1 } },
      { when: { media: "image" as MediaType, min_items: 2 }, text: { max: 40 }, title: { max: 5, required: false } },
      { when: { media: "none" }, text: { max: 30 } },
    ],
  } satisfies Partial<NetworkSpec>;

  it("comes from the first variant that fits the post", async () => {
    const toy = await withSpec(spec);
    const limitOf = async (body: Omit<Body, "profile_ids">) => (await plan(toy, body)).parts[0]?.limit;
    expect(await limitOf({ text: "Hello" })).toBe(30);
    expect(await limitOf({ text: "Hello", media: pictures(toy, 1) })).toBe(20);
    expect(await limitOf({ text: "Hello", media: pictures(toy, 2) })).toBe(40);
  });

  it("allows a title, or none, by its variant", async () => {
    const toy = await withSpec(spec);
    expect((await plan(toy, { text: "Hello", title: "A title" })).problems).toEqual([
      "warning title: Example has no titles; the title is left out there.",
    ]);
    const { problems } = await plan(toy, { text: "Hello", title: "A title", media: pictures(toy, 2) });
    expect(problems).toEqual(["error title: Too long: at most 5 characters on Example."]);
  });

  it("sets the minimum number of files, and drops a text that the variant forbids, with a warning", async () => {
    const toy = await withSpec(spec);
    const none = await plan(toy, { text: "Hello", post_type: "story" });
    expect(none.problems).toContain("error media: 0 files; Example requires at least 1 in a post of this kind.");
    const one = await plan(toy, { text: "Hello", post_type: "story", media: pictures(toy, 1) });
    expect(one).toMatchObject({ valid: true, parts: [{ text: "", limit: 0 }] });
    expect(one.problems).toEqual([
      "warning text: Example does not show text in a post of this kind; the text is left out there.",
    ]);
  });

  it("causes an error, not a dropped text, if the options have used up the text's limit", async () => {
    const toy = await withSpec({ takenFromText: () => 500 });
    const { valid, problems } = await plan(toy, { text: "Hello" });
    expect([valid, problems]).toEqual([false, ["error text: Too long: 5 of at most 0 characters. Shorten it."]]);
  });

  it("yields to the account's own limits", async () => {
    const toy = await createToy({}, { spec, limits: { text: { max: 25_000 } } });
    expect((await plan(toy, { text: "Hello" })).parts).toMatchObject([{ limit: 25_000 }]);
  });

  it("is shown with the network", async () => {
    const toy = await withSpec(spec);
    expect(toy.social.networks.list()[0]?.variants).toEqual(spec.variants);
  });
});

describe("a file", () => {
  it.each<[Partial<MediaRule>, string]>([
    [{ min_aspect: 0.8 }, "The width divided by the height is 0.5; Example accepts at least 0.8."],
    [{ max_aspect: 0.4 }, "The width divided by the height is 0.5; Example accepts at most 0.4."],
    [{ min_aspect: 0.8, max_aspect: 1.91 }, "The width divided by the height is 0.5; Example accepts 0.8 to 1.91."],
    [{ min_bytes: 1_000 }, "The size in bytes is "],
  ])("is rejected if it violates %j", async (rule, message) => {
    const types = [{ ...image, ...rule }];
    const toy = await withSpec({ media: { max_items: 4, mixing: "any", types } });
    const { valid, problems } = await plan(toy, { text: "Hello", media: pictures(toy, 1, [8, 16]) });
    expect([valid, problems]).toEqual([false, [expect.stringContaining(message)]]);
    expect((await plan(toy, { text: "Hello" })).valid).toBe(true);
  });
});

it("a plan warns that a link is dropped if a network shows none", async () => {
  const toy = await withSpec({ link_card: "none" });
  const { valid, parts, problems } = await plan(toy, { text: "Hello", link: "https://blog.example/" });
  expect([valid, parts[0]?.text]).toEqual([true, "Hello"]);
  expect(problems).toEqual([
    "warning link: Example does not show links in a post of this kind; the link is left out there.",
  ]);
});
