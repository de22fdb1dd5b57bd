import * as z from "zod";
import type { LookInput, LookResult } from "../contract/look.ts";
import type { PublishedPart } from "../contract/plan.ts";
import type { NetworkContext } from "../contract/request.ts";
import { type PostKind, permalink } from "./api.ts";
import type { TiktokOptions } from "./options.ts";
import { kindOf } from "./post-info.ts";
import { failureOf, type PublishStatus, readStatus } from "./status.ts";
import { uploadIn } from "./upload.ts";
import { sightVideos } from "./videos.ts";

/** What TikTok said yes to, by its publication's id, which is not the post's. */
const jobSchema = z.object({ publish_id: z.string().min(1) });

/** Did a part whose answer was lost go out, or what has become of one that TikTok took? */
export async function lookFor(context: NetworkContext, input: LookInput<TiktokOptions>): Promise<LookResult> {
  const publishId = jobSchema.safeParse(input.job).data?.publish_id ?? uploadIn(input.staged)?.publish_id;
  // With the lost answer about photos the id was lost, too.
  if (publishId === undefined) return sightVideos(context, input);
  const status = await readStatus(context, publishId);
  return status === null ? unknownOn(context, input) : toSighting(status, publishId, input);
}

/**
 * TikTok has said at first that it did not know a publication which it had: for
 * so long after the request nothing follows from that, milliseconds.
 */
const unknownForMs = 10 * 60_000;
/** How long before the request `since` lies, milliseconds. */
const sinceMs = 120_000;

/** Nothing was found, and nothing follows from it: after a second such look nobody can tell. */
function unknownOn(context: NetworkContext, { since }: LookInput<TiktokOptions>): LookResult {
  if (context.now() < since + sinceMs + unknownForMs) return { pending: "TikTok does not list the publication yet." };
  return { parent: null, lists: [{ posts: [], isWhole: false, showsSuch: false, name: "publication" }] };
}

function toSighting(
  { status, reason, postId, uploadedBytes }: PublishStatus,
  publishId: string,
  input: LookInput<TiktokOptions>,
): LookResult {
  switch (status) {
    case "PUBLISH_COMPLETE":
    case "SEND_TO_USER_INBOX":
      return { live: published({ postId, publishId }, input) };
    case "FAILED":
      return { failed: failureOf(reason) };
    case "PROCESSING_UPLOAD":
      return lacksBytes(uploadedBytes, input) ? { absent: true } : { pending: "TikTok is processing the video." };
    case "PROCESSING_DOWNLOAD":
      return { pending: "TikTok is fetching the images." };
    default:
      return { pending: `TikTok reports the post's status ${status.slice(0, 50)}.` };
  }
}

/** Without its last byte nothing is posted. What TikTok has said yes to has them all. */
function lacksBytes(uploadedBytes: number | null, { job, staged }: LookInput<TiktokOptions>): boolean {
  const upload = uploadIn(staged);
  return job === undefined && upload !== null && uploadedBytes !== null && uploadedBytes < upload.total;
}

const refSchema = z.object({ publish_id: z.string(), kind: z.enum(["video", "photo"]) });

/** Only of what is public, and after moderation, TikTok tells an id. */
function published(
  { postId, publishId }: { postId: string | null; publishId: string },
  { part, profile }: LookInput<TiktokOptions>,
): PublishedPart {
  const kind: PostKind = kindOf(part);
  const url = postId === null ? null : permalink(profile.handle, kind, postId);
  const isBare = part.options.inbox === true && kind === "video" && part.text !== "";
  const warnings = isBare ? { warnings: ["TikTok does not keep a draft's text: the user must write it."] } : {};
  return { id: postId, url, ref: { publish_id: publishId, kind }, ...warnings };
}

/** Asks for the id of a post that went live without one. */
export async function lookUpId(context: NetworkContext, part: PublishedPart): Promise<PublishedPart> {
  const ref = refSchema.safeParse(part.ref).data;
  if (ref === undefined || part.id !== null) return part;
  const status = await readStatus(context, ref.publish_id);
  const id = status?.postId ?? null;
  return id === null ? part : { ...part, id, url: permalink(context.profile.handle, ref.kind, id) };
}
