import * as z from "zod";
import type { JsonObject } from "../../wire/json.ts";
import { jsonBody, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { Logins } from "./logins.ts";
import { refusal } from "./refusal.ts";
import type { Comment, PlaylistItem, State, Video } from "./state.ts";
import { iso, isShown, page, uploadsOf } from "./videos.ts";

export interface Belongings {
  playlists(request: SandboxRequest): SandboxAnswer;
  items(request: SandboxRequest): SandboxAnswer;
  insertItem(request: SandboxRequest): SandboxAnswer;
  comments(request: SandboxRequest): SandboxAnswer;
  insertComment(request: SandboxRequest): SandboxAnswer;
}

const itemSchema = z.strictObject({
  snippet: z.strictObject({
    playlistId: z.string().min(1),
    resourceId: z.strictObject({ kind: z.literal("youtube#video"), videoId: z.string().min(1) }),
  }),
});

const commentSchema = z.strictObject({
  snippet: z.strictObject({
    channelId: z.string().min(1),
    videoId: z.string().min(1),
    topLevelComment: z.strictObject({ snippet: z.strictObject({ textOriginal: z.string() }) }),
  }),
});

/** https://developers.google.com/youtube/v3/docs/playlistItems/list (2026-09) */
const maxResults = { default: 5, most: 50 };

export function createBelongings(state: State, logins: Logins): Belongings {
  function body<Schema extends z.ZodType>(request: SandboxRequest, schema: Schema): z.output<Schema> {
    const parsed = schema.safeParse(jsonBody(request));
    if (parsed.success && request.url.searchParams.get("part") === "snippet") return parsed.data;
    throw refusal(400, "badRequest", "The request is invalid.", { domain: "global" });
  }

  function videoOf(id: string): Video {
    const video = state.videos.find((each) => each.id === id && !each.deleted);
    if (video !== undefined) return video;
    throw refusal(404, "videoNotFound", "The video was not found.", { domain: "youtube.commentThread" });
  }

  /** Newest first. */
  function uploads(channelId: string): JsonObject[] {
    return state.videos
      .filter((video) => video.channel.id === channelId && isShown(state, video))
      .map((video, index) =>
        itemJson({ id: `UU${index}`, playlistId: uploadsOf(channelId), video, created_at: video.created_at }),
      )
      .reverse();
  }

  return {
    playlists(request) {
      const { playlists, id: channelId } = logins.channelFor(request, "read");
      const all = playlists.map(({ id, title }) => ({
        kind: "youtube#playlist",
        etag: "etag",
        id,
        snippet: { title, channelId },
      }));
      return page("playlist", all);
    },

    items(request) {
      const channel = logins.channelFor(request, "read");
      const query = request.url.searchParams;
      const playlistId = query.get("playlistId");
      const isKnown = playlistId === uploadsOf(channel.id) || channel.playlists.some(({ id }) => id === playlistId);
      if (!isKnown) throw playlistNotFound();
      const added = state.items.filter((item) => item.playlistId === playlistId && state.lag.shows(item.created_at));
      const all = playlistId === uploadsOf(channel.id) ? uploads(channel.id) : added.map(itemJson);
      const videoId = query.get("videoId");
      const wanted = videoId === null ? all : all.filter((item) => videoIdOf(item) === videoId);
      return paged("playlistItem", wanted, query);
    },

    insertItem(request) {
      const channel = logins.channelFor(request, "edit");
      const { playlistId, resourceId } = body(request, itemSchema).snippet;
      if (!channel.playlists.some(({ id }) => id === playlistId)) throw playlistNotFound();
      const video = videoOf(resourceId.videoId);
      const item: PlaylistItem = { id: state.id(24), playlistId, video, created_at: state.now() };
      state.items.push(item);
      return { status: 200, json: itemJson(item) };
    },

    comments(request) {
      logins.channelFor(request, "comment");
      const query = request.url.searchParams;
      const video = videoOf(query.get("videoId") ?? "");
      const shown = state.comments.filter((each) => each.video === video && state.lag.shows(each.created_at));
      return paged("commentThread", shown.map(threadJson).reverse(), query);
    },

    insertComment(request) {
      const author = logins.channelFor(request, "comment");
      const { videoId, topLevelComment } = body(request, commentSchema).snippet;
      const text = topLevelComment.snippet.textOriginal;
      const video = videoOf(videoId);
      if (text.trim() === "") throw refusal(400, "commentTextRequired", "There is no text.");
      if (text.length > 10_000) throw refusal(400, "commentTextTooLong", "The text is too long.");
      if (video.resource.status.selfDeclaredMadeForKids === true)
        throw refusal(403, "commentsDisabled", "The video has disabled comments.", { domain: "youtube.commentThread" });
      const comment: Comment = { id: `Ug${state.id(24)}`, video, author, text, created_at: state.now() };
      state.comments.push(comment);
      return { status: 200, json: threadJson(comment) };
    },
  };
}

function playlistNotFound(): ReturnType<typeof refusal> {
  return refusal(404, "playlistNotFound", "The playlist cannot be found.", { domain: "youtube.playlistItem" });
}

function paged(kind: string, all: JsonObject[], query: URLSearchParams): SandboxAnswer {
  const count = Number(query.get("maxResults") ?? maxResults.default);
  if (!Number.isInteger(count) || count < 1 || count > (kind === "commentThread" ? 100 : maxResults.most))
    throw refusal(400, "invalidValue", "maxResults is invalid.");
  const from = Number(query.get("pageToken") ?? 0);
  const rest: JsonObject = all.length > from + count ? { nextPageToken: String(from + count) } : {};
  return page(kind, all.slice(from, from + count), rest);
}

function videoIdOf(item: JsonObject): unknown {
  return ((item.snippet as JsonObject).resourceId as JsonObject).videoId;
}

function itemJson({ id, playlistId, video, created_at }: PlaylistItem): JsonObject {
  const { title = "", description = "" } = video.resource.snippet;
  return {
    kind: "youtube#playlistItem",
    etag: "etag",
    id,
    snippet: {
      title,
      description,
      playlistId,
      publishedAt: iso(created_at),
      channelId: video.channel.id,
      resourceId: { kind: "youtube#video", videoId: video.id },
    },
    status: { privacyStatus: video.resource.status.privacyStatus ?? "public" },
  };
}

function threadJson({ id, video, author, text, created_at }: Comment): JsonObject {
  const snippet = {
    channelId: video.channel.id,
    videoId: video.id,
    textDisplay: text,
    textOriginal: text,
    authorDisplayName: author.handle,
    authorChannelId: { value: author.id },
    publishedAt: iso(created_at),
    updatedAt: iso(created_at),
  };
  return {
    kind: "youtube#commentThread",
    etag: "etag",
    id,
    snippet: {
      channelId: video.channel.id,
      videoId: video.id,
      topLevelComment: { kind: "youtube#comment", etag: "etag", id, snippet },
      canReply: true,
      totalReplyCount: 0,
      isPublic: true,
    },
  };
}
