import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { CommitInput, CommitRequest } from "../contract/commit.ts";
import { type CommitRules, type Publisher, readBackRules } from "../contract/publish.ts";
import { commentRequest, entryRequest, publishedComment, publishedEntry, withBelongings } from "./belongings.ts";
import { lookFor } from "./look-for.ts";
import type { YoutubeOptions } from "./options.ts";
import { contentRange, createdVideo, sessionIn } from "./session.ts";
import { lastChunkFrom, stage } from "./stage.ts";
import { textForms } from "./text.ts";
import { setThumbnail } from "./thumbnail.ts";
import { lists } from "./uploads.ts";

/** The last chunk of a video takes its time. */
const videoRules: CommitRules = { ...readBackRules, hardEndSeconds: 120 };

const createdSchema = z.object({ id: z.string().min(1) });

/** @param settings.chunkBytes how much of a file goes in one request */
export function createPublisher(settings: { chunkBytes: number }): Publisher<YoutubeOptions> {
  return {
    prepare: withBelongings,
    rules: (_, { role }) => (role === undefined ? videoRules : readBackRules),
    stage: (context, part) => stage(context, part, settings),

    commit(input) {
      if (input.part.role === "comment") return commentRequest(input);
      return input.part.role === "entry" ? entryRequest(input) : lastChunkRequest(input);
    },

    accepted({ body }, input) {
      const { role } = input.part;
      if (role === undefined) {
        const videoId = createdVideo(body);
        // It is processed for a while, and may turn out to be of no use.
        return videoId === null ? null : { job: { video_id: videoId } };
      }
      const created = createdSchema.safeParse(body).data;
      if (created === undefined) return null;
      return { live: role === "entry" ? publishedEntry(created.id) : publishedComment(created.id, input) };
    },

    confirm: setThumbnail,
    unconfirmed: "YouTube did not set the thumbnail",
    lookFor,
    textForms,
    lists,
  };
}

/** With its last byte a video comes into being. https://developers.google.com/youtube/v3/guides/using_resumable_upload_protocol (2026-09) */
function lastChunkRequest({ staged }: CommitInput<YoutubeOptions>): CommitRequest {
  const session = sessionIn(staged);
  if (session === null) throw new PublishingError("internal_error", "The upload was not staged.");
  const { url, total } = session;
  const slice = { media: 0, from: lastChunkFrom(staged), to: total };
  return { method: "PUT", url, headers: { "content-range": contentRange({ ...slice, total }) }, body: { slice } };
}
