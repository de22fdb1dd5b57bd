import type { MeasuredMedia } from "../../../src/media/fit/faults.ts";
import { fitMedia, type MediaFit, type MediaTools } from "../../../src/media/fit/fit.ts";
import type { MediaRule } from "../../../src/networks/contract/limits.ts";
import { everyTool } from "../../support/transformer.ts";

export const all: MediaTools = everyTool;

/** The plan for a network with these rules. */
export function fitInto(item: MeasuredMedia, types: readonly MediaRule[], tools: MediaTools = all): MediaFit {
  return fitMedia(item, { name: "Example", media: { max_items: 4, mixing: "any", types } }, tools);
}

export function image(mime: string, bounds: Partial<MediaRule> = {}): MediaRule {
  return { type: "image", mime, max_bytes: 1_000_000, ...bounds };
}

export function video(mime: string, bounds: Partial<MediaRule> = {}): MediaRule {
  return { type: "video", mime, max_bytes: 1_000_000, ...bounds };
}

export const jpeg = image("image/jpeg");
/** The facts of a file that announces nothing. */
export const nothing = { width: null, height: null, size_bytes: null };
export const png = image("image/png");
export const mp4 = video("video/mp4", { codecs: ["h264"], audio_codecs: ["aac"] });
