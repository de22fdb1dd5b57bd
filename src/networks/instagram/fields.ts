import type { Part, PlannedMedia } from "../contract/plan.ts";
import { graphForm } from "../shared/meta/form.ts";
import type { ContainerFields } from "../shared/meta/stage-container.ts";
import type { InstagramOptions } from "./options.ts";
import { isReel } from "./rules.ts";

export type Fields = ContainerFields;

type Given = Part<InstagramOptions>;

interface FileSource {
  media: PlannedMedia;
  /** The URL from which Instagram downloads it. Null: a video that is uploaded. */
  address: string | null;
}

/**
 * One image, or one video (a reel).
 * https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media (2026-09)
 */
export function fieldsOfSingle(part: Given, { cover, ...file }: FileSource & { cover: string | null }): Fields {
  const own = isReel(part) ? reelFields(part, cover) : altOf(file.media);
  return { ...source(file, "REELS"), ...own, ...tagsOf(part, 0), ...postFields(part) };
}

export function fieldsOfStory(part: Given, file: FileSource): Fields {
  return { ...source(file, null), media_type: "STORIES", ...tagsOf(part, 0), ...labelOf(part) };
}

/** The fields of one file in a carousel. Fields of the whole post are only on the parent. */
export function fieldsOfChild(part: Given, { index, ...file }: FileSource & { index: number }): Fields {
  return { is_carousel_item: "true", ...source(file, "VIDEO"), ...altOf(file.media), ...tagsOf(part, index) };
}

export function fieldsOfCarousel(part: Given, children: readonly string[]): Fields {
  return { media_type: "CAROUSEL", children: children.join(","), ...postFields(part) };
}

function source({ media, address }: FileSource, kindOfVideo: string | null): Fields {
  const kind: Fields = kindOfVideo === null ? {} : { media_type: kindOfVideo };
  if (address === null) return { ...kind, upload_type: "resumable" };
  return media.type === "video" ? { ...kind, video_url: address } : { image_url: address };
}

/** Videos have no alt text. */
function altOf({ type, alt }: PlannedMedia): Fields {
  return type === "video" || !alt ? {} : { alt_text: alt };
}

/** The people and products tagged in the file with this index. */
function tagsOf({ options: { user_tags = [], product_tags = [] } }: Given, index: number): Fields {
  return { ...tagsOn(index, "user_tags", user_tags), ...tagsOn(index, "product_tags", product_tags) };
}

function tagsOn(index: number, name: string, all: readonly { item?: number | undefined }[]): Fields {
  const tags = all.filter(({ item = 0 }) => item === index).map(({ item: _, ...tag }) => tag);
  return tags.length === 0 ? {} : { [name]: JSON.stringify(tags) };
}

function postFields(part: Given): Fields {
  const { collaborators, location_id } = part.options;
  return { ...graphForm({ caption: part.text || undefined, collaborators, location_id }), ...labelOf(part) };
}

function labelOf({ options }: Given): Fields {
  const { is_ai_generated, is_paid_partnership, branded_content_sponsor_ids } = options;
  return graphForm({ is_ai_generated, is_paid_partnership, branded_content_sponsor_ids });
}

/** `share_to_feed` is always sent, because its default is not documented. */
function reelFields({ options }: Given, cover: string | null): Fields {
  const { share_to_feed = true, thumb_offset, audio_name, audio_configuration, trial_params } = options;
  return graphForm({
    share_to_feed,
    cover_url: cover ?? undefined,
    thumb_offset: cover === null ? thumb_offset : undefined,
    audio_name,
    audio_configuration,
    trial_params,
  });
}
