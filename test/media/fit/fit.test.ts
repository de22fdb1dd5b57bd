import { describe, expect, it } from "vitest";
import type { MeasuredMedia } from "../../../src/media/fit/faults.ts";
import { fileAfter, fitMedia, type MediaTools, noMediaTools } from "../../../src/media/fit/fit.ts";
import type { MediaRule } from "../../../src/networks/contract/limits.ts";
import { fileOf } from "./files.ts";

const all: MediaTools = { image: true, video: true };

/** Fitted into a network that takes these. */
function fitInto(item: MeasuredMedia, types: readonly MediaRule[], tools: MediaTools = all) {
  return fitMedia(item, { name: "Example", media: { max_items: 4, mixing: "any", types } }, tools);
}

function image(mime: string, bounds: Partial<MediaRule> = {}): MediaRule {
  return { type: "image", mime, max_bytes: 1_000_000, ...bounds };
}

function video(mime: string, bounds: Partial<MediaRule> = {}): MediaRule {
  return { type: "video", mime, max_bytes: 1_000_000, ...bounds };
}

const jpeg = image("image/jpeg");
/** Of a file that tells nothing. */
const nothing = { width: null, height: null, size_bytes: null };
const png = image("image/png");
const mp4 = video("video/mp4", { codecs: ["h264"], audio_codecs: ["aac"] });

describe("a picture", () => {
  it("goes out as it is where it is taken, with the same shape after as before", () => {
    const item = fileOf("image/jpeg");
    const fitted = fitInto(item, [jpeg]);
    expect(fitted).toEqual({ kind: "as_is" });
    const shape = { mime_type: "image/jpeg", width: 640, height: 640, size_bytes: 100_000 };
    expect(fileAfter(item, fitted)).toEqual(shape);
  });

  it("becomes a JPEG where its format is not taken", () => {
    const item = fileOf("image/heic", { width: 4_000, height: 3_000 });
    const fitted = fitInto(item, [jpeg, png]);
    expect(fitted).toEqual({
      kind: "change",
      action: "jpeg",
      change: { kind: "image", mime_type: "image/jpeg", width: 4_000, height: 3_000, max_bytes: 1_000_000 },
      reasons: ["Example does not take image/heic; it takes image/jpeg, image/png."],
    });
    expect(fileAfter(item, fitted)).toEqual({
      mime_type: "image/jpeg",
      width: 4_000,
      height: 3_000,
      size_bytes: 1_000_000,
    });
  });

  it.each([
    ["image/webp", true, [jpeg, png], "png", "image/png"],
    ["image/webp", true, [jpeg], "jpeg", "image/jpeg"],
    ["image/webp", false, [jpeg, png], "jpeg", "image/jpeg"],
    ["image/heic", undefined, [png], "png", "image/png"],
    ["image/avif", undefined, [image("image/webp")], "webp", "image/webp"],
  ])("%s with transparency %s becomes what is taken and shows it best", (mime, has_alpha, types, action, mime_type) => {
    const item = fileOf(mime, has_alpha === undefined ? {} : { has_alpha });
    expect(fitInto(item, types)).toMatchObject({ action, change: { mime_type } });
  });

  it.each<[string, Partial<MediaRule>, number, number]>([
    ["wide", { max_width: 1_440 }, 1_440, 1_080],
    ["high", { max_height: 1_000 }, 1_333, 1_000],
    ["large", { max_pixels: 1_000_000 }, 1_154, 866],
    ["wide for its shape", { max_width: 401, min_aspect: 4 / 3 }, 401, 300],
    ["high for its shape", { max_height: 301, max_aspect: 4 / 3 }, 401, 301],
  ])("is scaled down with its shape when it is too %s", (_, bounds, width, height) => {
    const item = fileOf("image/jpeg", { width: 4_000, height: 3_000 });
    expect(fitInto(item, [image("image/jpeg", bounds)])).toMatchObject({
      action: "downscale",
      change: { mime_type: "image/jpeg", width, height },
    });
  });

  it("keeps its format when only its pixels are too many, and its bytes decide otherwise", () => {
    const types = [image("image/jpeg", { max_width: 500 }), image("image/png", { max_width: 500 })];
    expect(fitInto(fileOf("image/png"), types)).toMatchObject({
      action: "downscale",
      change: { mime_type: "image/png" },
    });
    const heavy = fileOf("image/png", { size_bytes: 1_000_001 });
    expect(fitInto(heavy, types)).toMatchObject({ action: "downscale", change: { mime_type: "image/jpeg" } });
    expect(fitInto(heavy, [jpeg, png])).toMatchObject({ action: "recompress", change: { mime_type: "image/jpeg" } });
    const glass = fileOf("image/png", { size_bytes: 1_000_001, has_alpha: true });
    expect(fitInto(glass, [jpeg, png])).toMatchObject({ action: "recompress", change: { mime_type: "image/png" } });
  });

  it.each<[string, Partial<MeasuredMedia>, Partial<MediaRule>, string]>([
    [
      "of another shape",
      { width: 800, height: 1_600 },
      { min_aspect: 0.8, max_aspect: 1.91 },
      "The width divided by the height is 0.5; Example takes 0.8 to 1.91. Nothing is cropped: crop it yourself.",
    ],
    [
      "too small",
      { width: 100, height: 100 },
      { min_width: 320 },
      "The width in pixels is 100; Example takes at least 320. Nothing is enlarged: give a larger one.",
    ],
    [
      "of too few bytes",
      { size_bytes: 100 },
      { min_bytes: 10_240 },
      "The size in bytes is 100; Example takes 10240 to 1000000. Give a larger one.",
    ],
    [
      "too narrow once it is scaled down",
      { width: 200, height: 20_000 },
      { max_height: 2_000, min_width: 100 },
      "The height in pixels is 20000; Example takes at most 2000. Scale it down. " +
        "200 × 20000 pixels cannot be scaled down to a size that Example takes. " +
        "Nothing is cropped or enlarged: give one of another shape.",
    ],
  ])("is refused when it is %s, and the message says what to do", (_, facts, bounds, message) => {
    const fitted = fitInto(fileOf("image/jpeg", facts), [image("image/jpeg", bounds)]);
    expect(fitted).toMatchObject({ kind: "refuse", message });
    expect(fileAfter(fileOf("image/jpeg", facts), fitted)).toBeNull();
  });

  it("is refused when what it would become is not taken either", () => {
    const fitted = fitInto(fileOf("image/webp", { width: 100 }), [image("image/jpeg", { min_width: 320 })]);
    expect(fitted).toMatchObject({
      reasons: [
        "Example does not take image/webp; it takes image/jpeg. Give one of these.",
        "The width in pixels is 100; Example takes at least 320. Nothing is enlarged: give a larger one.",
      ],
    });
  });

  it("is refused where there are only videos", () => {
    const message = "Example does not take image/png; it takes video/mp4. Give one of these.";
    expect(fitInto(fileOf("image/png"), [mp4])).toMatchObject({ kind: "refuse", message });
  });

  it("is not changed when nobody knows its size, and not checked for it either", () => {
    expect(fitInto(fileOf("image/jpeg", nothing), [image("image/jpeg", { max_width: 1 })])).toEqual({
      kind: "as_is",
    });
    expect(fitInto(fileOf("image/heic", nothing), [jpeg])).toMatchObject({
      reasons: [
        "Example does not take image/heic; it takes image/jpeg. Give one of these.",
        "Its width and height cannot be read, so that it cannot be changed. Save or export it again.",
      ],
    });
  });
});

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

it("is left out where a network takes no files", () => {
  const message = "Example takes no files. Leave it out there.";
  expect(fitInto(fileOf("image/jpeg"), [])).toEqual({ kind: "refuse", reasons: [message], message });
});

it.each([
  ["image/png", [jpeg], "image", "npm install sharp", 'sharpTransformer()] from "postrider/media/sharp"'],
  ["video/webm", [mp4], "video", "install ffmpeg", 'ffmpegTransformer()] from "postrider/media/ffmpeg"'],
] as const)("without a tool for %s the refusal says which one it takes", (mime, types, kind, install, option) => {
  const item = fileOf(mime);
  const message = expect.stringMatching(/^Example does not take .* Give one of these. Or have it made to fit: /);
  const without = fitInto(item, types, { ...all, [kind]: false });
  expect(without).toMatchObject({ kind: "refuse", message });
  expect(without).toMatchObject({ message: expect.stringContaining(install) });
  expect(without).toMatchObject({ message: expect.stringContaining(`mediaTransformers: [${option}`) });
  expect(fitInto(item, types, { ...noMediaTools, [kind]: true })).toMatchObject({ kind: "change" });
});
