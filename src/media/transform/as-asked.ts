import type { MediaFacts } from "../probe/facts.ts";
import type { VideoChange } from "./transformer.ts";

/** True: a converted video is as requested, by its own bytes. Facts that it does not state are not checked. */
export function isVideoAsAsked(made: MediaFacts, { max_fps, remux }: VideoChange): boolean {
  if (made.is_index_first === false) return false;
  const { codec = "h264", bit_depth = 8, chroma = "4:2:0", audio_codec = "aac", audio_channels = 2, fps = 0 } = made;
  const isSoundEncoded = audio_codec === "aac" && audio_channels <= 2;
  if (remux !== undefined) return remux.sound === "copy" || isSoundEncoded;
  // A short video has one frame more than its duration suggests.
  const isSlowEnough = max_fps === null || fps < max_fps + 1;
  return codec === "h264" && bit_depth === 8 && chroma === "4:2:0" && isSoundEncoded && isSlowEnough;
}
