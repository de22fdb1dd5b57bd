import * as z from "zod";
import { jsonBody, ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import { readAs } from "../parts/fields.ts";
import { pageAt } from "../parts/listing.ts";
import { type Route, route } from "../parts/routes.ts";
import type { Logins } from "./logins.ts";
import { refusal } from "./refusal.ts";
import { api, type Comment, type PlaylistItem, type State, type Video } from "./state.ts";
import { iso, isShown, page, resource, uploadsOf } from "./videos.ts";

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

export function belongingRoutes(state: State, logins: Logins): Route[] {
  function body<Schema extends z.ZodType>(request: SandboxRequest, schema: Schema): z.output<Schema> {
    const invalid = () => refusal(400, "badRequest", "The request is invalid.", { domain: "global" });
    const given = readAs(schema, jsonBody(request), invalid);
    if (request.url.searchParams.get("part") !== "snippet") throw invalid();
    return given;
  }

  function videoOf(id: string): Video {
    const video = state.videos.find((each) => each.id === id && !each.deleted);
    if (video !== undefined) return video;
    throw refusal(404, "videoNotFound", "The video was not found.", { domain: "youtube.commentThread" });
  }

  /** Newest first. */
  function uploads(channelId: string): PlaylistItem[] {
    return state.videos
      .filter((video) => video.channel.id === channelId && isShown(state, video))
      .map((video, index) => {
        const { created_at } = video;
        return { id: `UU${index}`, playlistId: uploadsOf(channelId), video, created_at };
      })
      .reverse();
  }

  return [
    route("listPlaylists", `GET ${api}/youtube/v3/playlists`, (request) => {
      const { playlists, id: channelId } = logins.channelFor(request, "read");
      const all = playlists.map(({ id, title }) => resource("playlist", { id, snippet: { title, channelId } }));
      return page("playlist", all);
    }),

    route("listPlaylistItems", `GET ${api}/youtube/v3/playlistItems`, (request) => {
      const channel = logins.channelFor(request, "read");
      const query = request.url.searchParams;
      const playlistId = query.get("playlistId");
      const isOfUploads = playlistId === uploadsOf(channel.id);
      if (!isOfUploads && !channel.playlists.some(({ id }) => id === playlistId)) throw playlistNotFound();
      const added = state.items.filter((item) => item.playlistId === playlistId && state.lag.shows(item.created_at));
      const all = isOfUploads ? uploads(channel.id) : added;
      const videoId = query.get("videoId");
      const wanted = all.filter(({ video }) => videoId === null || video.id === videoId);
      return paged("playlistItem", wanted.map(itemJson), query);
    }),

    route("insertPlaylistItem", `POST ${api}/youtube/v3/playlistItems`, (request) => {
      const channel = logins.channelFor(request, "edit");
      const { playlistId, resourceId } = body(request, itemSchema).snippet;
      if (!channel.playlists.some(({ id }) => id === playlistId)) throw playlistNotFound();
      const video = videoOf(resourceId.videoId);
      const item: PlaylistItem = { id: state.id(24), playlistId, video, created_at: state.now() };
      state.items.push(item);
      return ok(itemJson(item));
    }),

    route("listCommentThreads", `GET ${api}/youtube/v3/commentThreads`, (request) => {
      logins.channelFor(request, "comment");
      const query = request.url.searchParams;
      const video = videoOf(query.get("videoId") ?? "");
      const shown = state.comments.filter((each) => each.video === video && state.lag.shows(each.created_at));
      return paged("commentThread", shown.map(threadJson).reverse(), query);
    }),

    route("insertComment", `POST ${api}/youtube/v3/commentThreads`, (request) => {
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
      return ok(threadJson(comment));
    }),
  ];
}

function playlistNotFound(): ReturnType<typeof refusal> {
  return refusal(404, "playlistNotFound", "The playlist cannot be found.", { domain: "youtube.playlistItem" });
}

function paged(kind: string, all: object[], query: URLSearchParams): SandboxAnswer {
  const count = Number(query.get("maxResults") ?? maxResults.default);
  if (!Number.isInteger(count) || count < 1 || count > (kind === "commentThread" ? 100 : maxResults.most))
    throw refusal(400, "invalidValue", "maxResults is invalid.");
  const { items, next } = pageAt(all, { from: Number(query.get("pageToken") ?? 0), count });
  return page(kind, items, next?.toString());
}

function itemJson({ id, playlistId, video, created_at }: PlaylistItem): object {
  const { title = "", description = "" } = video.resource.snippet;
  return resource("playlistItem", {
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
  });
}

function threadJson({ id, video, author, text, created_at }: Comment): object {
  const place = { channelId: video.channel.id, videoId: video.id };
  const snippet = {
    ...place,
    textDisplay: text,
    textOriginal: text,
    authorDisplayName: author.handle,
    authorChannelId: { value: author.id },
    publishedAt: iso(created_at),
    updatedAt: iso(created_at),
  };
  const topLevelComment = resource("comment", { id, snippet });
  return resource("commentThread", {
    id,
    snippet: { ...place, topLevelComment, canReply: true, totalReplyCount: 0, isPublic: true },
  });
}
