import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { CommitInput, CommitRequest, Staged } from "../contract/commit.ts";
import { type CommitRules, type Publisher, readBackRules } from "../contract/publish.ts";
import { endpoint, jsonBody } from "./api.ts";
import { uploadOperation } from "./errors.ts";
import { lookFor, lookUpId } from "./look-for.ts";
import type { TiktokOptions } from "./options.ts";
import { type Disabled, kindOf, photoInfo, photoWords } from "./post-info.ts";
import { lastChunkFrom, stage } from "./stage.ts";
import { textForms } from "./text.ts";
import { contentRange, type PieceSizes, uploadIn } from "./upload.ts";

/** Moderation takes some hours at times. https://developers.tiktok.com/doc/content-posting-api-reference-get-video-status (2026-11) */
const rules: CommitRules = { ...readBackRules, hardEndSeconds: 120, pendingCapSeconds: 6 * 3_600 };

const begunSchema = z.object({ data: z.object({ publish_id: z.string().min(1) }) });

export function createPublisher(pieces: PieceSizes): Publisher<TiktokOptions> {
  return {
    rules: () => rules,
    stage: (context, part) => stage(context, part, pieces),
    commit: (input) => (kindOf(input.part) === "photo" ? photosRequest(input) : lastChunkRequest(input)),

    /** 206 would mean that bytes are missing. */
    accepted({ status, body }, { part, staged }) {
      if (kindOf(part) === "photo") {
        const begun = begunSchema.safeParse(body).data;
        return begun === undefined ? null : { job: { publish_id: begun.data.publish_id } };
      }
      const upload = uploadIn(staged);
      return status === 201 && upload !== null ? { job: { publish_id: upload.publish_id } } : null;
    },

    lookFor,
    lookUpId,
    textForms,
  };
}

/** With its last byte a video is posted. https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide (2026-11) */
function lastChunkRequest({ staged }: CommitInput<TiktokOptions>): CommitRequest {
  const upload = uploadIn(staged);
  if (upload === null) throw new PublishingError("internal_error", "The upload was not staged.");
  const { url, total } = upload;
  const slice = { media: 0, from: lastChunkFrom(staged), to: total };
  return {
    method: "PUT",
    url,
    headers: { "content-range": contentRange({ ...slice, total }) },
    body: { slice },
    credential: "none",
    operation: uploadOperation,
  };
}

/** With this request TikTok goes to work. https://developers.tiktok.com/doc/content-posting-api-reference-photo-post (2026-11) */
function photosRequest({ part, staged }: CommitInput<TiktokOptions>): CommitRequest {
  const isDraft = part.options.inbox === true;
  const source_info = {
    source: "PULL_FROM_URL",
    photo_images: part.media.map((_, index) => addressIn(staged, index)),
    photo_cover_index: part.options.photo_cover_index ?? 0,
  };
  const json = {
    media_type: "PHOTO",
    post_mode: isDraft ? "MEDIA_UPLOAD" : "DIRECT_POST",
    post_info: isDraft ? photoWords(part) : photoInfo(part, disabledIn(staged)),
    source_info,
  };
  return { method: "POST", url: endpoint("post/publish/content/init"), body: jsonBody(json) };
}

function addressIn(staged: Staged, index: number): string {
  const address = staged[`address_${index}`];
  if (typeof address === "string") return address;
  throw new PublishingError("internal_error", "The images' URLs were not staged.");
}

const disabledSchema = z.object({ comment: z.boolean(), duet: z.boolean(), stitch: z.boolean() });

function disabledIn({ creator }: Staged): Disabled {
  return disabledSchema.parse(creator);
}
