import type { IdentifiedPart, Part, PlannedMedia } from "../contract/plan.ts";
import { graphForm } from "../shared/meta/form.ts";
import type { ContainerFields } from "../shared/meta/stage-container.ts";
import type { ThreadsOptions } from "./options.ts";

type Given = Part<ThreadsOptions>;

interface PulledFile {
  media: PlannedMedia;
  /** The URL from which Threads downloads it. */
  address: string;
}

/** A part's place in its thread. */
export interface Place {
  /** Position in the thread, from 0. */
  index: number;
  /** The post that it replies to. */
  previous: IdentifiedPart | null;
}

/**
 * The fields of a text post. `auto_publish_text` is never sent: with it, the request that makes the container would
 * publish the post.
 */
export function fieldsOfText(part: Given, place: Place): ContainerFields {
  return {
    ...graphForm({ media_type: "TEXT", link_attachment: part.link?.url }),
    ...(place.index === 0 && attachmentsOf(part.options)),
    ...postFields(part, place),
  };
}

/** https://github.com/fbsamples/threads_api (2025-12) */
export function fieldsOfSingle(part: Given, { file, ...place }: Place & { file: PulledFile }): ContainerFields {
  return { ...source(file), ...spoilerOf(part), ...postFields(part, place) };
}

/** The fields of one file in a carousel. Fields of the whole post are only on the parent. */
export function fieldsOfChild(file: PulledFile): ContainerFields {
  return { is_carousel_item: "true", ...source(file) };
}

export function fieldsOfCarousel(
  part: Given,
  { children, ...place }: Place & { children: readonly string[] },
): ContainerFields {
  return { media_type: "CAROUSEL", children: children.join(","), ...spoilerOf(part), ...postFields(part, place) };
}

function source({ media, address }: PulledFile): ContainerFields {
  const alt: ContainerFields = media.alt ? { alt_text: media.alt } : {};
  if (media.type === "video") return { media_type: "VIDEO", video_url: address, ...alt };
  return { media_type: "IMAGE", image_url: address, ...alt };
}

function spoilerOf({ options: { is_spoiler_media } }: Given): ContainerFields {
  return graphForm({ is_spoiler_media });
}

function attachmentsOf(options: ThreadsOptions): ContainerFields {
  const { poll_attachment, text_attachment, gif_attachment, is_ghost_post } = options;
  return graphForm({
    poll_attachment,
    text_attachment,
    gif_attachment: gif_attachment && { provider: "GIPHY", ...gif_attachment },
    is_ghost_post,
  });
}

function postFields({ text, options }: Given, { index, previous }: Place): ContainerFields {
  return {
    ...graphForm({
      text: text || undefined,
      reply_to_id: previous?.id,
      reply_control: options.reply_control,
      allowlisted_country_codes: options.allowlisted_country_codes?.join(","),
    }),
    ...(index === 0 && ofFirstPart(options)),
  };
}

/** The fields of only the first post in a thread. */
function ofFirstPart(options: ThreadsOptions): ContainerFields {
  return graphForm({
    topic_tag: options.topic_tag,
    quote_post_id: options.quote_post_id,
    location_id: options.location_id,
    text_entities: options.text_entities?.map(asSent),
    enable_reply_approvals: options.enable_reply_approvals,
    crossreshare_to_ig: options.crossreshare_to_ig,
    crossreshare_to_ig_dark_mode: options.crossreshare_to_ig_dark_mode,
  });
}

/** Numbers are sent as strings, like in Meta's sample. https://github.com/fbsamples/threads_api (2025-12) */
function asSent({ entity_type, offset, length }: NonNullable<ThreadsOptions["text_entities"]>[number]) {
  return { entity_type, offset: String(offset), length: String(length) };
}
