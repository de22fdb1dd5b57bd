import * as z from "zod";
import type { LookInput, LookResult } from "../contract/look.ts";
import type { NetworkContext } from "../contract/request.ts";
import { locateComment, locateEntry } from "./belongings.ts";
import type { YoutubeOptions } from "./options.ts";
import { readUpload, sessionIn } from "./session.ts";
import { sightUploads } from "./uploads.ts";
import { lookAtVideo } from "./video.ts";

/** The accepted upload, with its video's id. */
const jobSchema = z.object({ video_id: z.string().min(1) });

/** Looks for a part whose response was lost, or checks a video that YouTube has accepted. */
export async function lookFor(context: NetworkContext, input: LookInput<YoutubeOptions>): Promise<LookResult> {
  if (input.part.role === "comment") return locateComment(context, input);
  if (input.part.role === "entry") return locateEntry(context, input);
  const job = jobSchema.safeParse(input.job).data;
  return job === undefined ? locateVideo(context, input) : lookAtVideo(context, job.video_id, input);
}

/** Looks for a video by its upload, whose state YouTube keeps for some time, even when it is finished. */
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
