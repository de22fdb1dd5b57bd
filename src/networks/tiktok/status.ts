import * as z from "zod";
import type { PublishingFailure } from "../contract/acceptance.ts";
import type { NetworkContext } from "../contract/request.ts";
import { endpoint, jsonBody, readAnswer } from "./api.ts";
import { codesOf } from "./errors.ts";

/** Ids are beyond 2^53: they arrive as texts of their digits. */
const postId = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(z.string().regex(/^\d{1,25}$/));

/** https://developers.tiktok.com/doc/content-posting-api-reference-get-video-status (2026-11); both spellings are in use. */
const statusSchema = z.object({
  data: z.object({
    status: z.string(),
    fail_reason: z.string().nullish(),
    publicaly_available_post_id: z.array(postId).nullish(),
    publicly_available_post_id: z.array(postId).nullish(),
    uploaded_bytes: z.number().nullish(),
  }),
});

/** How far a publication is. */
export interface PublishStatus {
  /** `PROCESSING_UPLOAD`, `PROCESSING_DOWNLOAD`, `SEND_TO_USER_INBOX`, `PUBLISH_COMPLETE`, `FAILED`. */
  status: string;
  /** Why it is `FAILED`. */
  reason: string;
  /** Null: TikTok has not told it, and may never do. */
  postId: string | null;
  /** Of the file; null: TikTok does not say. */
  uploadedBytes: number | null;
}

/** What TikTok says of a publication that it does not know, and at times of a new one that it does. Same source. */
const unknownCodes = ["invalid_publish_id", "invalid_param", "invalid_params"];

/** Null: TikTok does not know it, or not yet. It only reads, although it is a POST. */
export async function readStatus(
  context: Pick<NetworkContext, "request">,
  publish_id: string,
): Promise<PublishStatus | null> {
  const url = endpoint("post/publish/status/fetch");
  const body = jsonBody({ publish_id });
  const response = await context.request({ method: "POST", url, body, accept: [200, 400, 404] });
  const codes = codesOf(response.body);
  if (response.status === 404 || codes.some((code) => unknownCodes.includes(code))) return null;
  const { data } = readAnswer(statusSchema, response);
  const [postId = null] = data.publicaly_available_post_id ?? data.publicly_available_post_id ?? [];
  return {
    status: data.status,
    reason: data.fail_reason ?? "",
    postId,
    uploadedBytes: data.uploaded_bytes ?? null,
  };
}

/** By `fail_reason`. Same source; how large a picture may be: https://github.com/gitroomhq/postiz-app (2026-08). */
const failures: Readonly<Record<string, PublishingFailure>> = {
  file_format_check_failed: { code: "media_error", message: "TikTok cannot read the file's format." },
  duration_check_failed: { code: "media_error", message: "The video is too long or too short for this account." },
  frame_rate_check_failed: { code: "media_error", message: "TikTok accepts 23 to 60 frames per second." },
  picture_size_check_failed: {
    code: "media_error",
    message: "TikTok accepts videos of 360 to 4,096 pixels per side, and images of at most 1080p.",
  },
  video_pull_failed: { code: "media_error", message: "TikTok could not fetch the video." },
  photo_pull_failed: {
    code: "media_error",
    message: "TikTok could not fetch the images: their URLs must return 200 for an hour, without a redirect.",
  },
  internal: { code: "network_error", message: "TikTok had an internal error." },
  publish_cancelled: { code: "rejected_by_network", message: "The publication was cancelled." },
  auth_removed: {
    code: "reauthentication_required",
    message: "The user has revoked the app's access: reconnect the account.",
  },
  spam_risk_too_many_posts: {
    code: "rejected_by_network",
    message: "The account has reached TikTok's daily limit of posts, over all apps: try again tomorrow.",
  },
  spam_risk_user_banned_from_posting: {
    code: "rejected_by_network",
    message: "TikTok does not allow this account to post.",
  },
  spam_risk_text: { code: "rejected_by_network", message: "TikTok considers the text spam." },
  spam_risk: { code: "rejected_by_network", message: "TikTok considers the post spam." },
};

export function failureOf(reason: string): PublishingFailure {
  const known = failures[reason];
  if (known !== undefined) return known;
  const said = reason.slice(0, 100) || "it gives no reason";
  return { code: "rejected_by_network", message: `TikTok did not publish it: ${said}.` };
}
