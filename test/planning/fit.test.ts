import { expect, it } from "vitest";
import type { MediaRule } from "../../src/networks/contract/limits.ts";
import { fixture } from "../media/fixtures.ts";
import { createToy, type Toy } from "../support/toy.ts";

const rules: MediaRule[] = [
  { type: "video", mime: "video/mp4", max_bytes: 1_000_000 },
  { type: "video", mime: "video/quicktime", max_bytes: 1_000_000 },
  { type: "video", mime: "video/webm", max_bytes: 1_000_000 },
  { type: "gif", mime: "image/gif", max_bytes: 1_000_000 },
];

async function toyWith(rule: Partial<MediaRule>): Promise<Toy> {
  const types = rules.map((each) => ({ ...each, ...rule }));
  return createToy({}, { spec: { media: { max_items: 4, mixing: "any", types } } });
}

/** The problems of a post with these files, as `field: message`. */
async function problemsOf(toy: Toy, files: readonly [name: string, bytes: Uint8Array][]): Promise<string[]> {
  const media = files.map(([name, bytes]) => toy.sandbox.media.put(name, bytes));
  const body = { profile_ids: [toy.profileId], text: "Hello", media };
  const { targets } = await toy.clock.run(() => toy.social.posts.validate(body));
  return targets.flatMap(({ issues }) => issues.map(({ field, message }) => `${field}: ${message}`));
}

/** The advice for the developer of a service without video conversion. */
const hint =
  'This service does not convert videos. [For the developer: To have them converted: install ffmpeg, import { ffmpegTransformer } from "postrider/media/ffmpeg", and set mediaTransformers: [ffmpegTransformer()].]';

it.each<[file: string, Partial<MediaRule>, problem: string]>([
  ["vp9.webm", { codecs: ["h264"] }, `The video is encoded as vp9; Example accepts h264. Export it as h264. ${hint}`],
  [
    "hevc.mp4",
    { codecs: ["h264", "av1"] },
    `The video is encoded as hevc; Example accepts h264 or av1. Export it as h264 or av1. ${hint}`,
  ],
  [
    "vp9.webm",
    { audio_codecs: ["aac"] },
    `The audio is encoded as opus; Example accepts aac. Export it as aac. ${hint}`,
  ],
  [
    "hevc.mp4",
    { max_fps: 29 },
    `The frame rate in frames per second is 30; Example accepts at most 29. Export it with a lower frame rate. ${hint}`,
  ],
  [
    "silent.mp4",
    { min_fps: 26 },
    `The frame rate in frames per second is 25; Example accepts at least 26. Export it with a higher frame rate. ${hint}`,
  ],
  [
    "silent.mp4",
    { min_fps: 30, max_fps: 60 },
    `The frame rate in frames per second is 25; Example accepts 30 to 60. Export it with a higher frame rate. ${hint}`,
  ],
  [
    "silent.mp4",
    { max_bitrate: 55_139 },
    `The bitrate in bits per second is 55140; Example accepts at most 55139. Export it with a lower one. ${hint}`,
  ],
  [
    "h264-10bit.mov",
    { profiles: { h264: ["high"] } },
    `The video is encoded as h264 (high-10, 4:2:0, 10 bit); Example accepts high. Export it with 8 bit and 4:2:0 (yuv420p). ${hint}`,
  ],
  [
    "surround.mp4",
    { max_audio_channels: 2 },
    `The number of audio channels is 6; Example accepts at most 2. Export it with stereo sound. ${hint}`,
  ],
  [
    "index-last.mp4",
    { index_first: true },
    `The index (moov) is at the end of the file; Example accepts it at the start. Export it for the web (fast start). ${hint}`,
  ],
  ["animated.gif", { max_frames: 3 }, "The number of frames is 4; Example accepts at most 3. Use fewer."],
])("%s does not fit %j", async (name, rule, problem) => {
  expect(await problemsOf(await toyWith(rule), [[name, fixture(name)]])).toEqual([`media[0]: ${problem}`]);
});

it.each<[file: string, Partial<MediaRule>]>([
  ["vp9.webm", { codecs: ["h264", "vp9"], audio_codecs: ["opus"] }],
  // There is no sound to encode.
  ["silent.mp4", { codecs: ["h264"], audio_codecs: ["aac"] }],
  // Networks treat 29.97 as 30.
  ["hevc.mp4", { min_fps: 30, max_fps: 30 }],
  ["silent.mp4", { max_bitrate: 55_140 }],
  // All frames count: the first 140 of them have ten per second.
  ["variable-rate.mp4", { min_fps: 23, max_fps: 23 }],
  ["animated.gif", { max_frames: 4 }],
  // Properties that the file does not announce are not checked.
  ["vp9.webm", { profiles: { vp9: ["0"] }, chromas: ["4:4:4"] }],
])("%s fits %j", async (name, rule) => {
  expect(await problemsOf(await toyWith(rule), [[name, fixture(name)]])).toEqual([]);
});

it("networks.list() shows a network's media rules", async () => {
  const inside: Partial<MediaRule> = {
    profiles: { h264: ["high"] },
    chromas: ["4:2:0"],
    max_audio_channels: 2,
    max_audio_sample_rate: 48_000,
    index_first: true,
    advised: ["index_first"],
  };
  const rule = {
    codecs: ["h264"],
    audio_codecs: ["aac"],
    min_fps: 23,
    max_fps: 60,
    max_bitrate: 9,
    max_frames: 7,
    ...inside,
  };
  const { social } = await toyWith(rule);
  expect(social.networks.list()[0]?.media.types[0]).toMatchObject(rule);
});

it("the error names the file that does not fit", async () => {
  const toy = await toyWith({});
  const video = fixture("silent.mp4");
  const problems = await problemsOf(toy, [
    ["one.mp4", video],
    ["two.mp4", fixture("av1.mp4")],
    ["three.mp4", video.subarray(0, 2_000)],
    ["four.mp4", new TextEncoder().encode("<!doctype html><title>Log in</title>")],
  ]);
  expect(problems).toEqual([
    "media[2]: media.sandbox.example/three.mp4 is truncated; save or export it again and use the whole file",
    "media[3]: media.sandbox.example/four.mp4 is a web page (HTML), not a supported image or video, whatever its file name; use a JPEG, PNG, GIF, WebP, AVIF, HEIC, MP4, MOV or WebM file",
  ]);
});
