import { describe, expect, it } from "vitest";
import { ruleFor } from "../../src/media/fit/moving.ts";
import type { MediaFacts } from "../../src/media/probe/facts.ts";
import { allLimits } from "../media/fit/specs.ts";
import { fixtureFacts } from "../media/fixtures.ts";

const names = ["animated.gif", "animated.png", "animated.webp"] as const;

/** The outcome of each on each network that accepts its format: its media type, and whether `validate` warns. */
const outcomes: Readonly<Record<string, Readonly<Partial<Record<(typeof names)[number], string>>>>> = {
  bluesky: { "animated.gif": "gif, still", "animated.png": "image, still", "animated.webp": "image, still" },
  discord: { "animated.gif": "gif", "animated.png": "image, still", "animated.webp": "image" },
  facebook: { "animated.png": "image, still" },
  google_business: { "animated.png": "image" },
  linkedin: { "animated.gif": "gif", "animated.png": "image, still" },
  mastodon: { "animated.gif": "gif, looped", "animated.png": "gif, looped", "animated.webp": "image, still" },
  pinterest: { "animated.png": "image, still" },
  threads: { "animated.png": "image, still" },
  tiktok: { "animated.webp": "image, still" },
  x: { "animated.gif": "gif", "animated.png": "image, still", "animated.webp": "image, still" },
};

function outcomeOf(network: (typeof allLimits)[number], name: (typeof names)[number]): string | undefined {
  const facts = fixtureFacts[name] as MediaFacts;
  const rule = ruleFor({ ...facts, size_bytes: 1_000 }, network.media.types);
  if (rule === undefined) return undefined;
  const shown = /still image/.test(rule.action ?? "") ? ", still" : rule.action === undefined ? "" : ", looped";
  return `${rule.type}${shown}`;
}

describe("an animated image", () => {
  it.each(allLimits.map((limits) => [limits.network, limits] as const))(
    "has the media type and the display of its network: %s",
    (network, limits) => {
      const found = names.map((name) => [name, outcomeOf(limits, name)]).filter(([, outcome]) => outcome !== undefined);
      expect(Object.fromEntries(found)).toEqual(outcomes[network] ?? {});
    },
  );
});
