import * as z from "zod";
import { ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { graphRefusal, uploadHost } from "../parts/graph.ts";
import { fieldsOf, json } from "../parts/graph-fields.ts";
import { assertWhole, pullFile } from "../parts/graph-files.ts";
import { createJobs } from "../parts/jobs.ts";
import { formatOf, isPlayable } from "../parts/uploads.ts";
import { button, demand, feedTargeting, targeting } from "./body.ts";
import type { SandboxPage } from "./pages.ts";
import type { Posts } from "./posts.ts";
import { addressOf, type Edge, type Video } from "./state.ts";

/** How Facebook accepts and processes videos. */
export interface VideoSwitches {
  /** Sets how long Facebook takes to fetch a file. */
  fetchVideosFor(seconds: number): void;
  /** Sets how long videos are processed before they are public. */
  processPublicationsFor(seconds: number): void;
  /** Makes the next video fail with this message. */
  failNextVideo(words: string): void;
  /** Sets the length of the pieces that Facebook requests. */
  askForPieces(bytes: number): void;
  /** Only this many bytes of the next piece arrive. */
  takeOnly(bytes: number): void;
  /** Delays the post ids of videos until this long after they are public. */
  tellPostIdsAfter(seconds: number): void;
}

export type Videos = ReturnType<typeof createVideos>;

const words = { title: z.string().optional(), description: z.string().optional() };
const narrowing = { targeting: json(targeting).optional(), feed_targeting: json(feedTargeting).optional() };
const phase = z.literal("finish");

/** https://developers.facebook.com/docs/graph-api/reference/page/videos/ (2026-09), …/video-api/guides/reels-publishing, …/page-stories-api */
const finishes = {
  videos: z.strictObject({
    upload_phase: phase,
    upload_session_id: z.string(),
    content_category: z.string().optional(),
    ...words,
    ...narrowing,
    call_to_action: json(button).optional(),
  }),
  video_reels: z.strictObject({
    upload_phase: phase,
    video_id: z.string(),
    video_state: z.literal("PUBLISHED"),
    place: z.string().optional(),
    ...words,
    ...narrowing,
  }),
  video_stories: z.strictObject({ upload_phase: phase, video_id: z.string(), place: z.string().optional() }),
} satisfies Record<Edge, z.ZodType>;

const startSchema = z.strictObject({
  upload_phase: z.literal("start"),
  file_size: z.coerce.number().int().positive().optional(),
});
const transferSchema = z.strictObject({
  upload_phase: z.literal("transfer"),
  upload_session_id: z.string(),
  start_offset: z.coerce.number().int(),
  video_file_chunk: z.instanceof(File),
});

/** Reels per 24 hours. https://developers.facebook.com/docs/video-api/guides/reels-publishing (2026-09) */
const reelsADay = 30;
const dayMs = 24 * 3_600_000;

export function createVideos(ports: SandboxPorts, posts: Posts, nextId: () => string) {
  const { clock } = ports;
  const jobs = createJobs<string>(clock);
  const publications = createJobs<string>(clock);
  const videos: Video[] = [];
  const ways = { piece: 4 * 1024 * 1024, takes: null as number | null, tellsAfterMs: 0 };

  function find(page: SandboxPage, isIt: (video: Video) => boolean): Video {
    const video = videos.find((each) => each.page === page.id && !each.isCancelled && isIt(each));
    if (video === undefined) throw graphRefusal("100/33", "Unsupported request. Object does not exist");
    return video;
  }

  function start(page: SandboxPage, edge: Edge, fields: unknown): SandboxAnswer {
    const { file_size } = demand(startSchema, fields);
    if ((edge === "videos") !== (file_size !== undefined))
      throw graphRefusal(100, "(#100) Invalid parameter: file_size");
    const video: Video = {
      id: nextId(),
      session: nextId(),
      page: page.id,
      edge,
      bytes: new Uint8Array(file_size ?? 0),
      held: 0,
      fetch: null,
      work: null,
      thumbnail: null,
      created_at: clock.now(),
      isCancelled: false,
    };
    videos.push(video);
    const upload_url = `https://${uploadHost}/video-upload/v26.0/${video.id}`;
    if (edge !== "videos") return ok({ video_id: video.id, upload_url });
    return ok({ upload_session_id: video.session, video_id: video.id, ...offsets(video) });
  }

  function offsets({ held, bytes }: Video): { start_offset: string; end_offset: string } {
    return { start_offset: String(held), end_offset: String(Math.min(held + ways.piece, bytes.length)) };
  }

  async function transfer(page: SandboxPage, fields: unknown): Promise<SandboxAnswer> {
    const { upload_session_id, start_offset, video_file_chunk } = demand(transferSchema, fields);
    const video = find(page, ({ session }) => session === upload_session_id);
    const piece = new Uint8Array(await video_file_chunk.arrayBuffer());
    if (video.work !== null || start_offset !== video.held || video.held + piece.length > video.bytes.length)
      throw graphRefusal("6001/1363037", "There was a problem uploading your video: the offset is wrong");
    const taken = piece.subarray(0, ways.takes ?? piece.length);
    ways.takes = null;
    video.bytes.set(taken, video.held);
    video.held += taken.length;
    return ok(offsets(video));
  }

  function assertFinishable({ edge, held, bytes, work, page }: Video): void {
    if (work !== null) throw graphRefusal(100, "(#100) The upload was finished before");
    if (bytes.length === 0 || held < bytes.length) throw graphRefusal(6000, "There was a problem uploading your video");
    const recent = posts.stored.filter((post) => post.page === page && post.created_at > clock.now() - dayMs);
    if (edge === "video_reels" && recent.filter(({ kind }) => kind === "reel").length >= reelsADay)
      throw graphRefusal(613, "Calls to this api have exceeded the rate limit.");
  }

  function finish(page: SandboxPage, edge: Edge, fields: unknown): SandboxAnswer {
    const given: Record<string, unknown> = demand(finishes[edge], fields);
    const { upload_session_id, video_id, upload_phase: _, video_state: _state, title, description, ...extras } = given;
    const video = find(page, ({ id, session }) => id === video_id || session === upload_session_id);
    if (video.edge !== edge) throw graphRefusal(100, "(#100) The upload is of another kind");
    assertFinishable(video);
    const isVideo = ["mp4", "mov"].includes(formatOf(video.bytes) ?? "") && isPlayable(video.bytes);
    const work = publications.start();
    video.work = isVideo ? work : { ...work, failure: "The file is no video" };
    const post = posts.keep(page, {
      kind: ({ videos: "video", video_reels: "reel", video_stories: "story" } as const)[edge],
      message: typeof description === "string" ? description : "",
      title: typeof title === "string" ? title : null,
      video,
      isTargeted: given.targeting !== undefined,
      extras,
    });
    return ok(edge === "video_stories" ? { success: true, post_id: post.id.split("_")[1] } : { success: true });
  }

  function failureOf({ fetch, work }: Video): string | null {
    const ended = work !== null && jobs.isDone(work) ? work : null;
    return fetch?.failure ?? ended?.failure ?? null;
  }

  function statusOf(video: Video): Record<string, unknown> {
    const isWhole = video.bytes.length > 0 && video.held === video.bytes.length;
    const failure = failureOf(video);
    const isFetching = video.fetch !== null && !jobs.isDone(video.fetch);
    const uploading = {
      status: isFetching ? "in_progress" : isWhole ? "complete" : "not_started",
      bytes_transfered: video.held,
    };
    const before = { status: "not_started" };
    if (failure !== null && !isFetching)
      return {
        video_status: "error",
        uploading_phase: uploading,
        publishing_phase: before,
        processing_phase: { status: "error", errors: [{ code: 1363008, message: failure }] },
      };
    if (video.work === null)
      return {
        video_status: isWhole && !isFetching ? "upload_complete" : "uploading",
        uploading_phase: uploading,
        processing_phase: before,
        publishing_phase: before,
      };
    const isDone = jobs.isDone(video.work);
    return {
      video_status: isDone ? "ready" : "processing",
      uploading_phase: uploading,
      processing_phase: { status: isDone ? "complete" : "in_progress" },
      publishing_phase: isDone
        ? { status: "complete", publish_status: "published", publish_time: Math.floor(video.work.ready_at / 1000) }
        : before,
    };
  }

  const switches: VideoSwitches = {
    fetchVideosFor: jobs.take,
    processPublicationsFor: publications.take,
    failNextVideo: publications.failNext,
    askForPieces: (bytes) => void Object.assign(ways, { piece: bytes }),
    takeOnly: (bytes) => void Object.assign(ways, { takes: bytes }),
    tellPostIdsAfter: (seconds) => void Object.assign(ways, { tellsAfterMs: seconds * 1000 }),
  };

  return {
    /** Handles a request at one of the three edges, by its phase. */
    async call(page: SandboxPage, edge: Edge, request: SandboxRequest): Promise<SandboxAnswer> {
      const fields = await fieldsOf(request);
      switch (fields.upload_phase) {
        case "start":
          return start(page, edge, fields);
        case "transfer":
          return transfer(page, fields);
        case "finish":
          return finish(page, edge, fields);
        default:
          throw graphRefusal(100, "(#100) Invalid parameter: upload_phase");
      }
    },
    /** Receives bytes, or the URL of the file, at `rupload.facebook.com`. */
    async send(page: SandboxPage, id: string, { headers, bytes }: SandboxRequest): Promise<SandboxAnswer> {
      const video = find(page, (each) => each.id === id && each.edge !== "videos");
      const address = headers.get("file_url");
      if (address === null) assertWhole(headers, bytes);
      else if (!URL.canParse(address)) throw graphRefusal(100, "(#100) The header file_url is no address");
      const file = address === null ? bytes : await pullFile(ports.fetch, address, "video/");
      if (file === null) throw graphRefusal(389, "Unable to fetch video file from URL.");
      video.fetch = jobs.start();
      video.bytes = file;
      video.held = file.length;
      return ok({ success: true });
    },
    async setThumbnail(page: SandboxPage, id: string, request: SandboxRequest): Promise<SandboxAnswer> {
      const video = find(page, (each) => each.id === id);
      const schema = z.strictObject({ is_preferred: z.literal("true"), source: z.instanceof(File) });
      const { source } = demand(schema, await fieldsOf(request));
      const bytes = new Uint8Array(await source.arrayBuffer());
      if (!["jpeg", "png"].includes(formatOf(bytes) ?? "")) throw graphRefusal(324, "Missing or invalid image file");
      video.thumbnail = bytes.length;
      return ok({ success: true });
    },
    /** Null: the Page has no video with this id. */
    show(page: SandboxPage, id: string): SandboxAnswer | null {
      const video = videos.find((each) => each.id === id && each.page === page.id);
      if (video === undefined) return null;
      const post = posts.stored.find((each) => each.video === video);
      const { work } = video;
      const isPublished = work !== null && work.failure === null && jobs.isDone(work);
      const tellsId = isPublished && clock.now() >= work.ready_at + ways.tellsAfterMs;
      const shown = post === undefined || !isPublished ? {} : { permalink_url: new URL(addressOf(post)).pathname };
      const told = post === undefined || !tellsId ? {} : { post_id: post.id };
      return ok({ id, status: statusOf(video), ...shown, ...told });
    },
    all: (): readonly Video[] => videos,
    switches,
  };
}
