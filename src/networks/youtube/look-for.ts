import * as z from "zod";
import type { LookInput, LookResult } from "../contract/look.ts";
import type { NetworkContext } from "../contract/request.ts";
import { locateComment, locateEntry } from "./belongings.ts";
import type { YoutubeOptions } from "./options.ts";
import { readUpload, sessionIn } from "./session.ts";
import { sightUploads } from "./uploads.ts";
import { lookAtVideo } from "./video.ts";

/** What YouTube said yes to, by its video's id. */
const jobSchema = z.object({ video_id: z.string().min(1) });

/** Did a part whose answer was lost go out, or what has become of a video that YouTube took? */
export async function lookFor(context: NetworkContext, input: LookInput<YoutubeOptions>): Promise<LookResult> {
  if (input.part.role === "comment") return locateComment(context, input);
  if (input.part.role === "entry") return locateEntry(context, input);
  const job = jobSchema.safeParse(input.job).data;
  return job === undefined ? locateVideo(context, input) : lookAtVideo(context, job.video_id, input);
}

/** The upload itself knows, until YouTube forgets it: also one that was finished. */
async function locateVideo(context: NetworkContext, input: LookInput<YoutubeOptions>): Promise<LookResult> {
  const session = sessionIn(input.staged);
  if (session === null) return sightUploads(context, input);
  const state = await readUpload(context, session);
  if (state.at === "gone") return sightUploads(context, input);
  if (state.at === "bytes")
    return state.held < session.total ? { absent: true } : { pending: "YouTube has the whole file, but no video yet." };
  if (state.videoId === null) return { pending: "YouTube's response about the upload could not be read." };
  return lookAtVideo(context, state.videoId, input);
}
