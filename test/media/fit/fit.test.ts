import { describe, expect, it } from "vitest";
import type { MeasuredMedia } from "../../../src/media/fit/faults.ts";
import { fileAfter, type MediaTools, toolsOf } from "../../../src/media/fit/fit.ts";
import type { MediaRule } from "../../../src/networks/contract/limits.ts";
import { all, fitInto, image, jpeg, mp4, nothing, png } from "./example.ts";
import { fileOf } from "./files.ts";

const nothingMade: MediaTools = { image: null, video: null };

describe("an image in automatic conversion", () => {
  it("goes out unchanged if it is accepted, with the same aspect ratio before and after", () => {
    const item = fileOf("image/jpeg");
    const fitted = fitInto(item, [jpeg]);
    expect(fitted).toEqual({ kind: "as_is" });
    const shape = { mime_type: "image/jpeg", width: 640, height: 640, size_bytes: 100_000 };
    expect(fileAfter(item, fitted)).toEqual(shape);
  });

  it.each(["image/png", "image/webp"])(
    "of type %s that EXIF rotates is made upright, in its format and size",
    (mime) => {
      const item = fileOf(mime, { orientation: 6, is_animated: false });
      expect(fitInto(item, [image(mime)])).toEqual({
        kind: "change",
        action: "recompress",
        change: { kind: "image", mime_type: mime, width: 640, height: 640, max_bytes: 1_000_000 },
        reasons: [`The EXIF data rotate the image, which some networks ignore in ${mime}.`],
      });
    },
  );

  it.each([
    [
      "the service converts no images",
      nothingMade,
      /Save it upright. This service does not convert images. .*npm install sharp/,
    ],
    ["its tools do not read it", { ...all, image: ["image/jpeg"] }, /Save it upright.$/],
  ])("that EXIF rotates goes out unchanged with a warning if %s", (_why, tools, warning) => {
    const item = fileOf("image/png", { orientation: 8, is_animated: false });
    expect(fitInto(item, [png], tools)).toEqual({ kind: "as_is", warnings: [expect.stringMatching(warning)] });
  });

  it.each<[string, Partial<MeasuredMedia>]>([
    ["image/jpeg", { orientation: 6 }],
    ["image/png", { orientation: 1, is_animated: false }],
    ["image/webp", { orientation: 6, is_animated: true }],
    ["image/avif", { orientation: 6 }],
  ])("goes out unchanged if all networks rotate it, or no converter can: %s %o", (mime, facts) => {
    expect(fitInto(fileOf(mime, facts), [image(mime)])).toEqual({ kind: "as_is" });
  });

  it("becomes a JPEG if its format is not accepted", () => {
    const item = fileOf("image/heic", { width: 4_000, height: 3_000 });
    const fitted = fitInto(item, [jpeg, png]);
    expect(fitted).toEqual({
      kind: "change",
      action: "jpeg",
      change: { kind: "image", mime_type: "image/jpeg", width: 4_000, height: 3_000, max_bytes: 1_000_000 },
      reasons: ["Example does not accept image/heic; it accepts image/jpeg, image/png."],
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
  ])(
    "of type %s with transparency %s becomes the accepted format that shows it best",
    (mime, has_alpha, types, action, mime_type) => {
      const item = fileOf(mime, has_alpha === undefined ? {} : { has_alpha });
      expect(fitInto(item, types)).toMatchObject({ action, change: { mime_type } });
    },
  );

  it.each<[string, Partial<MediaRule>, number, number]>([
    ["wide", { max_width: 1_440 }, 1_440, 1_080],
    ["high", { max_height: 1_000 }, 1_333, 1_000],
    ["long at its shorter side", { max_short_side: 1_080 }, 1_440, 1_080],
    ["large", { max_pixels: 1_000_000 }, 1_154, 866],
    ["wide at its aspect ratio", { max_width: 401, min_aspect: 4 / 3 }, 401, 300],
    ["high at its aspect ratio", { max_height: 301, max_aspect: 4 / 3 }, 401, 301],
  ])("is scaled down in proportion if it is too %s", (_, bounds, width, height) => {
    const item = fileOf("image/jpeg", { width: 4_000, height: 3_000 });
    expect(fitInto(item, [image("image/jpeg", bounds)])).toMatchObject({
      action: "downscale",
      change: { mime_type: "image/jpeg", width, height },
    });
  });

  it("keeps its format if only its pixels are too many, but may lose it for its bytes", () => {
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
      "of another aspect ratio",
      { width: 800, height: 1_600 },
      { min_aspect: 0.8, max_aspect: 1.91 },
      "The width divided by the height is 0.5; Example accepts 0.8 to 1.91. Files are never cropped: crop it yourself.",
    ],
    [
      "too small",
      { width: 100, height: 100 },
      { min_width: 320 },
      "The width in pixels is 100; Example accepts at least 320. Files are never enlarged: use a larger one.",
    ],
    [
      "of too few bytes",
      { size_bytes: 100 },
      { min_bytes: 10_240 },
      "The size in bytes is 100; Example accepts 10240 to 1000000. Use a larger file.",
    ],
    [
      "too narrow once it is scaled down",
      { width: 200, height: 20_000 },
      { max_height: 2_000, min_width: 100 },
      "The height in pixels is 20000; Example accepts at most 2000. Scale it down. " +
        "200 × 20000 pixels cannot be scaled down to a size that Example accepts. " +
        "Files are never cropped or enlarged: use one with a different aspect ratio.",
    ],
  ])("is rejected if it is %s, and the message explains what to do", (_, facts, bounds, message) => {
    const fitted = fitInto(fileOf("image/jpeg", facts), [image("image/jpeg", bounds)]);
    expect(fitted).toMatchObject({ kind: "refuse", message });
    expect(fileAfter(fileOf("image/jpeg", facts), fitted)).toBeNull();
  });

  it("is rejected if its converted form is not accepted either", () => {
    const fitted = fitInto(fileOf("image/webp", { width: 100 }), [image("image/jpeg", { min_width: 320 })]);
    expect(fitted).toMatchObject({
      reasons: [
        "Example does not accept image/webp; it accepts image/jpeg. Use one of these.",
        "The width in pixels is 100; Example accepts at least 320. Files are never enlarged: use a larger one.",
      ],
    });
  });

  it("is rejected if only videos are accepted", () => {
    const message = "Example does not accept image/png; it accepts video/mp4. Use one of these.";
    expect(fitInto(fileOf("image/png"), [mp4])).toMatchObject({ kind: "refuse", message });
  });

  it("with unknown dimensions is neither changed nor checked for them", () => {
    expect(fitInto(fileOf("image/jpeg", nothing), [image("image/jpeg", { max_width: 1 })])).toEqual({
      kind: "as_is",
    });
    expect(fitInto(fileOf("image/heic", nothing), [jpeg])).toMatchObject({
      reasons: [
        "Example does not accept image/heic; it accepts image/jpeg. Use one of these.",
        "Its width and height cannot be read, so it cannot be converted. Save or export it again.",
      ],
    });
  });
});

it("a file is left out on a network that accepts none", () => {
  const message = "Example accepts no files. Leave it out there.";
  expect(fitInto(fileOf("image/jpeg"), [])).toEqual({ kind: "refuse", reasons: [message], message });
});

it.each([
  ["image/png", [jpeg], "image", "npm install sharp", "sharpTransformer()]"],
  ["video/webm", [mp4], "video", "install ffmpeg", "ffmpegTransformer()]"],
] as const)("without a tool for %s the refusal names the right one", (mime, types, kind, install, option) => {
  const item = fileOf(mime);
  const message = expect.stringMatching(/^Example does not accept .* Use one of these. This service does not convert /);
  const without = fitInto(item, types, { ...all, [kind]: null });
  expect(without).toMatchObject({ kind: "refuse", message });
  expect(without).toMatchObject({ message: expect.stringContaining(install) });
  expect(without).toMatchObject({ message: expect.stringContaining(`mediaTransformers: [${option}`) });
  expect(fitInto(item, types, { ...toolsOf(), [kind]: all[kind] })).toMatchObject({ kind: "change" });
});

it.each([
  [["image/jpeg", "image/png"], "Files that are one of image/jpeg, image/png are converted automatically."],
  [["image/avif"], "Files that are image/avif are converted automatically."],
])("a format that the tools %j cannot read is rejected with the formats that they can", (image, advice) => {
  expect(fitInto(fileOf("image/heic"), [jpeg], { ...all, image })).toMatchObject({
    kind: "refuse",
    message: expect.stringMatching(new RegExp(`This service does not convert image/heic. ${advice}$`)),
  });
});
