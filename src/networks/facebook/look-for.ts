import type { LookInput, LookResult } from "../contract/look.ts";
import type { NetworkContext } from "../contract/request.ts";
import type { Api } from "./api.ts";
import { findComment } from "./comments.ts";
import { findPost } from "./feed.ts";
import { isVideo, kindOf } from "./kind.ts";
import { locateVideo } from "./locate-video.ts";
import type { FacebookOptions } from "./options.ts";
import { findStory } from "./stories.ts";

/** Looks for a part whose response was lost: a video by its id, other parts in the Page's lists. */
export async function lookFor(
  context: NetworkContext,
  input: LookInput<FacebookOptions>,
  api: Api,
): Promise<LookResult> {
  const kind = kindOf(input.part);
  if (kind === "comment") return findComment(context, input, api);
  const video = isVideo(kind) ? await locateVideo(context, input, api) : null;
  if (video !== null) return video;
  return input.part.post_type === "story" ? findStory(context, input, api) : findPost(context, input, api);
}
