import * as z from "zod";
import type { PublishingFailure } from "../contract/acceptance.ts";
import type { NetworkContext } from "../contract/request.ts";
import { endpoint, jsonBody, readAnswer } from "./api.ts";
import { codesOf } from "./errors.ts";

/** Ids exceed 2^53, so they arrive as strings of digits. */
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

/** The state of a publication. */
export interface PublishStatus {
  /** `PROCESSING_UPLOAD`, `PROCESSING_DOWNLOAD`, `SEND_TO_USER_INBOX`, `PUBLISH_COMPLETE`, `FAILED`. */
  status: string;
  /** Why the status is `FAILED`. */
  reason: string;
  /** Null: TikTok has not returned it, and may never do. */
  postId: string | null;
  /** Bytes of the file that have arrived. Null: unknown. */
  uploadedBytes: number | null;
}

/** Errors of an unknown publication, and sometimes of a new one. Same source. */
const unknownCodes = ["invalid_publish_id", "invalid_param", "invalid_params"];

/** Null: TikTok does not know the publication, or not yet. Only reads, although it is a POST. */
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

/** By `fail_reason`. Same source; maximum image size: https://github.com/gitroomhq/postiz-app (2026-08). */
const failures: Readonly<Record<string, PublishingFailure>> = {
  file_format_check_failed: { code: "media_error", message: "TikTok cannot read the file's format." },
  duration_check_failed: { code: "media_error", message: "The video is too long or too short for this account." },
  frame_rate_check_failed: { code: "media_error", message: "TikTok accepts 23 to 60 frames per second." },
  picture_size_check_failed: {
    code: "media_error",
    message:
      "TikTok accepts videos of 360 to 4,096 pixels per side, and images of at most 1,080 pixels on the shorter side.",
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
