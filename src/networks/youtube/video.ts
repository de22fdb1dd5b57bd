import * as z from "zod";
import type { PublishingFailure } from "../contract/acceptance.ts";
import type { CommitInput } from "../contract/commit.ts";
import type { LookResult } from "../contract/look.ts";
import type { IdentifiedPart } from "../contract/plan.ts";
import type { NetworkContext } from "../contract/request.ts";
import { endpoint, permalink, readAnswer } from "./api.ts";
import { privacyStatuses, type YoutubeOptions } from "./options.ts";

/** https://developers.google.com/youtube/v3/docs/videos (2026-09) */
const videoSchema = z.object({
  id: z.string().min(1),
  snippet: z.object({ publishedAt: z.string().nullish() }).nullish(),
  status: z
    .object({
      uploadStatus: z.string().nullish(),
      failureReason: z.string().nullish(),
      rejectionReason: z.string().nullish(),
      privacyStatus: z.enum(privacyStatuses).nullish().catch(null),
    })
    .nullish(),
});

type Video = z.infer<typeof videoSchema>;

const listSchema = z.object({ items: z.array(videoSchema).nullish() });

/**
 * A file that cannot be used fails within this time; what is still encoded
 * then is public all the same, and may be for hours, milliseconds.
 * https://github.com/moonklabs/sprintable/pull/4225 (2026-08)
 */
const decidedAfterMs = 120_000;
/** Between two questions, seconds. */
const againSeconds = 30;

/** What has become of a video that YouTube has taken. */
export async function lookAtVideo(
  context: NetworkContext,
  videoId: string,
  input: CommitInput<YoutubeOptions>,
): Promise<LookResult> {
  const url = endpoint("videos", { part: "snippet,status", id: videoId });
  const response = await context.request({ method: "GET", url });
  const video = readAnswer(listSchema, response).items?.find(({ id }) => id === videoId);
  if (video === undefined) return { pending: "YouTube has the video, but does not list it yet." };
  const failed = failureOf(video);
  if (failed !== null) return { failed };
  const live = publishedVideo(video, input);
  const now = Date.parse(response.headers.get("date") ?? "") || context.now();
  if (video.status?.uploadStatus === "processed" || isDecided(video, now)) return { live };
  return { pending: "YouTube is processing the video.", again_seconds: againSeconds, at_cap: { live } };
}

function isDecided({ snippet }: Video, now: number): boolean {
  const uploadedAt = Date.parse(snippet?.publishedAt ?? "");
  return !Number.isNaN(uploadedAt) && now - uploadedAt >= decidedAfterMs;
}

/** By `failureReason`. Same source. */
const failures: Readonly<Record<string, string>> = {
  conversion: "it could not be converted",
  invalidFile: "it is not a video that YouTube can read",
  emptyFile: "it is empty",
  tooSmall: "it is too small",
  codec: "YouTube does not support its codec",
  uploadAborted: "its upload was aborted",
};

/** By `rejectionReason`. Same source. */
const rejections: Readonly<Record<string, string>> = {
  copyright: "copyright",
  inappropriate: "its content",
  duplicate: "it is already on YouTube",
  termsOfUse: "the terms of use",
  uploaderAccountSuspended: "the account is suspended",
  uploaderAccountClosed: "the account is closed",
  length: "it is too long for this channel",
  claim: "a copyright claim",
  trademark: "a trademark",
  legal: "the law",
};

function failureOf({ status }: Video): PublishingFailure | null {
  switch (status?.uploadStatus) {
    case "failed": {
      const why = failures[status.failureReason ?? ""] ?? "it gives no known reason";
      return { code: "media_error", message: `YouTube cannot process the file: ${why}.` };
    }
    case "rejected": {
      const why = rejections[status.rejectionReason ?? ""] ?? "it gives no known reason";
      return { code: "rejected_by_network", message: `YouTube has rejected the video: ${why}.` };
    }
    case "deleted":
      return { code: "rejected_by_network", message: "The video has been deleted on YouTube." };
    default:
      return null;
  }
}

function publishedVideo({ id, status }: Video, { part }: CommitInput<YoutubeOptions>): IdentifiedPart {
  const wanted = part.options.privacy_status;
  const found = status?.privacyStatus ?? wanted;
  // As for projects that YouTube has not looked at, until 2026-11. https://developers.google.com/youtube/v3/revision_history (2026-11)
  const warnings = found === wanted ? [] : [`YouTube made the video ${found} instead of ${wanted}.`];
  return { id, url: permalink(id), ref: null, ...(warnings.length === 0 ? {} : { warnings }) };
}
