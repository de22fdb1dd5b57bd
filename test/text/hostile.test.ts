import { describe, it } from "vitest";
import { PublishingError } from "../../src/errors.ts";
import type { TextRule } from "../../src/networks/spec.ts";
import { splitThread } from "../../src/posts/thread.ts";
import { countText } from "../../src/text/count.ts";
import { findFacets } from "../../src/text/facets.ts";
import { graphemeEnds } from "../../src/text/graphemes.ts";
import { findLinks } from "../../src/text/links.ts";
import { hostileTexts } from "../support/hostile-text.ts";

const weighted: TextRule = { max: 280, unit: "weighted" };

const readers: Record<string, (text: string) => unknown> = {
  graphemeEnds,
  findLinks,
  findFacets,
  "countText for X": (text) => countText(text, weighted),
  // The longest caption.
  splitThread: (text) => splitThread(text.slice(0, 20_000), weighted),
};

// All of it takes some seconds. What takes the square of a text's length takes
// minutes, which no test is given; how long exactly is for `npm run bench -- text`.
describe("100 KB of hostile text", () => {
  it.each(Object.entries(readers))("is read to its end: %s", (_, read) => {
    for (const text of hostileTexts(100_000)) readOrRefuse(read, text);
  });
});

/** A thread of one endless link is refused. */
function readOrRefuse(read: (text: string) => unknown, text: string): void {
  try {
    read(text);
  } catch (error) {
    if (!PublishingError.is(error)) throw error;
  }
}
