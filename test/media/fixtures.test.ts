import { fileTypeFromBuffer } from "file-type";
import { imageSize } from "image-size";
import { BufferSource, Input, MP4, QTFF } from "mediabunny";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { examineMedia } from "../../src/media/probe/examine.ts";
import type { MediaFacts } from "../../src/media/probe/facts.ts";
import { bytesReader } from "../../src/media/probe/reader.ts";
import { fixture, fixtureFacts, fixtureNames } from "./fixtures.ts";

async function factsOf(name: string): Promise<MediaFacts | null> {
  const examined = await examineMedia(bytesReader(fixture(name)));
  return "facts" in examined ? examined.facts : null;
}

const withEnding = (...endings: string[]): string[] =>
  fixtureNames.filter((name) => endings.some((ending) => name.endsWith(ending)));

it("the probe reads all facts of every encoder's file", async () => {
  expect(fixtureNames).toEqual(Object.keys(fixtureFacts).sort());
  for (const [name, facts] of Object.entries(fixtureFacts)) {
    const seconds = facts.duration_seconds;
    const bitrate = seconds === null ? undefined : Math.round((fixture(name).length * 8) / seconds);
    expect(await factsOf(name), name).toEqual({ ...facts, bitrate, has_location: false });
  }
});

describe("the probe and other readers", () => {
  /** Our types for those with another name in `file-type`. */
  const others: Readonly<Record<string, string>> = { "image/apng": "image/png", "video/x-matroska": "video/matroska" };

  it.each(fixtureNames)("agree about the type of %s", async (name) => {
    const mime = (await fileTypeFromBuffer(fixture(name)))?.mime ?? "";
    expect(others[mime] ?? mime).toBe((await factsOf(name))?.mime_type);
  });

  // One of them supports neither animated AVIF nor HEIC with several sizes, and ignores EXIF orientations.
  it.each(withEnding(".jpg", ".png", ".gif", ".webp", "still.avif"))("agree about the size of %s", async (name) => {
    const { width, height } = imageSize(fixture(name));
    const facts = await factsOf(name);
    expect((facts?.orientation ?? 1) >= 5 ? [facts?.height, facts?.width] : [facts?.width, facts?.height]).toEqual([
      width,
      height,
    ]);
  });

  // libvips 8.18 finds no EXIF after a PNG's pixels, nor in its texts; npm's does not read animated AVIF.
  const turnedForLibvips = withEnding(".jpg", ".png", ".webp", ".avif").filter(
    (name) => !/-at-end|-by-text|^animated/.test(name),
  );

  it.each(turnedForLibvips)("agree about the orientation of %s", async (name) => {
    const { autoOrient } = await sharp(fixture(name)).metadata();
    const { width, height } = autoOrient;
    expect(await factsOf(name)).toMatchObject({ width, height });
  });

  it.each(withEnding(".mp4", ".mov"))("agree about the video in %s", async (name) => {
    const facts = await factsOf(name);
    const input = new Input({ formats: [MP4, QTFF], source: new BufferSource(fixture(name)) });
    const video = await input.getPrimaryVideoTrack();
    const sound = await input.getPrimaryAudioTrack();
    expect(facts).toMatchObject({ width: await video?.getDisplayWidth(), height: await video?.getDisplayHeight() });
    expect(facts?.has_audio).toBe(sound !== null);
    expect(facts?.codec).toBe((await video?.getCodec())?.replace("avc", "h264"));
    const audioCodec = (await sound?.getCodec())?.replace(/^pcm-.*/, "pcm");
    expect(facts?.audio_codec).toBe(audioCodec);
    if (facts?.audio_channels !== undefined) expect(facts.audio_channels).toBe(await sound?.getNumberOfChannels());
    if (facts?.fps !== undefined && video !== null)
      expect(facts.fps).toBeCloseTo((await video.computePacketStats()).averagePacketRate, 1);
    if (facts?.duration_seconds == null) return;
    // In fragments the first frame may start later than zero.
    const begins = (await video?.getFirstTimestamp()) ?? 0;
    expect(facts.duration_seconds).toBeCloseTo((await input.computeDuration()) - begins, 1);
  });
});
