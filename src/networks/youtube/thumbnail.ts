import type { CommitInput } from "../contract/commit.ts";
import type { MediaSource, Part, PublishedPart } from "../contract/plan.ts";
import { type NetworkContext, NotReady } from "../contract/request.ts";
import { uploadEndpoint } from "./api.ts";
import { thumbnail as rule } from "./limits.ts";
import type { YoutubeOptions } from "./options.ts";

/** Sets the thumbnail of a live video. It may be repeated. A rejected thumbnail becomes a warning. */
export async function setThumbnail(
  context: NetworkContext,
  published: PublishedPart,
  { part }: CommitInput<YoutubeOptions>,
): Promise<PublishedPart> {
  const file = thumbnailOf(part);
  if (part.role !== undefined || file === null || published.id === null) return published;
  // https://developers.google.com/youtube/v3/docs/thumbnails/set (2026-09)
  const response = await context.request({
    method: "POST",
    url: uploadEndpoint("thumbnails/set", { videoId: published.id, uploadType: "media" }),
    body: { file: { contentType: file.mime_type ?? "image/jpeg", media: file, maxBytes: rule.max_bytes } },
    accept: [400, 404],
    // A used-up quota has the same status.
    acceptCodes: ["forbidden"],
    // The engine retries this. Retries within the request would take minutes if the host hangs.
    repeat: false,
  });
  // A Short accepts one only after processing. https://developers.google.com/youtube/v3/revision_history (2026-11)
  if (response.status === 404) throw new NotReady("YouTube does not accept a thumbnail for the video yet.");
  if (response.status === 200) return published;
  const why = response.status === 403 ? "the channel may need a verified phone number" : "it rejected the file";
  const warnings = [...(published.warnings ?? []), `YouTube did not set the thumbnail: ${why}.`];
  return { ...published, warnings };
}

/** The thumbnail that the option names, or else the video's own cover. */
function thumbnailOf({
  options: { thumbnail },
  option_files = [],
  media: [video],
}: Part<YoutubeOptions>): MediaSource | null {
  if (thumbnail !== undefined) return option_files.find(({ url }) => url === thumbnail) ?? null;
  if (video === undefined || video.thumbnail_url === null || video.thumbnail_mime_type === undefined) return null;
  const stored = video.thumbnail_stored;
  return { url: video.thumbnail_url, mime_type: video.thumbnail_mime_type, ...(stored && { stored }) };
}
