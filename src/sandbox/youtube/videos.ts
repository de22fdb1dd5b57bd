import type { JsonObject } from "../../wire/json.ts";
import type { SandboxAnswer, SandboxRequest } from "../exchange.ts";
import type { SandboxPost } from "../network.ts";
import type { Logins } from "./logins.ts";
import { refusal } from "./refusal.ts";
import { categories } from "./resource.ts";
import type { Channel, State, Video } from "./state.ts";

export interface Videos {
  channels(request: SandboxRequest): SandboxAnswer;
  list(request: SandboxRequest): SandboxAnswer;
  categories(request: SandboxRequest): SandboxAnswer;
  setThumbnail(request: SandboxRequest): SandboxAnswer;
}

/** https://developers.google.com/youtube/v3/revision_history (2026-11) */
const maxThumbnailBytes = 52_428_800;

export function createVideos(state: State, logins: Logins): Videos {
  return {
    channels(request) {
      const { channel } = logins.accountFor(request, "read");
      if (request.url.searchParams.get("mine") !== "true")
        throw refusal(400, "missingRequiredParameter", "No filter selected.");
      return page("channel", channel === null ? [] : [channelJson(channel)]);
    },

    list(request) {
      const channel = logins.channelFor(request, "read");
      const id = request.url.searchParams.get("id");
      const found = state.videos.filter(
        (video) => video.id === id && isShown(state, video) && isVisible(state, video, channel),
      );
      const parts = (request.url.searchParams.get("part") ?? "").split(",");
      return page(
        "video",
        found.map((video) => videoJson(state, video, parts)),
      );
    },

    categories(request) {
      logins.accountFor(request, "read");
      if (!/^[A-Z]{2}$/.test(request.url.searchParams.get("regionCode") ?? ""))
        throw refusal(400, "missingRequiredParameter", "No filter selected.");
      const all = Object.entries(categories).map(([id, snippet]) => ({
        kind: "youtube#videoCategory",
        etag: "etag",
        id,
        snippet: { ...snippet, channelId: "UCBR8-60-B28hp2BmDPdntcQ" },
      }));
      return page("videoCategory", all);
    },

    setThumbnail(request) {
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
      return {
        status: 200,
        json: { kind: "youtube#thumbnailSetResponse", etag: "etag", items: [{ default: size }] },
      };
    },
  };
}

/** Reads may be behind. */
export function isShown(state: State, { created_at, deleted }: Video): boolean {
  return !deleted && state.lag.shows(created_at);
}

function isVisible(state: State, video: Video, channel: Channel): boolean {
  return video.channel === channel || (isUsable(state, video) && video.resource.status.privacyStatus !== "private");
}

function isUsable(state: State, { job }: Video): boolean {
  return !state.jobs.isDone(job) || job.failure === null;
}

/** One page of a list, which has no more. */
export function page(kind: string, items: JsonObject[], more: JsonObject = {}): SandboxAnswer {
  const pageInfo = { totalResults: items.length, resultsPerPage: items.length };
  return { status: 200, json: { kind: `youtube#${kind}ListResponse`, etag: "etag", ...more, pageInfo, items } };
}

function channelJson({ id, title, handle, isVerified }: Channel): JsonObject {
  const picture = { url: `https://yt3.ggpht.com/${id}`, width: 88, height: 88 };
  return {
    kind: "youtube#channel",
    etag: "etag",
    id,
    snippet: { title, customUrl: handle, country: "DE", thumbnails: { default: picture } },
    contentDetails: { relatedPlaylists: { uploads: uploadsOf(id) } },
    status: { privacyStatus: "public", longUploadsStatus: isVerified ? "allowed" : "eligible" },
  };
}

/** The playlist of all that a channel has uploaded. */
export function uploadsOf(channelId: string): string {
  return `UU${channelId.slice(2)}`;
}

/** As far as the parts say that were asked for. https://developers.google.com/youtube/v3/docs/videos (2026-09) */
export function videoJson(state: State, video: Video, parts: readonly string[]): JsonObject {
  const { id, channel, resource, created_at } = video;
  const all: JsonObject = {
    snippet: {
      ...resource.snippet,
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
      ...resource.status,
      ...progressOf(state, video),
    },
    processingDetails: { processingStatus: state.jobs.isDone(video.job) ? "succeeded" : "processing" },
    ...(resource.paidProductPlacementDetails === undefined
      ? {}
      : { paidProductPlacementDetails: resource.paidProductPlacementDetails }),
  };
  const shown = Object.entries(all).filter(([part]) => parts.includes(part));
  return { kind: "youtube#video", etag: "etag", id, ...Object.fromEntries(shown) };
}

function progressOf(state: State, { job, deleted }: Video): JsonObject {
  if (deleted) return { uploadStatus: "deleted" };
  if (!state.jobs.isDone(job)) return { uploadStatus: "uploaded" };
  if (job.failure === null) return { uploadStatus: "processed" };
  const { status, reason } = job.failure;
  return status === "failed"
    ? { uploadStatus: "failed", failureReason: reason }
    : { uploadStatus: "rejected", rejectionReason: reason };
}

/** Whole seconds. */
export function iso(time: number): string {
  return new Date(time).toISOString().replace(/\.\d{3}Z$/, "Z");
}

/** What is there to be seen, in the order of publication. */
export function postsOf(state: State): SandboxPost[] {
  return state.videos
    .filter((video) => !video.deleted && isUsable(state, video))
    .map(({ id, channel, resource, created_at }) => ({
      id,
      account: channel.id,
      text: String(resource.snippet.description ?? ""),
      media: 1,
      alt: [],
      reply_to: null,
      url: `https://www.youtube.com/watch?v=${id}`,
      created_at: new Date(created_at).toISOString(),
    }));
}
