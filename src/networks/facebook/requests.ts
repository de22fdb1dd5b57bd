import { PublishingError } from "../../wire/errors.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { CommitInput, CommitRequest } from "../contract/commit.ts";
import { defined } from "../shared/defined.ts";
import { graphForm } from "../shared/meta/form.ts";
import type { Api } from "./api.ts";
import { belowPost } from "./errors.ts";
import { kindOf } from "./kind.ts";
import type { FacebookOptions } from "./options.ts";
import { photosIn, videoIn } from "./staged.ts";

type Input = CommitInput<FacebookOptions>;
type Form = Record<string, string>;

/** The one request that makes a part public. */
export function requestFor(input: Input, api: Api): CommitRequest {
  const page = input.profile.external_id;
  const post = (edge: string, body: CommitRequest["body"]): CommitRequest => ({
    method: "POST",
    url: api.endpoint([page, edge]),
    body,
  });
  switch (kindOf(input.part)) {
    case "comment":
      return commentRequest(input, api);
    case "feed":
      return post("feed", { json: feedFields(input) });
    case "photo_story":
      return post("photo_stories", { form: { photo_id: onlyPhoto(input) } });
    case "video":
      return post("videos", { form: videoFields(input) });
    case "reel":
      return post("video_reels", { form: reelFields(input) });
    case "video_story":
      return post("video_stories", {
        form: { upload_phase: "finish", video_id: videoOf(input).video_id, ...placeOf(input) },
      });
  }
}

/** https://developers.facebook.com/docs/pages-api/comments-mentions (2026-04) */
function commentRequest({ part, first }: Input, api: Api): CommitRequest {
  if (first === null) throw new PublishingError("internal_error", "There is no post to comment on.");
  const url = api.endpoint([first.id, "comments"]);
  return { method: "POST", url, body: { form: { message: part.text } }, operation: belowPost };
}

/** https://developers.facebook.com/docs/graph-api/reference/page/feed/ (2026-09) */
function feedFields({ part, staged }: Input): JsonObject {
  const { text, link, media, options } = part;
  const { targeting, feed_targeting, text_format_preset_id } = options;
  const photos = photosIn(staged);
  if (photos.length !== media.length) throw new PublishingError("internal_error", "The photos were not staged.");
  return defined({
    message: text || undefined,
    link: link?.url,
    attached_media: photos.length === 0 ? undefined : photos.map((media_fbid) => ({ media_fbid })),
    targeting: targeting && asJson(targeting),
    feed_targeting: feed_targeting && asJson(feed_targeting),
    call_to_action: options.call_to_action && buttonOf(part),
    text_format_preset_id,
    published: true,
  });
}

function buttonOf({ options: { call_to_action }, link }: Input["part"]): JsonObject {
  const target = call_to_action?.link ?? link?.url;
  return defined({
    type: call_to_action?.type ?? "NO_BUTTON",
    value: target === undefined ? undefined : { link: target },
  });
}

/** Leaves out undefined fields. */
function asJson(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}

function onlyPhoto({ staged }: Input): string {
  const [photo] = photosIn(staged);
  if (photo === undefined) throw new PublishingError("internal_error", "The photo was not staged.");
  return photo;
}

function videoOf({ staged }: Input): { video_id: string; upload_session_id?: string | undefined } {
  const video = videoIn(staged);
  if (video === null) throw new PublishingError("internal_error", "The video was not staged.");
  return video;
}

/** https://developers.facebook.com/docs/graph-api/reference/page/videos/ (2026-09) */
function videoFields(input: Input): Form {
  const { upload_session_id } = videoOf(input);
  if (upload_session_id === undefined) throw new PublishingError("internal_error", "The video was not staged.");
  const { part } = input;
  const { content_category, call_to_action } = part.options;
  return {
    upload_phase: "finish",
    upload_session_id,
    ...wordsOf(input),
    ...graphForm({ content_category, call_to_action: call_to_action && buttonOf(part) }),
    ...narrowingOf(input),
  };
}

/** https://developers.facebook.com/docs/video-api/guides/reels-publishing (2026-09) */
function reelFields(input: Input): Form {
  const { video_id } = videoOf(input);
  return {
    upload_phase: "finish",
    video_id,
    video_state: "PUBLISHED",
    ...wordsOf(input),
    ...placeOf(input),
    ...narrowingOf(input),
  };
}

function wordsOf({ part: { text, title } }: Input): Form {
  return graphForm({ description: text || undefined, title: title || undefined });
}

function placeOf({ part: { options } }: Input): Form {
  return graphForm({ place: options.place });
}

function narrowingOf({ part: { options } }: Input): Form {
  const { targeting, feed_targeting } = options;
  return graphForm({ targeting, feed_targeting });
}
