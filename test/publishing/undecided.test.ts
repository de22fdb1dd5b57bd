import { describe, expect, it } from "vitest";
import { type InstanceWays, mastodonsWays } from "../../src/sandbox/mastodon/ways.ts";
import { seededRandom } from "../prove/random.ts";
import { type LostPart, randomWays, whyUndecided } from "../support/instance-ways.ts";
import { markedText, plainText, similarText } from "../support/marked-texts.ts";

function lostPart(ways: Partial<InstanceWays> = {}, given: Partial<Omit<LostPart, "ways">> = {}): LostPart {
  return {
    ways: { ...mastodonsWays, software: "look_alike", ...ways },
    text: { text: "*one* two", hasMarkup: true, hasImageAddress: false },
    visibility: "public",
    isReply: false,
    hasFiles: false,
    isLive: false,
    wasShownBefore: true,
    hasSimilar: false,
    posts: 3,
    ...given,
  };
}

const image = { text: "one https://a.example/b.png", hasMarkup: false, hasImageAddress: true };

describe("a part whose outcome is unknown may stay undecided", () => {
  it.each<[string, Partial<InstanceWays>, Partial<Omit<LostPart, "ways">>]>([
    ["where no listing shows it", { listHides: ["private"], lacksHome: true }, { visibility: "private" }],
    ["even when it is live", { listHides: ["direct"], homeHides: ["direct"] }, { visibility: "direct", isLive: true }],
    ["where replies are left out", { listHidesReplies: true }, { isReply: true }],
    ["where it is rendered in another form", { rendersMarkdown: true, lacksSource: true }, { isLive: true }],
    ["where its URL was removed", { imageAddresses: "moved" }, { isLive: true, text: image }],
    ["beside a similar post", {}, { hasSimilar: true }],
    ["where no such post was seen", {}, { wasShownBefore: false }],
    ["where it gets another visibility", { visibilityBecomes: { direct: "private" } }, { visibility: "direct" }],
    ["where older posts are out of reach", { ignoresMaxId: true }, { posts: 20 }],
  ])("%s", (_, ways, given) => {
    expect(whyUndecided(lostPart(ways, given))).toEqual(expect.any(String));
  });
});

describe("a part whose outcome is unknown must be decided", () => {
  it.each<[string, Partial<InstanceWays>, Partial<Omit<LostPart, "ways">>]>([
    ["on an ordinary server", {}, {}],
    ["on Mastodon itself, seen or not", { software: "mastodon" }, { wasShownBefore: false, visibility: "private" }],
    ["where the home timeline shows it", { listHides: ["private"] }, { visibility: "private" }],
    ["when it is live, seen before or not", {}, { isLive: true, wasShownBefore: false }],
    ["when it is live beside a similar post", {}, { isLive: true, hasSimilar: true }],
    ["where the source can be read", { rendersMarkdown: true }, { isLive: true }],
    ["where the source is shown", { rendersMarkdown: true, lacksSource: true, showsText: true }, { isLive: true }],
    ["where its files identify it", { rendersMarkdown: true, lacksSource: true }, { isLive: true, hasFiles: true }],
    ["where its URL was only copied", { imageAddresses: "added" }, { isLive: true, text: image }],
    ["where the only page holds all posts", { ignoresMaxId: true }, { posts: 19 }],
    ["where only replies are left out", { listHidesReplies: true }, {}],
  ])("%s", (_, ways, given) => {
    expect(whyUndecided(lostPart(ways, given))).toBeNull();
  });
});

describe("the random data for small servers", () => {
  const random = seededRandom(7);
  const words = (text: string): Set<string> => new Set(text.match(/[\p{L}\p{N}]+/gu));
  const held = (one: string, other: string): number => {
    const [some, others] = [words(one), words(other)];
    return [...some].filter((word) => others.has(word)).length / Math.min(some.size, others.size);
  };

  it("has texts that share no words, or about half of them", () => {
    for (let count = 0; count < 200; count++) {
      const { text } = markedText(random);
      expect(held(text, plainText(random))).toBeLessThan(0.2);
      const share = held(text, similarText(text, random));
      expect(share, text).toBeGreaterThan(0.3);
      expect(share, text).toBeLessThan(0.75);
    }
  });

  it("has every deviation", () => {
    const drawn = new Set(Array.from({ length: 500 }, () => Object.keys(randomWays(random))).flat());
    const ofReading = ["lacksManyAtOnce", "editsChangeIds"];
    const ofLogins = ["logins", "missingScope", "domain", "namesItself"];
    const ofInboxes = [
      ...["asksApproval", "filtersPages", "ignoresBareNames", "listsWhole", "namesCharacters", "omitsEditTimes"],
      ...["omitsLinks", "omitsMentionIds", "refusesTypes", "secondsBehind", "shortensLinks"],
    ];
    const notDrawn = new Set(["drops", "failsOnBrokenFiles", "ignoresCovers", ...ofLogins, ...ofReading, ...ofInboxes]);
    expect([...drawn].sort()).toEqual(
      Object.keys(mastodonsWays)
        .filter((way) => !notDrawn.has(way))
        .sort(),
    );
  });
});
