import { describe, it } from "vitest";
import { hostileTexts, textReaders } from "../support/hostile-text.ts";

// All of it takes some seconds. A quadratic algorithm would take minutes, longer
// than a test's deadline. `npm run bench -- text` measures the times.
describe("100 KB of hostile text", () => {
  it.each(Object.entries(textReaders))("is read to its end by %s", (_, read) => {
    for (const text of hostileTexts(100_000)) read(text);
  });
});
