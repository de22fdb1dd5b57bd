import { describe, expect, it } from "vitest";
import { type Break, findBreaks, isWhitespace } from "../../src/text/breaks.ts";

/** Each break of the text: the part before it, the part after it, and its kind. */
function breaksOf(text: string): [before: string, after: string, kind: Break["kind"]][] {
  const clusters = [...text];
  const offsets = [0];
  for (const cluster of clusters) offsets.push((offsets.at(-1) ?? 0) + cluster.length);
  return findBreaks(text, Uint32Array.from(offsets)).map(({ end, next, kind }) => [
    clusters.slice(0, end).join(""),
    clusters.slice(next).join(""),
    kind,
  ]);
}

describe("a sentence's end before a space", () => {
  it.each([".", "!", "?", "…", "؟", "۔", "।", "॥"])("is %s", (mark) => {
    expect(breaksOf(`A${mark} B`)).toEqual([[`A${mark}`, "B", "sentence"]]);
  });

  it.each([",", ";", ":", "-", "a", "1", "、"])("is not %s", (mark) => {
    expect(breaksOf(`A${mark} B`).map(([, , kind]) => kind)).not.toContain("sentence");
  });

  it.each(['"', "'", "”", "’", "»", ")", "]", "}", "」", "』", "】", "）", "〉", "》"])(
    "may be followed by %s, one to four times",
    (mark) => {
      for (const times of [1, 2, 3, 4]) {
        const sentence = `A.${mark.repeat(times)}`;
        expect(breaksOf(`${sentence} B`)).toEqual([[sentence, "B", "sentence"]]);
      }
    },
  );

  it("is followed by at most four closing marks: five are not prose", () => {
    expect(breaksOf('A.”’"») B')).toEqual([['A.”’"»)', "B", "word"]]);
  });

  it("is not followed by an opening mark or a letter", () => {
    for (const mark of ["(", "“", "«", "x"]) {
      expect(breaksOf(`A.${mark} B`)).toEqual([[`A.${mark}`, "B", "word"]]);
    }
  });

  it("does not count before a small letter, as in “e.g. this”, whatever closing marks follow it", () => {
    expect(breaksOf("e.g. this")).toEqual([["e.g.", "this", "word"]]);
    expect(breaksOf("(e.g.) this")).toEqual([["(e.g.)", "this", "word"]]);
    expect(breaksOf("ы. ы")).toEqual([["ы.", "ы", "word"]]);
    expect(breaksOf("ы. Ы")).toEqual([["ы.", "Ы", "sentence"]]);
    expect(breaksOf("A. 1")).toEqual([["A.", "1", "sentence"]]);
  });

  it("may be any wide one, also before a small letter", () => {
    expect(breaksOf("語。 a")).toEqual([["語。", "a", "sentence"]]);
    expect(breaksOf("語！」 a")).toEqual([["語！」", "a", "sentence"]]);
  });
});

describe("without white space,", () => {
  it.each(["。", "！", "？", "｡"])("a sentence ends after %s", (mark) => {
    expect(breaksOf(`語${mark}語`)).toEqual([[`語${mark}`, "語", "sentence"]]);
  });

  it.each(["、", "，", "；", "："])("a text may be cut after %s", (mark) => {
    expect(breaksOf(`語${mark}語`)).toEqual([[`語${mark}`, "語", "word"]]);
  });

  it("a sentence ends after its closing marks, and after the last of several ends", () => {
    expect(breaksOf("「語。」語")).toEqual([["「語。」", "語", "sentence"]]);
    expect(breaksOf("語！？語")).toEqual([["語！？", "語", "sentence"]]);
    expect(breaksOf("語。、語")).toEqual([["語。、", "語", "word"]]);
  });

  it("no other place is a break", () => {
    expect(breaksOf("語語a.b,c!d")).toEqual([]);
  });
});

describe("white space", () => {
  it.each([
    ["a space", " ", "word"],
    ["several spaces", " \t ", "word"],
    ["a wide space", "\u3000", "word"],
    ["a line break", "\n", "sentence"],
    ["a line break of two characters", "\r\n", "sentence"],
    ["an old line break", "\r", "sentence"],
    ["a line separator", "\u2028", "sentence"],
    ["a paragraph separator", "\u2029", "paragraph"],
    ["a blank line", "\n\n", "paragraph"],
    ["a blank line with spaces", " \n \t\n ", "paragraph"],
    ["a blank line of two characters each", "\r\n\r\n", "paragraph"],
    ["a line break and a space that joins", "\u00a0\n", "sentence"],
  ] as const)("is a break with its kind: %s", (_, space, kind) => {
    expect(breaksOf(`a${space}B`)).toEqual([["a", "B", kind]]);
  });

  it.each(["\u00a0", "\u202f", "\ufeff", "\u00a0\u00a0"])("that joins words is no break (%j)", (space) => {
    expect(breaksOf(`A.${space}B`)).toEqual([]);
  });

  it("at the beginning is no break", () => {
    expect(breaksOf(" a b")).toEqual([[" a", "b", "word"]]);
  });

  it("at the end is no break, nor is an empty string", () => {
    expect(breaksOf("a b  ")).toEqual([["a", "b  ", "word"]]);
    expect(breaksOf("")).toEqual([]);
    expect(breaksOf(" ")).toEqual([]);
  });

  it("is distinguished from other characters", () => {
    expect([" ", "\n", "\r\n", "\u00a0", "\u3000"].every(isWhitespace)).toBe(true);
    expect(["", "a", " a", "a ", "\u200b"].some(isWhitespace)).toBe(false);
  });
});

it("all breaks of a text are found, in order", () => {
  expect(breaksOf("One, two. Three!\n\nFour")).toEqual([
    ["One,", "two. Three!\n\nFour", "word"],
    ["One, two.", "Three!\n\nFour", "sentence"],
    ["One, two. Three!", "Four", "paragraph"],
  ]);
});
