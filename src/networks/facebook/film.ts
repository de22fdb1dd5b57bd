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

/** What Facebook said yes to. */
const jobSchema = z.object({ video_id: z.string(), post_id: z.string().optional() });

type Job = z.infer<typeof jobSchema>;

/** Between two questions about a video that is worked on, seconds. Tools ask every 10: https://github.com/gitroomhq/postiz-app (2026-08) */
const againSeconds = 30;

/** The video itself knows whether it is public; null: which video it was is not on record. */
export async function locateFilm(
  context: NetworkContext,
  input: LookInput<FacebookOptions>,
  api: Api,
): Promise<LookResult | null> {
  const job = jobSchema.safeParse(input.job).data;
  const film: Job | null = job ?? videoIn(input.staged);
  if (film === null) return null;
  const video = await readVideo(context, api, { id: film.video_id, why: "looking" });
  if (video === null) return { pending: "Facebook does not list the video yet.", again_seconds: againSeconds };
  const state = stateOf(video);
  switch (state.at) {
    case "published":
      return { live: await publishedAs(context, { video, film, input, api }) };
    case "failed":
      return { failed: state.failure };
    case "working":
      return { pending: "Facebook is processing the video.", again_seconds: againSeconds };
    // The engine wants to see it twice: a request that is under way may read so.
    case "idle":
    case "expired":
      if (job === undefined) return { absent: true };
      return { pending: "Facebook has not started to publish the video.", again_seconds: againSeconds };
  }
}

async function publishedAs(
  context: NetworkContext,
  { video, film, input, api }: { video: Video; film: Job; input: LookInput<FacebookOptions>; api: Api },
): Promise<Published> {
  const page = context.profile.external_id;
  if (kindOf(input.part) !== "video_story") return partOf(video, { page, video_id: film.video_id });
  const story = await storyOf(context, { mediaId: film.video_id, since: input.since, api });
  const told = film.post_id ?? video.post_id ?? null;
  const id = told === null ? null : postIdIn(page, told);
  return story ?? { id, url: null, ref: { media_id: film.video_id } };
}

/** Its post has an id of its own, which is told when it is told. */
function partOf(
  { post_id, permalink_url }: Video,
  { page, video_id }: { page: string; video_id: string },
): PublishedPart {
  const url = wholeAddress(permalink_url ?? `/reel/${video_id}`);
  return { id: post_id == null ? null : postIdIn(page, post_id), url, ref: { video_id } };
}

const refSchema = z.object({ video_id: z.string() }).or(z.object({ media_id: z.string() }));
const dayMs = 24 * 3_600_000;

/** Asks for the id of a video's post, or of a story, that was not told when it became public. */
export async function lookUpId(context: NetworkContext, published: PublishedPart, api: Api): Promise<PublishedPart> {
  const ref = refSchema.safeParse(published.ref).data;
  if (ref === undefined) return published;
  if ("media_id" in ref)
    return (await storyOf(context, { mediaId: ref.media_id, since: context.now() - dayMs, api })) ?? published;
  const video = await readVideo(context, api, { id: ref.video_id, why: "looking" });
  return video === null ? published : { ...published, ...partOf(video, { page: context.profile.external_id, ...ref }) };
}
