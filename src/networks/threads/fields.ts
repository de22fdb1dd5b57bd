import type { IdentifiedPart, Part, PlannedMedia } from "../contract/plan.ts";
import type { ContainerFields } from "../shared/meta/stage-container.ts";
import type { ThreadsOptions } from "./options.ts";

type Given = Part<ThreadsOptions>;

interface PulledFile {
  media: PlannedMedia;
  /** Where Threads fetches it. */
  address: string;
}

/** Where a part stands. */
export interface Place {
  /** In the thread, from 0. */
  index: number;
  /** What it replies to. */
  previous: IdentifiedPart | null;
}

/** `auto_publish_text` is never sent: it would make the post public by the request that makes its container. */
export function fieldsOfText(part: Given, place: Place): ContainerFields {
  return {
    media_type: "TEXT",
    ...(part.link === null ? {} : { link_attachment: part.link.url }),
    ...(place.index === 0 ? attachmentsOf(part.options) : {}),
    ...postFields(part, place),
  };
}

/** https://github.com/fbsamples/threads_api (2025-12) */
export function fieldsOfSingle(part: Given, { file, ...place }: Place & { file: PulledFile }): ContainerFields {
  return { ...source(file), ...spoilerOf(part), ...postFields(part, place) };
}

/** Everything that concerns the whole post stands on the parent alone. */
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
  return is_spoiler_media === undefined ? {} : { is_spoiler_media: String(is_spoiler_media) };
}

function attachmentsOf({
  poll_attachment,
  text_attachment,
  gif_attachment,
  is_ghost_post,
}: ThreadsOptions): ContainerFields {
  return {
    ...(poll_attachment === undefined ? {} : { poll_attachment: JSON.stringify(poll_attachment) }),
    ...(text_attachment === undefined ? {} : { text_attachment: JSON.stringify(text_attachment) }),
    ...(gif_attachment === undefined
      ? {}
      : { gif_attachment: JSON.stringify({ provider: "GIPHY", ...gif_attachment }) }),
    ...(is_ghost_post === undefined ? {} : { is_ghost_post: String(is_ghost_post) }),
  };
}

function postFields({ text, options }: Given, { index, previous }: Place): ContainerFields {
  const { reply_control, allowlisted_country_codes } = options;
  return {
    ...(text === "" ? {} : { text }),
    ...(previous === null ? {} : { reply_to_id: previous.id }),
    ...(reply_control === undefined ? {} : { reply_control }),
    ...(allowlisted_country_codes === undefined
      ? {}
      : { allowlisted_country_codes: allowlisted_country_codes.join(",") }),
    ...(index === 0 ? ofFirstPart(options) : {}),
  };
}

/** What a conversation has from the post that begins it. */
function ofFirstPart(options: ThreadsOptions): ContainerFields {
  const { topic_tag, quote_post_id, location_id, text_entities } = options;
  const flags = ["enable_reply_approvals", "crossreshare_to_ig", "crossreshare_to_ig_dark_mode"] as const;
  return {
    ...(topic_tag === undefined ? {} : { topic_tag }),
    ...(quote_post_id === undefined ? {} : { quote_post_id }),
    ...(location_id === undefined ? {} : { location_id }),
    ...(text_entities === undefined ? {} : { text_entities: JSON.stringify(text_entities.map(asSent)) }),
    ...Object.fromEntries(
      flags.flatMap((name) => (options[name] === undefined ? [] : [[name, String(options[name])]])),
    ),
  };
}

/** As Meta's own sample sends them: numbers as texts. https://github.com/fbsamples/threads_api (2025-12) */
function asSent({ entity_type, offset, length }: NonNullable<ThreadsOptions["text_entities"]>[number]) {
  return { entity_type, offset: String(offset), length: String(length) };
}
