import * as z from "zod";
import { formBody, jsonBody, ok, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { readAs } from "../parts/fields.ts";
import { createJobs, type Job } from "../parts/jobs.ts";
import { route } from "../parts/routes.ts";
import { type FileFormat, formatOf, isPlayable } from "../parts/uploads.ts";
import type { Logins } from "./logins.ts";
import { invalid, refusal } from "./refusal.ts";
import type { Account, Medium, State } from "./state.ts";

/** https://docs.x.com/x-api/media/quickstart/media-upload-chunked (2026-09) */
const keptSeconds = { initialized: 1_295_999, finalized: 86_400 };
const maxTotalBytes = 17_179_869_184;
const maxSegmentIndex = 9_999;
/** A segment of 5 MB was rejected with 413. https://github.com/trypostit/trypost/pull/31 (2026-08) */
const maxSegmentBytes = 4_999_999;

interface Category {
  kind: Medium["kind"];
  maxBytes: number;
  /** The file format of each type; null: text. */
  formats: Readonly<Record<string, FileFormat | null>>;
}

/** Same source; the larger limits are those of Premium. */
const categories: Readonly<Record<string, Category>> = {
  tweet_image: {
    kind: "image",
    maxBytes: 5_000_000,
    formats: { "image/jpeg": "jpeg", "image/png": "png", "image/webp": "webp" },
  },
  tweet_gif: { kind: "gif", maxBytes: 15_000_000, formats: { "image/gif": "gif" } },
  tweet_video: {
    kind: "video",
    maxBytes: 16_000_000_000,
    formats: { "video/mp4": "mp4", "video/quicktime": "mov" },
  },
  subtitles: { kind: "subtitles", maxBytes: 1_000_000, formats: { "text/srt": null, "text/vtt": null } },
};

const newUpload = z.strictObject({
  media_type: z.string(),
  total_bytes: z.int().min(1).max(maxTotalBytes),
  media_category: z.enum(Object.keys(categories)),
});

const newMetadata = z.strictObject({
  id: z.string(),
  metadata: z.strictObject({
    alt_text: z.strictObject({ text: z.string().min(1).max(1_000) }).optional(),
    sensitive_media_warning: z
      .strictObject({
        adult_content: z.boolean().optional(),
        graphic_violence: z.boolean().optional(),
        other: z.boolean().optional(),
      })
      .optional(),
  }),
});

const newSubtitles = z.strictObject({
  id: z.string(),
  media_category: z.enum(["TweetVideo", "AmplifyVideo"]),
  subtitles: z.strictObject({
    id: z.string(),
    language_code: z.string().regex(/^[A-Z]{2}$/),
    display_name: z.string(),
  }),
});

/** https://github.com/trypostit/trypost/pull/202 (2026-07) */
const emptyObject = z.strictObject({});

interface Upload extends Medium {
  mediaType: string;
  category: Category;
  totalBytes: number;
  segments: Map<number, Uint8Array>;
  initialized_at: number;
  finalized_at: number | null;
  job: Job<string> | null;
}

/** The JSON body, without keys that X does not know. @throws Refusal */
export function checkedBody<Schema extends z.ZodType>(schema: Schema, request: SandboxRequest): z.output<Schema> {
  return readAs(schema, jsonBody(request), ([{ path, message }]) => invalid(`$.${path.join(".")}`, message));
}

export type MediaStore = ReturnType<typeof createMediaStore>;

export function createMediaStore(state: State, logins: Logins, { clock }: SandboxPorts) {
  const uploads: Upload[] = [];
  const jobs = createJobs<string>(clock);

  function find(account: Account, id: string): Upload {
    const upload = uploads.find((each) => each.id === id && each.account === account && !isGone(each));
    if (upload === undefined) throw refusal(404, "resource-not-found", `Could not find media with id: [${id}].`);
    return upload;
  }

  function isGone({ initialized_at, finalized_at }: Upload): boolean {
    const [from, seconds] =
      finalized_at === null ? [initialized_at, keptSeconds.initialized] : [finalized_at, keptSeconds.finalized];
    return clock.now() >= from + seconds * 1000;
  }

  function entity(upload: Upload): object {
    const { id, totalBytes: size, job } = upload;
    const processing_info = job === null ? undefined : processing(job);
    return { id, media_key: keyOf(upload), size, expires_after_secs: keptSeconds.finalized, processing_info };
  }

  function processing(job: Job<string>): object {
    if (!jobs.isDone(job)) return { state: "in_progress", check_after_secs: 1, progress_percent: 50 };
    return job.failure === null
      ? { state: "succeeded", progress_percent: 100 }
      : { state: "failed", error: { message: job.failure } };
  }

  function isReady({ finalized_at, job }: Upload): boolean {
    return finalized_at !== null && (job === null || jobs.stateOf(job) === "done");
  }

  const uploader = (request: SandboxRequest): Account => logins.accountFor(request, "media.write");
  return {
    routes: [
      route("initialize", "POST /2/media/upload/initialize", (request) => {
        const account = uploader(request);
        const { media_type, total_bytes, media_category } = checkedBody(newUpload, request);
        const category = categories[media_category];
        if (category === undefined || !Object.hasOwn(category.formats, media_type))
          throw invalid("media_type", `${media_type} is no ${media_category}.`);
        if (total_bytes > category.maxBytes) throw invalid("total_bytes", "The file is too large.");
        const upload: Upload = {
          id: state.newId(),
          account,
          kind: category.kind,
          alt: null,
          warnings: [],
          subtitles: [],
          mediaType: media_type,
          category,
          totalBytes: total_bytes,
          segments: new Map(),
          initialized_at: clock.now(),
          finalized_at: null,
          job: null,
        };
        uploads.push(upload);
        const { id } = upload;
        return ok({ data: { id, media_key: keyOf(upload), expires_after_secs: keptSeconds.initialized } });
      }),

      route("append", "POST /2/media/upload/:id/append", async (request, id) => {
        const upload = find(uploader(request), id);
        const form = await formBody(request);
        const index = Number(form?.get("segment_index") ?? Number.NaN);
        const file = form?.get("media");
        if (!Number.isInteger(index) || index < 0 || index > maxSegmentIndex)
          throw invalid("segment_index", "The index of a segment is 0 to 9999.");
        if (!(file instanceof File) || file.size === 0) throw invalid("media", "media is missing.");
        if (file.size > maxSegmentBytes) return { status: 413 };
        if (upload.finalized_at !== null) throw invalid("id", "The upload has been finalized.");
        upload.segments.set(index, new Uint8Array(await file.arrayBuffer()));
        return ok({ data: { expires_at: Math.floor(clock.now() / 1000) + keptSeconds.initialized } });
      }),

      route("finalize", "POST /2/media/upload/:id/finalize", (request, id) => {
        const account = uploader(request);
        checkedBody(emptyObject, request);
        const upload = find(account, id);
        if (upload.finalized_at !== null) throw invalid("id", "The upload has been finalized.");
        const bytes = joined(upload);
        const wanted = upload.category.formats[upload.mediaType];
        if (wanted !== null && formatOf(bytes) !== wanted) throw invalid("media", "The file is of another type.");
        upload.finalized_at = clock.now();
        // Only a video is processed.
        const failure = isPlayable(bytes) ? null : "Unsupported video format";
        const job = upload.kind === "video" ? jobs.start(failure) : null;
        upload.job = job !== null && jobs.stateOf(job) === "done" ? null : job;
        return ok({ data: entity(upload) });
      }),

      route("status", "GET /2/media/upload", (request) => {
        const upload = find(uploader(request), request.url.searchParams.get("media_id") ?? "");
        if (upload.finalized_at === null) throw invalid("media_id", "The upload has not been finalized.");
        return ok({ data: entity(upload) });
      }),

      route("metadata", "POST /2/media/metadata", (request) => {
        const account = uploader(request);
        const { id, metadata } = checkedBody(newMetadata, request);
        const upload = find(account, id);
        upload.alt = metadata.alt_text?.text ?? upload.alt;
        const warnings = Object.entries(metadata.sensitive_media_warning ?? {});
        upload.warnings = warnings.filter(([, isSet]) => isSet).map(([warning]) => warning);
        return ok({ data: { id, associated_metadata: metadata } });
      }),

      route("subtitles", "POST /2/media/subtitles", (request) => {
        const account = uploader(request);
        const { id, subtitles } = checkedBody(newSubtitles, request);
        const [video, file] = [find(account, id), find(account, subtitles.id)];
        if (video.kind !== "video" || file.kind !== "subtitles")
          throw invalid("id", "These are no subtitles of a video.");
        video.subtitles.push(subtitles.language_code);
        return ok({ data: { id, media_category: "TweetVideo", associated_subtitles: [subtitles] } });
      }),
    ],

    /** The files, if they can be attached to a post. @throws Refusal */
    forPost(account: Account, ids: readonly string[]): Medium[] {
      const own = uploads.filter((each) => each.account === account && isReady(each) && !isGone(each));
      const media = ids.flatMap((id) => own.find((each) => each.id === id) ?? []);
      if (media.length < ids.length || media.some(({ kind }) => kind === "subtitles"))
        throw invalid("media.media_ids", "Your media IDs are invalid.");
      if (media.length > 1 && media.some(({ kind }) => kind !== "image"))
        throw invalid("media.media_ids", "A post has up to four photos, one GIF or one video.");
      return media;
    },

    switches: {
      processMediaFor: jobs.take,
      failNextMedia: () => jobs.failNext("Unsupported video format"),
    },
  };
}

/** @throws Refusal if a segment is missing, or the total differs from the announced size */
function joined({ segments, totalBytes }: Upload): Uint8Array {
  const parts = Array.from({ length: segments.size }, (_, index) => segments.get(index));
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + (part?.length ?? 0), 0));
  let position = 0;
  for (const part of parts) {
    if (part === undefined) throw invalid("id", "A segment is missing.");
    bytes.set(part, position);
    position += part.length;
  }
  if (bytes.length !== totalBytes) throw invalid("id", "The segments are not as long as total_bytes says.");
  return bytes;
}

const keyNumbers = { image: 3, gif: 16, video: 7, subtitles: 9 } as const;

/** `{number}_{media id}`. https://github.com/xdevplatform/docs/blob/main/openapi.json (2026-08) */
export function keyOf({ kind, id }: Pick<Medium, "kind" | "id">): string {
  return `${keyNumbers[kind]}_${id}`;
}
