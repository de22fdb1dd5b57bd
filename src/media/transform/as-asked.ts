import type { MediaFacts } from "../probe/facts.ts";
import type { VideoChange } from "./transformer.ts";

/** Whether a video that was made is what was asked for, by its own bytes. What it does not say is not checked. */
export function isFilmAsAsked(made: MediaFacts, { max_fps, remux }: VideoChange): boolean {
  if (made.is_index_first === false) return false;
  const { codec = "h264", bit_depth = 8, chroma = "4:2:0", audio_codec = "aac", audio_channels = 2, fps = 0 } = made;
  const isSoundEncoded = audio_codec === "aac" && audio_channels <= 2;
  if (remux !== undefined) return remux.sound === "copy" || isSoundEncoded;
  // A short video has a frame more than its length tells.
  const isSlowEnough = max_fps === null || fps < max_fps + 1;
  return codec === "h264" && bit_depth === 8 && chroma === "4:2:0" && isSoundEncoded && isSlowEnough;
}
