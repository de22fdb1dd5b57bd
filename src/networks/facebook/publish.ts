import * as z from "zod";
import type { Acceptance } from "../contract/acceptance.ts";
import type { PublishedPart } from "../contract/plan.ts";
import { type CommitRules, type Publisher, readBackRules } from "../contract/publish.ts";
import type { NetworkContext, NetworkResponse } from "../contract/request.ts";
import { graphId } from "../shared/meta/graph-id.ts";
import type { VideoUpload } from "../shared/meta/video-upload.ts";
import { type Api, getAnswer, wholeAddress } from "./api.ts";
import { lists, textForms } from "./feed.ts";
import { type Kind, kindOf } from "./kind.ts";
import { lookUpId } from "./locate-video.ts";
import { lookFor } from "./look-for.ts";
import type { FacebookOptions } from "./options.ts";
import { postIdIn } from "./post-id.ts";
import { prepare } from "./prepare.ts";
import { requestFor } from "./requests.ts";
import { stage } from "./stage.ts";
import { photosIn, videoIn } from "./staged.ts";

/** Reads sometimes lag by more than a minute: https://github.com/DayMoonDevelopment/post-for-me/pull/355 (2026-09) */
const rules: CommitRules = { ...readBackRules, hardEndSeconds: 60, betweenLooksSeconds: 120 };
/** How long Facebook processes videos is not documented (unconfirmed). */
const videoRules: CommitRules = { ...rules, pendingCapSeconds: 6 * 3600 };

const commentSchema = z.object({ id: graphId.or(z.string().regex(/^\d+_\d+$/)) });
const feedSchema = z.object({ id: z.string().regex(/^\d+(_\d+)?$/) });
const successSchema = z.object({ success: z.literal(true), post_id: z.union([z.string(), z.number()]).nullish() });
const permalinkSchema = z.object({ permalink_url: z.string().nullish() });

/** @param api the Graph API in the chosen version */
export function createPublisher(api: Api, { videoUpload }: { videoUpload: VideoUpload }) {
  return {
    prepare,
    rules: (_, { media }) => (media[0]?.type === "video" ? videoRules : rules),
    stage: (context, part) => stage(context, part, { api, videoUpload }),
    commit: (input) => requestFor(input, api),

    accepted: (response, input) =>
      acceptedAs(kindOf(input.part), response, {
        page: input.profile.external_id,
        video_id: videoIn(input.staged)?.video_id ?? null,
        media_id: photosIn(input.staged)[0] ?? null,
      }),

    confirm: (context, published, input) => confirm(context, published, { kind: kindOf(input.part), api }),
    lookUpId: (context, published) => lookUpId(context, published, api),
    lookFor: (context, input) => lookFor(context, input, api),
    textForms,
    lists: lists(api),
  } satisfies Publisher<FacebookOptions>;
}

/**
 * While Facebook processes a video, "success" does not mean published.
 * https://developers.facebook.com/docs/video-api/guides/reels-publishing (2026-09)
 */
function acceptedAs(
  kind: Kind,
  { body }: Pick<NetworkResponse, "body">,
  { page, video_id, media_id }: { page: string; video_id: string | null; media_id: string | null },
): Acceptance | null {
  switch (kind) {
    case "comment": {
      const parsed = commentSchema.safeParse(body);
      return parsed.success ? liveAs(parsed.data.id) : null;
    }
    case "feed": {
      const parsed = feedSchema.safeParse(body);
      return parsed.success ? liveAs(postIdIn(page, parsed.data.id)) : null;
    }
    case "photo_story": {
      const parsed = successSchema.safeParse(body);
      if (!parsed.success) return null;
      const { post_id } = parsed.data;
      return post_id == null
        ? { live: { id: null, url: null, ref: { media_id } } }
        : liveAs(postIdIn(page, String(post_id)));
    }
    case "video":
    case "reel":
    case "video_story": {
      const parsed = successSchema.safeParse(body);
      if (!parsed.success || video_id === null) return null;
      const { post_id } = parsed.data;
      return { job: { video_id, ...(post_id == null ? {} : { post_id: String(post_id) }) } };
    }
  }
}

/** The URL always leads to the post. https://developers.facebook.com/docs/pages-api/posts (2026-09) */
function liveAs(id: string): Acceptance {
  return { live: { id, url: wholeAddress(`/${id}`), ref: null } };
}

/** Reads the permalink. */
async function confirm(
  context: NetworkContext,
  published: PublishedPart,
  { kind, api }: { kind: Kind; api: Api },
): Promise<PublishedPart> {
  if (published.id === null || (kind !== "feed" && kind !== "comment")) return published;
  const url = api.endpoint([published.id], { fields: "permalink_url" });
  const { permalink_url } = await getAnswer(permalinkSchema, context, url);
  return { ...published, url: permalink_url == null ? published.url : wholeAddress(permalink_url) };
}
