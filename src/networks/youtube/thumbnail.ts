import type { CommitInput } from "../contract/commit.ts";
import type { MediaSource, Part, PublishedPart } from "../contract/plan.ts";
import { type NetworkContext, NotReady } from "../contract/request.ts";
import { uploadEndpoint } from "./api.ts";
import { thumbnail as rule } from "./limits.ts";
import type { YoutubeOptions } from "./options.ts";

/** Sets the thumbnail of a video that is there. It may be set again; a refusal is a warning. */
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
    // A quota that is used up has the same status.
    acceptCodes: ["forbidden"],
    // The engine asks again, for as long as anybody waits for it: each try of a host that hangs takes minutes.
    repeat: false,
  });
  // A Short takes one only once it is processed. https://developers.google.com/youtube/v3/revision_history (2026-11)
  if (response.status === 404) throw new NotReady("YouTube does not accept a thumbnail for the video yet.");
  if (response.status === 200) return published;
  const why = response.status === 403 ? "the channel may need a verified phone number" : "it rejected the file";
  const warnings = [...(published.warnings ?? []), `YouTube did not set the thumbnail: ${why}.`];
  return { ...published, warnings };
}

/** What the option names, or else the video's own cover. */
function thumbnailOf({
  options: { thumbnail },
  option_files = [],
  media: [film],
}: Part<YoutubeOptions>): MediaSource | null {
  if (thumbnail !== undefined) return option_files.find(({ url }) => url === thumbnail) ?? null;
  if (film === undefined || film.thumbnail_url === null || film.thumbnail_mime_type === undefined) return null;
  const stored = film.thumbnail_stored;
  return { url: film.thumbnail_url, mime_type: film.thumbnail_mime_type, ...(stored && { stored }) };
}
