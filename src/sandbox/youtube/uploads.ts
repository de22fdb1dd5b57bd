import { createHash } from "node:crypto";
import { ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import { type Route, route } from "../parts/routes.ts";
import { formatOf, tellsLength } from "../parts/uploads.ts";
import type { Logins } from "./logins.ts";
import { refusal } from "./refusal.ts";
import { readResource } from "./resource.ts";
import { addVideo, api, type Session, type State, type Video } from "./state.ts";
import { videoJson } from "./videos.ts";

/** https://developers.google.com/youtube/v3/guides/using_resumable_upload_protocol (2026-09) */
const chunkUnitBytes = 262_144;
/** How long an upload is kept is not documented (unconfirmed). */
const sessionMs = 24 * 3_600_000;

export function uploadRoutes(state: State, logins: Logins): Route[] {
  function open(request: SandboxRequest): SandboxAnswer {
    const channel = logins.channelFor(request, "upload");
    const query = request.url.searchParams;
    if (query.get("uploadType") !== "resumable") throw refusal(400, "mediaBodyRequired", "There is no file.");
    const { resource, parts } = readResource(request);
    const total = Number(request.headers.get("x-upload-content-length"));
    const type = request.headers.get("x-upload-content-type") ?? "";
    if (!Number.isInteger(total) || total < 1) throw refusal(400, "badRequest", "X-Upload-Content-Length is invalid.");
    if (!/^video\/[\w.+-]+$|^application\/octet-stream$/.test(type))
      throw refusal(400, "badContent", `Media type '${type}' is not supported. Valid media types: [video/*]`);
    assertBucket();
    const session: Session = {
      id: state.id(40),
      channel,
      resource,
      parts,
      notifies: query.get("notifySubscribers") !== "false",
      total,
      bytes: new Uint8Array(total),
      held: 0,
      video: null,
      isForgotten: false,
      created_at: state.now(),
    };
    state.sessions.push(session);
    const location = new URL(request.url);
    location.searchParams.set("upload_id", session.id);
    return { status: 200, headers: { location: location.href } };
  }

  /** https://github.com/googleapis/google-api-python-client/issues/2753 (2026-05) */
  function assertBucket(): void {
    const { uploadsPerDay } = state.ways;
    if (uploadsPerDay === null) return;
    const today = dayOf(state.now());
    if (state.sessions.filter(({ created_at }) => dayOf(created_at) === today).length < uploadsPerDay) return;
    const message =
      "Quota exceeded for quota metric 'Video Uploads' and limit 'Video Uploads per day' of service 'youtube.googleapis.com'.";
    throw refusal(429, "rateLimitExceeded", message, { domain: "global", status: "RESOURCE_EXHAUSTED" });
  }

  function sessionOf(request: SandboxRequest): Session {
    const channel = logins.channelFor(request, "upload");
    const session = state.sessions.find(({ id }) => id === request.url.searchParams.get("upload_id"));
    const isThere = session !== undefined && session.channel === channel && !session.isForgotten;
    const lives = session !== undefined && (session.video !== null || state.now() < session.created_at + sessionMs);
    if (isThere && lives) return session;
    throw refusal(404, "notFound", "Not Found", { domain: "global" });
  }

  return [
    route("openUpload", `POST ${api}/upload/youtube/v3/videos`, open),
    /** Receives bytes, or a query for the number of received bytes. */
    route(putOperation, `PUT ${api}/upload/youtube/v3/videos`, (request) => {
      const session = sessionOf(request);
      const range = rangeOf(request);
      if (range === null) throw refusal(400, "badRequest", "The Content-Range is invalid.", { domain: "global" });
      // A late or repeated request gets the same response.
      if (session.video !== null) return ok(videoJson(state, session.video, session.parts));
      if (range === "question") return progress(session);
      if (
        range.total !== session.total ||
        range.last >= range.total ||
        request.bytes.length !== range.last - range.first + 1
      )
        throw refusal(400, "badRequest", "The Content-Range is invalid.", { domain: "global" });
      if (!tellsLength(request)) throw refusal(411, "lengthRequired", "Length Required", { domain: "global" });
      if (range.first !== session.held) return progress(session);
      const isLast = range.last === session.total - 1;
      if (!isLast && request.bytes.length % chunkUnitBytes !== 0)
        throw refusal(400, "badRequest", "A chunk is a multiple of 256 KiB.", { domain: "global" });
      const taken = state.ways.nextChunkTakes ?? request.bytes.length;
      state.ways.nextChunkTakes = null;
      session.bytes?.set(request.bytes.subarray(0, taken), session.held);
      session.held += Math.min(taken, request.bytes.length);
      if (session.held < session.total) return progress(session);
      const video = publish(state, session);
      return { status: 201, json: videoJson(state, video, session.parts) };
    }),
  ];
}

function progress({ held }: Session): SandboxAnswer {
  return { status: 308, headers: held === 0 ? {} : { range: `bytes=0-${held - 1}` } };
}

function rangeOf({
  headers,
  bytes,
}: SandboxRequest): "question" | { first: number; last: number; total: number } | null {
  const text = headers.get("content-range") ?? "";
  if (/^bytes \*\/\d+$/.test(text)) return bytes.length === 0 ? "question" : null;
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(text) ?? [];
  return total === undefined ? null : { first: Number(first), last: Number(last), total: Number(total) };
}

/** The operation of a PUT to an upload: the one with the last byte publishes. */
function putOperation(request: Pick<SandboxRequest, "headers">): string {
  const [, last, total] = /^bytes \d+-(\d+)\/(\d+)$/.exec(request.headers.get("content-range") ?? "") ?? [];
  if (total === undefined) return "checkUpload";
  return Number(last) === Number(total) - 1 ? "finishUpload" : "sendChunk";
}

/** The formats that YouTube can read. https://developers.google.com/youtube/v3/docs/videos (2026-09) */
const videoFormats: ReadonlySet<string | null> = new Set(["mp4", "mov", "webm"]);

function publish(state: State, session: Session): Video {
  const bytes = session.bytes ?? new Uint8Array();
  const { channel, resource, notifies } = session;
  const isVideo = videoFormats.has(formatOf(bytes));
  const video = addVideo(state, {
    channel,
    resource,
    notifies,
    size: bytes.length,
    hash: createHash("sha256").update(bytes).digest("hex"),
    job: state.jobs.start(isVideo ? null : { status: "failed", reason: "invalidFile" }),
  });
  if (state.ways.privacyBecomes !== null) resource.status.privacyStatus = state.ways.privacyBecomes;
  session.video = video;
  session.bytes = null;
  session.isForgotten = channel.forgetsUploads;
  return video;
}

const californianDay = new Intl.DateTimeFormat("en-CA", { timeZone: "America/Los_Angeles" });

function dayOf(time: number): string {
  return californianDay.format(time);
}
