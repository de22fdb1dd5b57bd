import * as z from "zod";
import type { JsonObject } from "../../wire/json.ts";

const blob = z.looseObject({ ref: z.looseObject({ $link: z.string() }) });
const pictures = z.array(z.looseObject({ image: blob, alt: z.string() })).optional();
const reference = z.looseObject({ uri: z.string(), cid: z.string() });

/** The embed of a post's record. */
const embedSchema = z.looseObject({
  $type: z.string(),
  images: pictures,
  items: pictures,
  video: blob.optional(),
  external: z.looseObject({ uri: z.string(), title: z.string(), description: z.string() }).optional(),
  record: z.union([reference, z.looseObject({ record: reference })]).optional(),
  media: z.unknown().optional(),
});

const lexicons = "app.bsky.embed";

/**
 * The view service's representation of a post's embed.
 * https://github.com/bluesky-social/atproto/tree/main/lexicons/app/bsky/embed (2026-08)
 *
 * @param quoted returns a quoted post as it is shown; undefined: it is not shown
 */
export function embedView(
  embed: unknown,
  author: string,
  quoted: (uri: string) => JsonObject | undefined,
): JsonObject | undefined {
  const { data } = embedSchema.safeParse(embed);
  if (data === undefined) return undefined;
  const { $type, images, items, video, external, record, media } = data;
  const fileAt = (link: string): string => `https://cdn.bsky.app/img/feed_fullsize/plain/${author}/${link}`;
  const shown = [...(images ?? []), ...(items ?? [])].map(({ image, alt }) => ({
    thumb: fileAt(image.ref.$link),
    fullsize: fileAt(image.ref.$link),
    alt,
  }));
  if (images !== undefined) return { $type: `${$type}#view`, images: shown };
  if (items !== undefined) return { $type: `${$type}#view`, items: shown };
  if (video !== undefined) {
    const cid = video.ref.$link;
    return { $type: `${$type}#view`, cid, playlist: `https://video.bsky.app/watch/${author}/${cid}/playlist.m3u8` };
  }
  if (external !== undefined) {
    const { uri, title, description } = external;
    return { $type: `${$type}#view`, external: { uri, title, description } };
  }
  if (record === undefined) return undefined;
  const { uri } = "uri" in record ? record : record.record;
  const missing = { $type: `${lexicons}.record#viewNotFound`, uri: String(uri), notFound: true };
  const view = { $type: `${lexicons}.record#view`, record: quoted(String(uri)) ?? missing };
  const files = embedView(media, author, quoted);
  return files === undefined ? view : { $type: `${lexicons}.recordWithMedia#view`, record: view, media: files };
}
