import * as z from "zod";
import type { LookInput, LookResult } from "../contract/look.ts";
import type { Published, PublishedPart } from "../contract/plan.ts";
import type { NetworkContext } from "../contract/request.ts";
import { type Api, wholeAddress } from "./api.ts";
import { kindOf } from "./kind.ts";
import type { FacebookOptions } from "./options.ts";
import { postIdIn } from "./post-id.ts";
import { videoIn } from "./staged.ts";
import { storyOf } from "./stories.ts";
import { readVideo, stateOf, type Video } from "./video.ts";

/** The accepted request for a video. */
const jobSchema = z.object({ video_id: z.string(), post_id: z.string().optional() });

type Job = z.infer<typeof jobSchema>;

/**
 * Time between two reads of a video that Facebook is processing, seconds. Tools ask every 10:
 * https://github.com/gitroomhq/postiz-app (2026-08)
 */
const againSeconds = 30;

/** Reads whether the video is public. Null: its id is not on record. */
export async function locateVideo(
  context: NetworkContext,
  input: LookInput<FacebookOptions>,
  api: Api,
): Promise<LookResult | null> {
  const job = jobSchema.safeParse(input.job).data;
  const accepted: Job | null = job ?? videoIn(input.staged);
  if (accepted === null) return null;
  const video = await readVideo(context, api, { id: accepted.video_id, why: "looking" });
  if (video === null) return { pending: "Facebook does not list the video yet.", again_seconds: againSeconds };
  const state = stateOf(video);
  switch (state.at) {
    case "published":
      return { live: await publishedAs(context, { video, accepted, input, api }) };
    case "failed":
      return { failed: state.failure };
    case "working":
      return { pending: "Facebook is processing the video.", again_seconds: againSeconds };
    // The engine requires this result twice, because a running request may look the same.
    case "idle":
    case "expired":
      if (job === undefined) return { absent: true };
      return { pending: "Facebook has not started to publish the video.", again_seconds: againSeconds };
  }
}

async function publishedAs(
  context: NetworkContext,
  { video, accepted, input, api }: { video: Video; accepted: Job; input: LookInput<FacebookOptions>; api: Api },
): Promise<Published> {
  const page = context.profile.external_id;
  if (kindOf(input.part) !== "video_story") return partOf(video, { page, video_id: accepted.video_id });
  const story = await storyOf(context, { mediaId: accepted.video_id, since: input.since, api });
  const told = accepted.post_id ?? video.post_id ?? null;
  const id = told === null ? null : postIdIn(page, told);
  return story ?? { id, url: null, ref: { media_id: accepted.video_id } };
}

/** The post of a video has its own id, which Facebook may not return. */
function partOf(
  { post_id, permalink_url }: Video,
  { page, video_id }: { page: string; video_id: string },
): PublishedPart {
  const url = wholeAddress(permalink_url ?? `/reel/${video_id}`);
  return { id: post_id == null ? null : postIdIn(page, post_id), url, ref: { video_id } };
}

const refSchema = z.object({ video_id: z.string() }).or(z.object({ media_id: z.string() }));
const dayMs = 24 * 3_600_000;

/** Reads the id of a video's post or a story, if it was unknown when the part became public. */
export async function lookUpId(context: NetworkContext, published: PublishedPart, api: Api): Promise<PublishedPart> {
  const ref = refSchema.safeParse(published.ref).data;
  if (ref === undefined) return published;
  if ("media_id" in ref)
    return (await storyOf(context, { mediaId: ref.media_id, since: context.now() - dayMs, api })) ?? published;
  const video = await readVideo(context, api, { id: ref.video_id, why: "looking" });
  return video === null ? published : { ...published, ...partOf(video, { page: context.profile.external_id, ...ref }) };
}
