import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { examineMedia } from "../../../src/media/probe/examine.ts";
import { bytesReader } from "../../../src/media/probe/reader.ts";
import { fixture, fixtureNames } from "../fixtures.ts";
import { cleaned, located, locatedNames, tracesIn } from "../located.ts";

const examine = (bytes: Uint8Array) => examineMedia(bytesReader(bytes));

/** The names of Apple's keys stay; they have no values any more. */
const allowed: Readonly<Record<string, string[]>> = { "prores.mov": ["location."] };

describe.each(locatedNames)("of %s", (name) => {
  it("nothing says any more where it was made, and a second search finds nothing", async () => {
    const given = located(name);
    expect(tracesIn(given)).not.toEqual([]);
    const { bytes, left } = await cleaned(given);
    expect(left).toEqual([]);
    expect(tracesIn(bytes)).toEqual(allowed[name] ?? []);
    expect((await cleaned(bytes)).bytes).toBe(bytes);
  });

  it("all facts stay but that it says where it was made", async () => {
    const given = located(name);
    const before = await examine(given);
    const after = await examine((await cleaned(given)).bytes);
    expect(before).toMatchObject({ facts: { has_location: true } });
    if (!("facts" in before)) return;
    expect(after).toEqual({ facts: { ...before.facts, has_location: false } });
  });

  it("what says something else stays, and so does the length", async () => {
    const given = located(name);
    const { bytes } = await cleaned(given);
    expect(bytes.length).toBe(given.length);
    const words = ["Kept", "Camera", "x264", "Lavc"];
    const wordsIn = (file: Uint8Array) => words.filter((word) => Buffer.from(file).includes(word));
    expect(wordsIn(bytes)).toEqual(wordsIn(given));
  });

  it.skipIf(/heic|mp4|mov|mkv|webm/.test(name))("every pixel stays", async () => {
    const given = located(name);
    const { bytes } = await cleaned(given);
    const pixels = (file: Uint8Array) => sharp(file, { animated: true }).raw().toBuffer();
    expect((await pixels(bytes)).equals(await pixels(given))).toBe(true);
  });
});

it.each(fixtureNames)("%s, which does not say where it was made, is sent as it is", async (name) => {
  const given = fixture(name);
  const { bytes, left } = await cleaned(given);
  expect(bytes).toBe(given);
  expect(left).toEqual([]);
  expect(await examine(given)).toMatchObject({ facts: { has_location: false } });
});
