import { ok, type SandboxAnswer } from "../exchange.ts";
import type { SandboxPost } from "../network.ts";
import { pickFields } from "../parts/fields.ts";
import { type Route, route } from "../parts/routes.ts";
import type { Logins } from "./logins.ts";
import { refusal } from "./refusal.ts";
import { categories } from "./resource.ts";
import { api, type Channel, type State, type Video } from "./state.ts";

/** https://developers.google.com/youtube/v3/revision_history (2026-11) */
const maxThumbnailBytes = 52_428_800;

export function videoRoutes(state: State, logins: Logins): Route[] {
  return [
    route("listChannels", `GET ${api}/youtube/v3/channels`, (request) => {
      const { channel } = logins.accountFor(request, "read");
      if (request.url.searchParams.get("mine") !== "true")
        throw refusal(400, "missingRequiredParameter", "No filter selected.");
      return page("channel", channel === null ? [] : [channelJson(channel)]);
    }),

    route("listVideos", `GET ${api}/youtube/v3/videos`, (request) => {
      const channel = logins.channelFor(request, "read");
      const query = request.url.searchParams;
      const found = state.videos.filter(
        (video) => video.id === query.get("id") && isShown(state, video) && isVisible(state, video, channel),
      );
      const parts = (query.get("part") ?? "").split(",");
      const shown = found.map((video) => videoJson(state, video, parts));
      return page("video", shown);
    }),

    route("listVideoCategories", `GET ${api}/youtube/v3/videoCategories`, (request) => {
      logins.accountFor(request, "read");
      if (!/^[A-Z]{2}$/.test(request.url.searchParams.get("regionCode") ?? ""))
        throw refusal(400, "missingRequiredParameter", "No filter selected.");
      const channelId = "UCBR8-60-B28hp2BmDPdntcQ";
      const all = Object.entries(categories).map(([id, snippet]) =>
        resource("videoCategory", { id, snippet: { ...snippet, channelId } }),
      );
      return page("videoCategory", all);
    }),

    route("setThumbnail", `POST ${api}/upload/youtube/v3/thumbnails/set`, (request) => {
      const channel = logins.channelFor(request, "upload");
      const id = request.url.searchParams.get("videoId");
      const video = state.videos.find((each) => each.id === id && each.channel === channel);
      if (video === undefined || !isShown(state, video))
        throw refusal(404, "videoNotFound", "The video was not found.", { domain: "youtube.thumbnail" });
      if (!channel.isVerified)
        throw refusal(
          403,
          "forbidden",
          "The authenticated user does not have permissions to upload and set custom video thumbnails.",
        );
      const type = request.headers.get("content-type") ?? "";
      if (!["image/jpeg", "image/png", "application/octet-stream"].includes(type))
        throw refusal(400, "invalidImage", "The provided image content is invalid.", { domain: "youtube.thumbnail" });
      if (request.bytes.length === 0 || request.bytes.length > maxThumbnailBytes)
        throw refusal(400, "mediaBodyRequired", "The image is missing or too large.", { domain: "youtube.thumbnail" });
      video.thumbnail = request.bytes.length;
      const size = { url: `https://i.ytimg.com/vi/${video.id}/default.jpg`, width: 120, height: 90 };
      return ok({ kind: "youtube#thumbnailSetResponse", etag: "etag", items: [{ default: size }] });
    }),
  ];
}

/** Reads may lag. */
export function isShown(state: State, { created_at, deleted }: Video): boolean {
  return !deleted && state.lag.shows(created_at);
}

function isVisible(state: State, video: Video, channel: Channel): boolean {
  return video.channel === channel || (isUsable(state, video) && video.resource.status.privacyStatus !== "private");
}

function isUsable({ jobs }: State, { job }: Video): boolean {
  return jobs.stateOf(job) !== "failed";
}

/** One page of a list; without a token it is the last. */
export function page(kind: string, items: object[], nextPageToken?: string): SandboxAnswer {
  const pageInfo = { totalResults: items.length, resultsPerPage: items.length };
  return ok({ kind: `youtube#${kind}ListResponse`, etag: "etag", nextPageToken, pageInfo, items });
}

/** A resource as YouTube returns it. */
export function resource<Fields extends object>(kind: string, fields: Fields) {
  return { kind: `youtube#${kind}`, etag: "etag", ...fields };
}

function channelJson({ id, title, handle, isVerified }: Channel): object {
  const picture = { url: `https://yt3.ggpht.com/${id}`, width: 88, height: 88 };
  return resource("channel", {
    id,
    snippet: { title, customUrl: handle, country: "DE", thumbnails: { default: picture } },
    contentDetails: { relatedPlaylists: { uploads: uploadsOf(id) } },
    status: { privacyStatus: "public", longUploadsStatus: isVerified ? "allowed" : "eligible" },
  });
}

/** The playlist of all uploads of a channel. */
export function uploadsOf(channelId: string): string {
  return `UU${channelId.slice(2)}`;
}

/** The requested parts. https://developers.google.com/youtube/v3/docs/videos (2026-09) */
export function videoJson(state: State, video: Video, parts: readonly string[]): object {
  const { id, channel, created_at } = video;
  const { snippet, status, paidProductPlacementDetails } = video.resource;
  const all = {
    snippet: {
      ...snippet,
      publishedAt: iso(created_at),
      channelId: channel.id,
      channelTitle: channel.title,
      thumbnails: {},
      liveBroadcastContent: "none",
    },
    status: {
      license: "youtube",
      embeddable: true,
      publicStatsViewable: true,
      ...status,
      ...progressOf(state, video),
    },
    processingDetails: { processingStatus: state.jobs.isDone(video.job) ? "succeeded" : "processing" },
    paidProductPlacementDetails,
  };
  return resource("video", { id, ...pickFields(all, parts) });
}

function progressOf({ jobs }: State, { job, deleted }: Video): object {
  if (deleted) return { uploadStatus: "deleted" };
  if (!jobs.isDone(job)) return { uploadStatus: "uploaded" };
  if (job.failure === null) return { uploadStatus: "processed" };
  const { status, reason } = job.failure;
  return { uploadStatus: status, [status === "failed" ? "failureReason" : "rejectionReason"]: reason };
}

/** In whole seconds. */
export function iso(time: number): string {
  return new Date(time).toISOString().replace(/\.\d{3}Z$/, "Z");
}

/** The visible posts, in the order of publication. */
export function postsOf(state: State): SandboxPost[] {
  return state.videos
    .filter((video) => !video.deleted && isUsable(state, video))
    .map(({ id, channel, resource: { snippet }, created_at }) => ({
      id,
      account: channel.id,
      text: String(snippet.description ?? ""),
      media: 1,
      alt: [],
      reply_to: null,
      url: `https://www.youtube.com/watch?v=${id}`,
      created_at: new Date(created_at).toISOString(),
    }));
}
