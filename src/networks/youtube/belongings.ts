import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { CommitInput, CommitRequest } from "../contract/commit.ts";
import type { ListedPost, LookInput, LookResult } from "../contract/look.ts";
import type { IdentifiedPart, Part, PlanInput } from "../contract/plan.ts";
import type { NetworkContext } from "../contract/request.ts";
import { endpoint, permalink, readList } from "./api.ts";
import type { YoutubeOptions } from "./options.ts";
import { shownAs } from "./text.ts";

/** The video, then its place in a playlist and its first comment: each is a request that makes something of its own. */
export function withBelongings(
  { options: { playlist_id, first_comment } }: PlanInput<YoutubeOptions>,
  parts: readonly Part<YoutubeOptions>[],
): Part<YoutubeOptions>[] {
  const [video] = parts;
  if (video === undefined) return [];
  const bare = { ...video, media: [], link: null, title: null };
  return [
    ...parts,
    ...(playlist_id === undefined ? [] : [{ ...bare, role: "entry", text: "" } as const]),
    ...(first_comment === undefined ? [] : [{ ...bare, role: "comment", text: first_comment } as const]),
  ];
}

/** The video that a part belongs to. */
function videoOf({ first }: CommitInput<YoutubeOptions>): string {
  if (first !== null) return first.id;
  throw new PublishingError("internal_error", "The video that this belongs to is unknown.");
}

function playlistOf({ part }: CommitInput<YoutubeOptions>): string {
  return part.options.playlist_id ?? "";
}

/** https://developers.google.com/youtube/v3/docs/playlistItems/insert (2026-09) */
export function entryRequest(input: CommitInput<YoutubeOptions>): CommitRequest {
  const resourceId = { kind: "youtube#video", videoId: videoOf(input) };
  return {
    method: "POST",
    url: endpoint("playlistItems", { part: "snippet" }),
    body: { json: { snippet: { playlistId: playlistOf(input), resourceId } } },
  };
}

/** https://developers.google.com/youtube/data/reference/rest/v3/commentThreads/insert (2026-11) */
export function commentRequest(input: CommitInput<YoutubeOptions>): CommitRequest {
  const topLevelComment = { snippet: { textOriginal: input.part.text } };
  const channelId = input.profile.external_id;
  return {
    method: "POST",
    url: endpoint("commentThreads", { part: "snippet" }),
    body: { json: { snippet: { channelId, videoId: videoOf(input), topLevelComment } } },
  };
}

export function publishedEntry(id: string): IdentifiedPart {
  return { id, url: null, ref: null };
}

/** A comment as its readers open it. */
export function publishedComment(id: string, input: CommitInput<YoutubeOptions>): IdentifiedPart {
  return { id, url: `${permalink(videoOf(input))}&lc=${encodeURIComponent(id)}`, ref: null };
}

const entrySchema = z.object({ id: z.string().min(1) });

/** The video is ours, and so new that nobody else has put it there. */
export async function locateEntry(context: NetworkContext, input: LookInput<YoutubeOptions>): Promise<LookResult> {
  const parameters = { part: "id", playlistId: playlistOf(input), videoId: videoOf(input) };
  const { items } = await readList(context, { method: "playlistItems", parameters, schema: entrySchema });
  return items[0] === undefined ? { absent: true } : { live: publishedEntry(items[0].id) };
}

const threadSchema = z.object({
  id: z.string().min(1),
  snippet: z.object({
    topLevelComment: z.object({
      snippet: z.object({
        textOriginal: z.string().nullish(),
        textDisplay: z.string().nullish(),
        authorChannelId: z.object({ value: z.string().nullish() }).nullish(),
        publishedAt: z.string(),
      }),
    }),
  }),
});

/** Under a video that is minutes old there are no more pages than this. */
const maxPages = 5;

export async function locateComment(context: NetworkContext, input: LookInput<YoutubeOptions>): Promise<LookResult> {
  const parameters = {
    part: "snippet",
    videoId: videoOf(input),
    order: "time",
    maxResults: "100",
    textFormat: "plainText",
  };
  const list = { method: "commentThreads", parameters, schema: threadSchema };
  const { items, isWhole } = await readList(context, list, { maxPages });
  const posts = items.filter((thread) => isOwn(thread, input)).map((thread) => toSeen(thread, input));
  return { parent: null, lists: [{ posts, isWhole, showsSuch: true, name: "comments" }] };
}

type Thread = z.infer<typeof threadSchema>;

function isOwn({ snippet: { topLevelComment } }: Thread, { profile }: LookInput<YoutubeOptions>): boolean {
  return topLevelComment.snippet.authorChannelId?.value === profile.external_id;
}

function toSeen({ id, snippet }: Thread, input: LookInput<YoutubeOptions>): ListedPost {
  const { textOriginal, textDisplay, publishedAt } = snippet.topLevelComment.snippet;
  return {
    published: publishedComment(id, input),
    created_at: Date.parse(publishedAt),
    texts: [...new Set([textOriginal, textDisplay].flatMap((text) => (text == null ? [] : [shownAs("", text)])))],
    isSameKind: true,
    origin: null,
  };
}
