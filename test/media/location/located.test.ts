import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { examineMedia } from "../../../src/media/probe/examine.ts";
import { bytesReader } from "../../../src/media/probe/reader.ts";
import { fixture, fixtureNames } from "../fixtures.ts";
import { cleaned, located, locatedNames, tracesIn } from "../located.ts";

const examine = (bytes: Uint8Array) => examineMedia(bytesReader(bytes));

/** The names of Apple's keys stay, but without values. */
const allowed: Readonly<Record<string, string[]>> = { "prores.mov": ["location."] };

describe.each(locatedNames)("a cleaned copy of %s", (name) => {
  it("has no location, and a second search finds none", async () => {
    const given = located(name);
    expect(tracesIn(given)).not.toEqual([]);
    const { bytes, left } = await cleaned(given);
    expect(left).toEqual([]);
    expect(tracesIn(bytes)).toEqual(allowed[name] ?? []);
    expect((await cleaned(bytes)).bytes).toBe(bytes);
  });

  it("keeps all facts except that it has a location", async () => {
    const given = located(name);
    const before = await examine(given);
    const after = await examine((await cleaned(given)).bytes);
    expect(before).toMatchObject({ facts: { has_location: true } });
    if (!("facts" in before)) return;
    expect(after).toEqual({ facts: { ...before.facts, has_location: false } });
  });

  it("keeps other metadata and its length", async () => {
    const given = located(name);
    const { bytes } = await cleaned(given);
    expect(bytes.length).toBe(given.length);
    const words = ["Kept", "Camera", "x264", "Lavc"];
    const wordsIn = (file: Uint8Array) => words.filter((word) => Buffer.from(file).includes(word));
    expect(wordsIn(bytes)).toEqual(wordsIn(given));
  });

  it.skipIf(/heic|mp4|mov|mkv|webm/.test(name))("keeps every pixel", async () => {
    const given = located(name);
    const { bytes } = await cleaned(given);
    const pixels = (file: Uint8Array) => sharp(file, { animated: true }).raw().toBuffer();
    expect((await pixels(bytes)).equals(await pixels(given))).toBe(true);
  });
});

it.each(fixtureNames)("%s, which has no location, is sent unchanged", async (name) => {
  const given = fixture(name);
  const { bytes, left } = await cleaned(given);
  expect(bytes).toBe(given);
  expect(left).toEqual([]);
  expect(await examine(given)).toMatchObject({ facts: { has_location: false } });
});
