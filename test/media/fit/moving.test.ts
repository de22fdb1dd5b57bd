import { describe, expect, it } from "vitest";
import type { MeasuredMedia } from "../../../src/media/fit/faults.ts";
import { toolsOf } from "../../../src/media/fit/fit.ts";
import type { MediaRule } from "../../../src/networks/contract/limits.ts";
import { fitInto, jpeg, mp4, nothing, video } from "./example.ts";
import { fileOf } from "./files.ts";

describe("an animation", () => {
  const still = "An animation is never converted to a still image: use a still image.";

  it.each([
    ["image/gif", {}],
    ["image/gif", { is_animated: true }],
    ["image/webp", { is_animated: true }],
    ["image/png", { is_animated: true }],
  ])("in %s (%j) is never converted to a still image", (mime, { is_animated }: Partial<MeasuredMedia>) => {
    const { is_animated: _, frames: __, ...unknown } = fileOf(mime);
    const item = is_animated === undefined ? unknown : { ...unknown, is_animated };
    const message = `Example does not accept ${mime}; it accepts image/jpeg. ${still}`;
    expect(fitInto(item, [jpeg])).toMatchObject({ kind: "refuse", message });
  });

  it("is preferably a video if the network accepts videos", () => {
    expect(fitInto(fileOf("image/gif"), [jpeg, mp4])).toMatchObject({
      message: expect.stringContaining("never converted to a still image: use a video (video/mp4)."),
    });
  });

  it("is not made smaller either", () => {
    const gif: MediaRule = { type: "gif", mime: "image/gif", max_bytes: 50_000, max_frames: 3 };
    expect(fitInto(fileOf("image/gif"), [gif, jpeg])).toMatchObject({
      reasons: [
        "The size in bytes is 100000; Example accepts at most 50000. Make it smaller.",
        "The number of frames is 4; Example accepts at most 3. Use fewer.",
      ],
    });
  });

  it("with one frame is a still image", () => {
    expect(fitInto(fileOf("image/gif", { is_animated: false }), [jpeg])).toMatchObject({ action: "jpeg" });
    const { is_animated: _, ...unknown } = fileOf("image/gif", { frames: 1 });
    expect(fitInto(unknown, [jpeg])).toMatchObject({ action: "jpeg" });
  });
});

describe("a video in automatic conversion", () => {
  it.each<[string, string, Partial<MeasuredMedia>, Partial<MediaRule>]>([
    ["container", "video/webm", {}, {}],
    ["codec", "video/mp4", { codec: "hevc" }, {}],
    ["frame rate", "video/mp4", { fps: 120 }, { max_fps: 60 }],
    ["bitrate", "video/mp4", { bitrate: 9_000_000 }, { max_bitrate: 8_000_000 }],
    ["size", "video/mp4", { size_bytes: 2_000_000 }, {}],
    ["width", "video/mp4", {}, { max_width: 320 }],
  ])("with another %s is encoded again", (_, mime, facts, bounds) => {
    const fitted = fitInto(fileOf(mime, facts), [{ ...mp4, ...bounds }]);
    const { max_fps = null, max_bitrate = null } = bounds;
    expect(fitted).toMatchObject({
      action: "transcode",
      change: { kind: "video", mime_type: "video/mp4", max_bytes: 1_000_000, max_fps, max_bitrate },
    });
  });

  it.each<[string, string, Partial<MeasuredMedia>, Partial<MediaRule>, "copy" | "encode"]>([
    ["container", "video/quicktime", {}, {}, "copy"],
    ["container, and HEVC", "video/quicktime", { codec: "hevc" }, { codecs: ["h264", "hevc"] }, "copy"],
    ["container without sound", "video/matroska", { has_audio: false }, {}, "copy"],
    ["container and sound", "video/quicktime", { audio_codec: "pcm" }, {}, "encode"],
    [
      "container and sound accepted there",
      "video/webm",
      { codec: "h264" },
      { audio_codecs: ["aac", "opus"] },
      "encode",
    ],
    ["sound", "video/mp4", { audio_codec: "opus" }, {}, "encode"],
    ["number of channels", "video/mp4", { audio_channels: 6 }, { max_audio_channels: 2 }, "encode"],
    ["sample rate", "video/mp4", { audio_sample_rate: 96_000 }, { max_audio_sample_rate: 48_000 }, "encode"],
    ["order", "video/mp4", { is_index_first: false }, { index_first: true }, "copy"],
    [
      "order, and AV1",
      "video/mp4",
      { is_index_first: false, codec: "av1" },
      { index_first: true, codecs: ["av1", "h264"] },
      "copy",
    ],
  ])("with another %s keeps its video stream", (_, mime, facts, bounds, sound) => {
    const fitted = fitInto(fileOf(mime, facts), [{ ...mp4, ...bounds }]);
    expect(fitted).toMatchObject({ action: "remux", change: { width: 640, height: 640, remux: { sound } } });
  });

  it.each<[string, string, Partial<MeasuredMedia>]>([
    ["are too large", "video/mp4", { width: 2_000, height: 2_000 }],
    ["have odd sides", "video/mp4", { width: 639 }],
    ["are HEVC from Matroska", "video/matroska", { codec: "hevc" }],
    ["have a codec that may have no name in MP4", "video/matroska", { codec: "av1" }],
    ["have another profile", "video/quicktime", { profile: "high-10" }],
    ["have another chroma", "video/mp4", { chroma: "4:2:2" }],
    ["are too many per second", "video/mp4", { fps: 120 }],
    ["are too many bytes", "video/mp4", { size_bytes: 2_000_000 }],
  ])("is encoded again, whatever else it lacks, if its images %s", (_, mime, facts) => {
    const bounds = { index_first: true, max_width: 1_000, max_fps: 60, profiles: { h264: ["high"] } };
    const rule: MediaRule = { ...mp4, codecs: ["h264", "hevc", "av1"], chromas: ["4:2:0"], ...bounds };
    const fitted = fitInto(fileOf(mime, { is_index_first: false, ...facts }), [rule]);
    expect(fitted).toMatchObject({ action: "transcode", change: { kind: "video" } });
    expect(fitted).not.toHaveProperty("change.remux");
  });

  it("that lacks only a recommended property goes out unchanged with a warning if it cannot be converted", () => {
    const rule: MediaRule = { ...mp4, index_first: true, max_audio_channels: 2, advised: ["index_first"] };
    const late = fileOf("video/mp4", { is_index_first: false });
    expect(fitInto(late, [rule], toolsOf())).toEqual({
      kind: "as_is",
      warnings: [
        "The index (moov) is at the end of the file; Example recommends it at the start. Export it for the web (fast start).",
        expect.stringContaining("install ffmpeg"),
      ],
    });
    const loud = { ...late, audio_channels: 6 };
    const message = expect.stringMatching(
      /^The number of audio channels is 6; Example accepts at most 2. Export it with stereo sound. This service does not convert videos/,
    );
    expect(fitInto(loud, [rule], toolsOf())).toMatchObject({ kind: "refuse", message });
    expect(fitInto(loud, [rule])).toMatchObject({ action: "remux", reasons: [expect.anything(), expect.anything()] });
  });

  it("is described in the message if players do not show its images", () => {
    const rule: MediaRule = { ...mp4, profiles: { h264: ["main", "high"] }, chromas: ["4:2:0"] };
    const studio = fileOf("video/mp4", { profile: "high-4:4:4", chroma: "4:4:4" });
    const advice = "Export it with 8 bit and 4:2:0 (yuv420p).";
    expect(fitInto(studio, [rule], toolsOf())).toMatchObject({
      message: expect.stringContaining(
        `The video is encoded as h264 (high-4:4:4, 4:4:4, 8 bit); Example accepts main, high. ${advice}`,
      ),
    });
    const grey = fileOf("video/mp4", { chroma: "4:0:0" });
    expect(fitInto(grey, [rule], toolsOf())).toMatchObject({
      message: expect.stringContaining(`(high, 4:0:0, 8 bit); Example accepts 4:2:0. ${advice}`),
    });
    // Every profile of a codec that the rule does not name is accepted.
    const other = fileOf("video/mp4", { codec: "vvc", profile: "any" });
    expect(fitInto(other, [{ ...rule, codecs: ["vvc"] }], toolsOf())).toEqual({ kind: "as_is" });
  });

  it("gets even sides, and keeps its aspect ratio as far as they allow", () => {
    const item = fileOf("video/webm", { width: 1_921, height: 1_081 });
    expect(fitInto(item, [mp4])).toMatchObject({ change: { width: 1_920, height: 1_080 } });
    expect(fitInto(item, [{ ...mp4, max_width: 1_281 }])).toMatchObject({ change: { width: 1_280, height: 720 } });
  });

  it.each<[string, Partial<MeasuredMedia>, Partial<MediaRule>, string]>([
    ["long", { duration_seconds: 700 }, { max_seconds: 600 }, "is 700; Example accepts at most 600. Cut it yourself."],
    ["short", { duration_seconds: 1 }, { min_seconds: 3 }, "is 1; Example accepts at least 3. Use a longer one."],
  ])("is rejected if it is too %s, however it is encoded", (_, facts, bounds, message) => {
    for (const codec of ["h264", "prores"]) {
      const fitted = fitInto(fileOf("video/mp4", { ...facts, codec }), [{ ...mp4, ...bounds }]);
      expect(fitted).toMatchObject({ kind: "refuse", message: expect.stringContaining(message) });
    }
  });

  it.each([
    ["usual", 3.333, { min_fps: 23, max_fps: 60 }, 30],
    ["usual", 3.333, { min_fps: 23 }, 30],
    ["fewest", 3.333, { min_fps: 50, max_fps: 60 }, 50],
    ["most", 3.333, { min_fps: 23, max_fps: 25 }, 25],
    ["its own", 22.6, { min_fps: 23, max_fps: 60 }, undefined],
  ])("with too low a frame rate gets the %s rate", (_, fps, bounds, expected) => {
    const fitted = fitInto(fileOf("video/mp4", { fps }), [{ ...mp4, max_width: 320, ...bounds }]);
    expect(fitted.kind === "change" && fitted.change.kind === "video" && fitted.change.fps).toBe(expected);
    const slow = fitInto(fileOf("video/mp4", { fps }), [{ ...mp4, ...bounds }], toolsOf());
    expect(slow.kind).toBe(expected === undefined ? "as_is" : "refuse");
  });

  it("is not checked for facts that its file does not have", () => {
    const item: MeasuredMedia = { type: "video", mime_type: "video/mp4", ...nothing, duration_seconds: null };
    const bounds = { min_bytes: 9, min_width: 9, min_height: 9, min_aspect: 9, min_seconds: 9, min_fps: 9 };
    const zero = { max_bytes: 0, max_pixels: 0, max_bitrate: 0, max_frames: 0 };
    expect(fitInto(item, [{ ...mp4, ...bounds }])).toEqual({ kind: "as_is" });
    expect(fitInto(item, [{ ...mp4, ...zero }])).toEqual({ kind: "as_is" });
  });

  it("is rejected if H.264 in MP4 is not accepted", () => {
    const types = [video("video/mp4", { codecs: ["av1"] }), video("video/webm", { codecs: ["vp9"] })];
    expect(fitInto(fileOf("video/mp4"), types)).toMatchObject({
      message: "The video is encoded as h264; Example accepts av1. Export it as av1.",
    });
  });
});
