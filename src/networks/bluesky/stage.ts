import { findFacets } from "../../text/facets.ts";
import { PublishingError } from "../../wire/errors.ts";
import type { Json } from "../../wire/json.ts";
import type { Part, PlannedLink, PlannedMedia } from "../contract/plan.ts";
import type { StageContext } from "../contract/request.ts";
import { triedTwice } from "../shared/tried-twice.ts";
import { keepSeconds, stageBlob, uploadBlob } from "./blob.ts";
import { maxCaptionBytes, maxImageBytes, maxThumbBytes } from "./limits.ts";
import type { BlueskyOptions } from "./options.ts";
import { findQuoted, findReplied } from "./reference.ts";
import { resolveHandle } from "./server.ts";
import { stageVideo } from "./video.ts";

/** A handle that nobody has today may be somebody's tomorrow. */
const keepMentionsSeconds = 24 * 3600;

/** Uploads a part's files and looks up what it names: `media_0`, `video`, `captions_0`, `thumb`, `quote`, `reply`, `mention_<handle>`. */
export async function stage(context: StageContext, part: Part<BlueskyOptions>): Promise<void> {
  const { captions = [], quote, reply_to } = part.options;
  for (const [index, media] of part.media.entries()) {
    if (media.type === "video") await stageVideoFiles(context, media, captions);
    else await stageImage(context, media, index);
  }
  if (part.link?.image_url != null) await stageThumb(context, part.link.image_url, part.link.picture);
  if (quote !== undefined && context.index === 0)
    await context.once("quote", () => findQuoted(context, quote), { keepSeconds });
  // The whole thread belongs to the conversation that its first part joins.
  if (reply_to !== undefined) await context.once("reply", () => findReplied(context, reply_to), { keepSeconds });
  await stageMentions(context, part.text);
}

async function stageImage(context: StageContext, media: PlannedMedia, index: number): Promise<void> {
  const file = { url: media.url, contentType: media.mime_type, maxBytes: maxImageBytes };
  await stageBlob(context, `media_${index}`, file);
}

async function stageVideoFiles(
  context: StageContext,
  media: PlannedMedia,
  captions: readonly { url: string }[],
): Promise<void> {
  await stageVideo(context, media);
  for (const [track, { url }] of captions.entries())
    await stageBlob(context, `captions_${track}`, {
      url,
      contentType: "text/vtt",
      maxBytes: maxCaptionBytes,
      anyKind: true,
    });
}

/** The server tells the picture's type from its bytes. A card without a picture is still a card. */
async function stageThumb(context: StageContext, url: string, picture: PlannedLink["picture"]): Promise<void> {
  const upload = async (): Promise<Json> => {
    const file = { url, contentType: picture?.mime_type ?? "application/octet-stream", maxBytes: maxThumbBytes };
    const blob = await uploadBlob(context, file);
    if (!blob.mimeType.startsWith("image/"))
      throw new PublishingError("media_error", "link.image_url: the file is not an image.");
    return blob as Json;
  };
  const tried = async () => (picture === null ? null : triedTwice(context, { name: "thumb", keepSeconds }, upload));
  await context.once("thumb", tried, { keepSeconds });
}

/** Handle → DID of every mention; null where nobody has the handle, or none can be found, so that it stays plain text. */
export async function stageMentions(context: StageContext, text: string): Promise<void> {
  const pds = String(context.profile.account_facts.pds);
  const mentions = findFacets(text).filter((facet) => facet.kind === "mention");
  const handles = new Set(mentions.map((facet) => facet.value.toLowerCase()));
  for (const handle of handles) {
    const name = `mention_${handle}`;
    const resolve = (): Promise<string | null> => resolveHandle(context, pds, handle);
    await context.once(name, () => triedTwice(context, { name, keepSeconds }, resolve), {
      keepSeconds: keepMentionsSeconds,
    });
  }
}
