import { expect, it } from "vitest";
import { isPlayable } from "../../../src/sandbox/parts/uploads.ts";
import { fixture } from "../../media/fixtures.ts";

it.each([
  ["index-first.mp4", true],
  ["h264-baseline.mp4", true],
  ["hevc.mp4", true],
  ["vp9.webm", true],
  ["h264-444.mp4", false],
  ["h264-10bit.mov", false],
  ["h264-lossless.mp4", false],
])("players show %s: %s", (name, isShown) => {
  expect(isPlayable(fixture(name))).toBe(isShown);
});
