import { execFileSync, spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { MediaFacts } from "../../src/media/probe/facts.ts";
import { probeMedia } from "../../src/media/probe/probe.ts";
import { bytesReader } from "../../src/media/probe/reader.ts";
import { fixture, fixtureNames, fixturePath } from "../media/fixtures.ts";

/** Compares ffprobe's facts with those of our own reader. */
const hasFfprobe = spawnSync("ffprobe", ["-version"]).status === 0;

const streamSchema = z.object({
  codec_type: z.string(),
  codec_name: z.string(),
  width: z.number().optional(),
  height: z.number().optional(),
  avg_frame_rate: z.string(),
  channels: z.number().optional(),
  sample_rate: z.string().optional(),
  pix_fmt: z.string().optional(),
  profile: z.string().optional(),
  nb_read_packets: z.string().optional(),
  side_data_list: z.array(z.object({ rotation: z.number().optional() })).optional(),
});
const probedSchema = z.object({
  streams: z.array(streamSchema),
  format: z.object({ duration: z.string().optional(), bit_rate: z.string().optional() }),
});

type Stream = z.infer<typeof streamSchema>;

function ffprobe(name: string): { video: Stream; sound: Stream | undefined; seconds: number; bitrate: number } {
  const given = ["-v", "error", "-of", "json", "-count_packets", "-show_streams", "-show_format", fixturePath(name)];
  const { streams, format } = probedSchema.parse(JSON.parse(execFileSync("ffprobe", given, { encoding: "utf8" })));
  const video = streams.find(({ codec_type }) => codec_type === "video");
  if (video === undefined) throw new Error(`${name} has no picture.`);
  const sound = streams.find(({ codec_type }) => codec_type === "audio");
  return { video, sound, seconds: Number(format.duration), bitrate: Number(format.bit_rate) };
}

function rateOf({ avg_frame_rate }: Stream): number {
  const [frames = 0, seconds = 0] = avg_frame_rate.split("/").map(Number);
  return frames / seconds;
}

/** ffprobe's names of profiles, where they differ from ours. */
const profiles: Readonly<Record<string, string>> = {
  "Constrained Baseline": "baseline",
  "High 4:4:4 Predictive": "high-4:4:4",
  Rext: "range-extensions",
};

/** ffprobe's profile in our terms; undefined where our reader gives none, as for WebM and ProRes. */
function named(facts: MediaFacts | null, { profile = "", codec_name }: Stream): string | undefined {
  if (facts?.mime_type === "video/webm" && codec_name !== "av1") return undefined;
  if (codec_name === "prores") return undefined;
  return profiles[profile] ?? profile.replace("Profile ", "").toLowerCase().replaceAll(" ", "-");
}

/** The name of a pixel format gives the chroma subsampling and the bit depth. */
function formatOf({ pix_fmt = "" }: Stream): [chroma: string, bitDepth: number] {
  const [, chroma, bits] = /^yuvj?(4\d\d)p(\d\d)?/.exec(pix_fmt) ?? [];
  return [(chroma ?? "").split("").join(":"), Number(bits ?? 8)];
}

const factsOf = (name: string): ReturnType<typeof probeMedia> => probeMedia(bytesReader(fixture(name)));

/** Debian's build does not read HEIC. */
const pictures = fixtureNames.filter((name) => /\.(jpg|png|gif|webp|avif)$/.test(name));
const videos = fixtureNames.filter((name) => /\.(mp4|mov|webm|mkv)$/.test(name));

describe.skipIf(!hasFfprobe)(`ffprobe${hasFfprobe ? "" : " (skipped: apt-get install ffmpeg)"}`, () => {
  it.each(pictures)("agrees about %s", async (name) => {
    const facts = await factsOf(name);
    const { width, height, pix_fmt = "", nb_read_packets } = ffprobe(name).video;
    // Of an animated WebP it reads nothing.
    const shown = (facts?.orientation ?? 1) >= 5 ? { width: height, height: width } : { width, height };
    if (name !== "animated.webp") expect(facts).toMatchObject(shown);
    if (/\.png$/.test(name)) expect(facts?.has_alpha).toBe(/a/.test(pix_fmt));
    if (/\.(gif|png)$/.test(name)) expect(facts?.frames).toBe(Number(nb_read_packets));
  });

  it.each(videos)("agrees about %s", async (name) => {
    const facts = await factsOf(name);
    const { video, sound, seconds, bitrate } = ffprobe(name);
    const turn = video.side_data_list?.find(({ rotation }) => rotation !== undefined)?.rotation ?? 0;
    const [width, height] = turn % 180 === 0 ? [video.width, video.height] : [video.height, video.width];
    expect(facts).toMatchObject({ width, height, codec: video.codec_name, has_audio: sound !== undefined });
    // Degrees counterclockwise, as in EXIF.
    expect(facts?.orientation).toBe({ 0: 1, 90: 8, 180: 3, [-180]: 3, [-90]: 6 }[turn]);
    expect(facts?.audio_codec).toBe(sound?.codec_name.replace(/^pcm_.*/, "pcm"));
    if (facts?.audio_channels !== undefined) expect(facts.audio_channels).toBe(sound?.channels);
    expect(facts?.audio_sample_rate).toBe(sound === undefined ? undefined : Number(sound.sample_rate));
    expect(facts?.profile).toBe(named(facts, video));
    // Grey is decoded into colours.
    if (facts?.profile !== undefined && facts.chroma !== "4:0:0")
      expect([facts.chroma, facts.bit_depth]).toEqual(formatOf(video));
    if (facts?.fps !== undefined) expect(facts.fps).toBeCloseTo(rateOf(video), 2);
    // There it counts from zero, and the first frame comes later.
    if (facts?.duration_seconds == null || name === "fragmented.mp4") return;
    expect(facts.duration_seconds).toBeCloseTo(seconds, 2);
    expect((facts.bitrate ?? 0) / bitrate).toBeCloseTo(1, 2);
  });
});
