import { expect, it } from "vitest";
import type { NetworkAdapter } from "../../src/networks/contract/adapter.ts";
import type { Part } from "../../src/networks/contract/plan.ts";
import { kindOf, publisherOf } from "../../src/sending/part-run.ts";

function withMedia(...types: string[]): Part {
  return { media: types.map((type) => ({ type })) } as unknown as Part;
}

it("a part with a video takes a network longest, then one with pictures", () => {
  expect([withMedia(), withMedia("image"), withMedia("image", "video"), withMedia("document")].map(kindOf)).toEqual([
    "text",
    "image",
    "video",
    "image",
  ]);
});

it("a network on which nothing can be published says so", () => {
  const inboxOnly = { spec: { name: "Twitch" } } as unknown as NetworkAdapter;
  expect(() => publisherOf(inboxOnly)).toThrow("Nothing can be published on Twitch.");
});
