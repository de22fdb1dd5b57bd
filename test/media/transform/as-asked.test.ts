import { expect, it } from "vitest";
import { isVideoAsAsked } from "../../../src/media/transform/as-asked.ts";
import type { VideoChange } from "../../../src/media/transform/transformer.ts";
import { fixture } from "../fixtures.ts";
import { factsOf } from "./source.ts";

const change: VideoChange = {
  kind: "video",
  mime_type: "video/mp4",
  width: 64,
  height: 48,
  max_fps: 30,
  max_bitrate: null,
  max_bytes: 1_000_000,
};
const first = { is_index_first: true } as const;

it.each<[name: string, Partial<VideoChange>, isIt: boolean]>([
  ["index-first.mp4", {}, true],
  ["index-first.mp4", { max_fps: 24 }, false],
  ["index-last.mp4", {}, false],
  ["large.mp4", {}, true],
])("%s meets the change %j: %s", async (name, given, isIt) => {
  expect(isVideoAsAsked(await factsOf(fixture(name)), { ...change, ...given })).toBe(isIt);
});

it.each<[name: string, Partial<VideoChange>, isIt: boolean]>([
  ["hevc.mp4", {}, false],
  ["hevc.mp4", { remux: { sound: "copy" } }, true],
  ["h264-444.mp4", {}, false],
  ["h264-10bit.mov", {}, false],
  ["surround.mp4", {}, false],
  ["surround.mp4", { remux: { sound: "encode" } }, false],
  ["surround.mp4", { remux: { sound: "copy" } }, true],
  ["opus.mp4", { remux: { sound: "encode" } }, false],
  ["h264.mkv", {}, true],
])("%s with its index first meets the change %j: %s", async (name, given, isIt) => {
  expect(isVideoAsAsked({ ...(await factsOf(fixture(name))), ...first }, { ...change, ...given })).toBe(isIt);
});
