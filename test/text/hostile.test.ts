import { describe, it } from "vitest";
import { hostileTexts, textReaders } from "../support/hostile-text.ts";

// All of it takes some seconds. What takes the square of a text's length takes
// minutes, which no test is given; how long exactly is for `npm run bench -- text`.
describe("100 KB of hostile text", () => {
  it.each(Object.entries(textReaders))("is read to its end: %s", (_, read) => {
    for (const text of hostileTexts(100_000)) read(text);
  });
});
