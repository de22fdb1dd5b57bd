import { describe, expect, it } from "vitest";
import type { MeasuredMedia } from "../../../src/media/fit/faults.ts";
import type { MediaRule } from "../../../src/networks/contract/limits.ts";
import { fitInto, jpeg, mp4, nothing, video } from "./example.ts";
import { fileOf } from "./files.ts";

describe("an animation", () => {
  const still = "An animation is never made a still picture: give a still picture.";

  it.each([
    ["image/gif", {}],
    ["image/gif", { is_animated: true }],
    ["image/webp", { is_animated: true }],
    ["image/png", { is_animated: true }],
  ])("as %s (%j) is never made a still picture", (mime, { is_animated }: Partial<MeasuredMedia>) => {
    const { is_animated: _, frames: __, ...unknown } = fileOf(mime);
    const item = is_animated === undefined ? unknown : { ...unknown, is_animated };
    const message = `Example does not take ${mime}; it takes image/jpeg. ${still}`;
    expect(fitInto(item, [jpeg])).toMatchObject({ kind: "refuse", message });
  });

  it("is better a video where there are some", () => {
    expect(fitInto(fileOf("image/gif"), [jpeg, mp4])).toMatchObject({
      message: expect.stringContaining("never made a still picture: give it as a video (video/mp4)."),
    });
  });

  it("is not made smaller either", () => {
    const gif: MediaRule = { type: "gif", mime: "image/gif", max_bytes: 50_000, max_frames: 3 };
    expect(fitInto(fileOf("image/gif"), [gif, jpeg])).toMatchObject({
      reasons: [
        "The size in bytes is 100000; Example takes at most 50000. Make it smaller.",
        "The number of frames is 4; Example takes at most 3. Give fewer.",
      ],
    });
  });

  it("with one picture is a still one", () => {
    expect(fitInto(fileOf("image/gif", { is_animated: false }), [jpeg])).toMatchObject({ action: "jpeg" });
    const { is_animated: _, ...unknown } = fileOf("image/gif", { frames: 1 });
    expect(fitInto(unknown, [jpeg])).toMatchObject({ action: "jpeg" });
  });
});

describe("a video", () => {
  it.each<[string, string, Partial<MeasuredMedia>, Partial<MediaRule>]>([
    ["container", "video/webm", {}, {}],
    ["codec", "video/mp4", { codec: "hevc" }, {}],
    ["sound", "video/mp4", { audio_codec: "opus" }, {}],
    ["frame rate", "video/mp4", { fps: 120 }, { max_fps: 60 }],
    ["bitrate", "video/mp4", { bitrate: 9_000_000 }, { max_bitrate: 8_000_000 }],
    ["size", "video/mp4", { size_bytes: 2_000_000 }, {}],
    ["width", "video/mp4", {}, { max_width: 320 }],
  ])("of another %s is encoded again", (_, mime, facts, bounds) => {
    const fitted = fitInto(fileOf(mime, facts), [{ ...mp4, ...bounds }]);
    const { max_fps = null, max_bitrate = null } = bounds;
    expect(fitted).toMatchObject({
      action: "transcode",
      change: { kind: "video", mime_type: "video/mp4", max_bytes: 1_000_000, max_fps, max_bitrate },
    });
  });

  it("gets even sides, and keeps its shape as far as they allow", () => {
    const item = fileOf("video/webm", { width: 1_921, height: 1_081 });
    expect(fitInto(item, [mp4])).toMatchObject({ change: { width: 1_920, height: 1_080 } });
    expect(fitInto(item, [{ ...mp4, max_width: 1_281 }])).toMatchObject({ change: { width: 1_280, height: 720 } });
  });

  it.each<[string, Partial<MeasuredMedia>, Partial<MediaRule>, string]>([
    ["long", { duration_seconds: 700 }, { max_seconds: 600 }, "is 700; Example takes at most 600. Cut it yourself."],
    ["short", { duration_seconds: 1 }, { min_seconds: 3 }, "is 1; Example takes at least 3. Give a longer one."],
    ["slow", { fps: 10 }, { min_fps: 23 }, "is 10; Example takes at least 23. Export it with more."],
  ])("is refused when it is too %s, however it is encoded", (_, facts, bounds, message) => {
    for (const codec of ["h264", "prores"]) {
      const fitted = fitInto(fileOf("video/mp4", { ...facts, codec }), [{ ...mp4, ...bounds }]);
      expect(fitted).toMatchObject({ kind: "refuse", message: expect.stringContaining(message) });
    }
  });

  it("is not checked for what its file does not say", () => {
    const item: MeasuredMedia = { type: "video", mime_type: "video/mp4", ...nothing, duration_seconds: null };
    const bounds = { min_bytes: 9, min_width: 9, min_height: 9, min_aspect: 9, min_seconds: 9, min_fps: 9 };
    const zero = { max_bytes: 0, max_pixels: 0, max_bitrate: 0, max_frames: 0 };
    expect(fitInto(item, [{ ...mp4, ...bounds }])).toEqual({ kind: "as_is" });
    expect(fitInto(item, [{ ...mp4, ...zero }])).toEqual({ kind: "as_is" });
  });

  it("is refused where H.264 in MP4 is not taken", () => {
    const types = [video("video/mp4", { codecs: ["av1"] }), video("video/webm", { codecs: ["vp9"] })];
    expect(fitInto(fileOf("video/mp4"), types)).toMatchObject({
      message: "The picture is encoded as h264; Example takes av1. Export it as av1.",
    });
  });
});
