import { PublishingError } from "../../wire/errors.ts";
import { withRemedy } from "../../wire/remedy.ts";
import type { Staged } from "../contract/commit.ts";
import type { Part, PlannedMedia } from "../contract/plan.ts";
import { NotReady, type StageContext } from "../contract/request.ts";
import { limits } from "./limits.ts";
import type { YoutubeOptions } from "./options.ts";
import {
  contentRange,
  openSession,
  readUpload,
  sessionSeconds,
  stateIn,
  type UploadSession,
  uploadStatuses,
} from "./session.ts";

interface Upload {
  context: StageContext;
  session: UploadSession;
  media: PlannedMedia;
  chunkBytes: number;
}

/**
 * Begins the upload (`session`) and sends all of the file but its last chunk,
 * which publishes: `ready` says where that begins. After a request that may
 * have arrived in part, `resumed` says where it goes on.
 */
export async function stage(
  context: StageContext,
  part: Part<YoutubeOptions>,
  { chunkBytes }: { chunkBytes: number },
): Promise<void> {
  const [media] = part.media;
  if (part.role !== undefined || media === undefined) return;
  let isNew = false;
  const open = (): Promise<UploadSession> => {
    isNew = true;
    return openSession(context, { part, media, total: sizeOf(media) });
  };
  const session = await context.once("session", open, { keepSeconds: sessionSeconds, sealed: true });
  const upload: Upload = { context, session, media, chunkBytes };
  const keepSeconds = Math.max(1, Math.floor((session.ends_at - context.now()) / 1000));
  let isFirst = false;
  const firstTime = async (): Promise<number> => {
    isFirst = true;
    return sendChunks(upload, isNew ? 0 : await heldBefore(upload));
  };
  const ready = await context.once("ready", firstTime, { keepSeconds });
  if (isFirst) return;
  const state = await readUpload(context, session);
  // What is gone or done the request that publishes will be told: what follows from that is not for a stage to say.
  if (state.at !== "bytes" || state.held === ready || state.held >= session.total) return;
  await context.forget("resumed");
  await context.once("resumed", () => sendChunks(upload, state.held), { keepSeconds });
}

/** Where the last chunk begins. */
export function lastChunkFrom({ ready, resumed }: Staged): number {
  const from = resumed ?? ready;
  if (typeof from !== "number") throw new PublishingError("internal_error", "The upload was not staged.");
  return from;
}

function sizeOf({ size_bytes }: PlannedMedia): number {
  if (size_bytes !== null) return size_bytes;
  const message = withRemedy(
    "The file's host does not report its size. Upload the file first, or use another host.",
    "Uploads need a store: set createSocialService's mediaStore.",
  );
  throw new PublishingError("media_error", message);
}

/** Nothing was sent that publishes: an upload that is gone never was anything. */
async function heldBefore({ context, session }: Upload): Promise<number> {
  const state = await readUpload(context, session);
  if (state.at === "gone") return beginAnew(context);
  return state.at === "bytes" ? state.held : 0;
}

async function beginAnew(context: StageContext): Promise<never> {
  await context.forget("session");
  throw new NotReady("YouTube discarded the upload; it restarts.");
}

/**
 * Each goes on from what YouTube says that it holds. None is repeated at once:
 * some of its bytes may have arrived.
 *
 * @returns what is held then: from there on the rest is the last chunk
 */
async function sendChunks(upload: Upload, heldAlready: number): Promise<number> {
  const { context, session, chunkBytes } = upload;
  const end = Math.floor((session.total - 1) / chunkBytes) * chunkBytes;
  let held = heldAlready;
  while (held < end) {
    const state = stateIn(await context.request(chunkRequest(upload, held, Math.min(held + chunkBytes, end))));
    if (state.at === "gone") return beginAnew(context);
    if (state.at === "end" || state.held <= held)
      throw new PublishingError("network_error", "YouTube rejects the next bytes of the file.");
    held = state.held;
  }
  return held;
}

function chunkRequest({ session, media }: Upload, from: number, to: number): Parameters<StageContext["request"]>[0] {
  const maxBytes = limits.media.types.find(({ mime }) => mime === media.mime_type)?.max_bytes ?? 0;
  return {
    method: "PUT",
    url: session.url,
    headers: { "content-range": contentRange({ from, to, total: session.total }) },
    body: { file: { contentType: media.mime_type, media, maxBytes, slice: { from, to } } },
    accept: uploadStatuses,
    repeat: false,
  };
}
