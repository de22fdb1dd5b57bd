import * as z from "zod";
import type { ListedPost, LookInput, LookResult } from "../contract/look.ts";
import type { NetworkContext } from "../contract/request.ts";
import { readPages } from "../shared/pages.ts";
import { endpoint, jsonBody, permalink, readAnswer } from "./api.ts";
import { readKnown } from "./known.ts";
import type { TiktokOptions } from "./options.ts";
import { kindOf } from "./post-info.ts";
import { scope } from "./scopes.ts";
import { shownAs } from "./text.ts";

/** https://developers.tiktok.com/doc/tiktok-api-v2-video-object (2026-11) */
const videoSchema = z.object({
  id: z.union([z.string().min(1), z.number().transform(String)]),
  title: z.string().nullish(),
  video_description: z.string().nullish(),
  /** Seconds. */
  create_time: z.number(),
  share_url: z.string().nullish(),
});

type Video = z.infer<typeof videoSchema>;

const pageSchema = z.object({
  data: z.object({
    videos: z.array(videoSchema).nullish(),
    cursor: z.number().nullish(),
    has_more: z.boolean().nullish(),
  }),
});

/** https://developers.tiktok.com/doc/tiktok-api-v2-video-list (2026-11) */
const pageSize = 20;
/** A hundred posts since the request. */
const maxPages = 5;

/**
 * What the account shows to everybody, by which a post can be found, and never
 * excluded: moderation may take hours, and what is not public is not there.
 */
export async function sightVideos(context: NetworkContext, input: LookInput<TiktokOptions>): Promise<LookResult> {
  const { options } = input.part;
  if (options.inbox === true || options.privacy_level !== "PUBLIC_TO_EVERYONE")
    return { cannot_tell: "TikTok lists only public posts, and the response was lost." };
  if (!readKnown(input.profile).scopes.includes(scope.list))
    return {
      cannot_tell: `The access token cannot read the account's posts: it lacks the scope ${scope.list}.`,
    };
  const videos = await readVideos(context, input.since);
  const posts = videos.map((video) => toSeen(video, input));
  return { parent: null, lists: [{ posts, isWhole: false, showsSuch: false, name: "videos" }] };
}

async function readVideos(context: NetworkContext, since: number): Promise<Video[]> {
  const readPage = async (cursor: number | null) => {
    const response = await context.request({
      method: "POST",
      url: endpoint("video/list", ["id", "title", "video_description", "create_time", "share_url"]),
      body: jsonBody({ max_count: pageSize, ...(cursor !== null && { cursor }) }),
    });
    const { videos, has_more, cursor: next } = readAnswer(pageSchema, response).data;
    const items = videos ?? [];
    // Newest first. Same source.
    const isPast = items.some(({ create_time }) => create_time * 1000 < since);
    return { items, next: has_more === true && !isPast ? (next ?? null) : null };
  };
  return (await readPages(readPage, { maxPages })).items;
}

function toSeen(video: Video, { profile, part }: LookInput<TiktokOptions>): ListedPost {
  const { id, title, video_description: description, share_url, create_time } = video;
  const words = [title ?? "", description ?? ""];
  const texts = [shownAs(title ?? "", description ?? ""), ...words.map((each) => shownAs("", each))];
  return {
    published: { id, url: share_url ?? permalink(profile.handle, kindOf(part), id), ref: null },
    created_at: create_time * 1000,
    texts: [...new Set(texts)].filter((text) => text !== ""),
    isSameKind: true,
    origin: null,
  };
}
