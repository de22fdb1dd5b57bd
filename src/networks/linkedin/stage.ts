import { PublishingError } from "../../wire/errors.ts";
import type { Part, PlannedLink, PlannedMedia } from "../contract/plan.ts";
import { type FileContent, NotReady, type StageContext } from "../contract/request.ts";
import { triedTwice } from "../shared/tried-twice.ts";
import type { Api } from "./api.ts";
import { assertUsable, uploadImage } from "./image.ts";
import { isOrganization } from "./known.ts";
import { maxImageBytes } from "./limits.ts";
import type { LinkedinOptions } from "./options.ts";
import { names } from "./staged.ts";
import { keepSeconds } from "./upload.ts";

/** Uploads a part's files, and has LinkedIn finish them: `media_0`, `media_1`, …, `thumb`. */
export async function stage(context: StageContext, part: Part<LinkedinOptions>, api: Api): Promise<void> {
  const images: string[] = [];
  for (const [index, media] of part.media.entries()) {
    const name = names.media(index);
    const content = contentOf(media);
    images.push(await uploadImage(context, api, { name, field: `media[${index}]`, content }));
  }
  if (part.media.length === 0 && part.link !== null) await stageThumb(context, api, part.link);
  if (isOrganization(context.profile)) for (const urn of images) await assertUsable(context, api, urn);
  else if (images.length > 0) await waitARound(context);
}

function contentOf(media: PlannedMedia): FileContent {
  return { contentType: media.mime_type, media, maxBytes: media.size_bytes ?? maxImageBytes };
}

/** A card without a picture is still a card. */
async function stageThumb(context: StageContext, api: Api, { image_url }: PlannedLink): Promise<void> {
  if (image_url === null) return;
  const upload = async (): Promise<string> => {
    const bytes = await context.readMedia(image_url, { maxBytes: maxImageBytes });
    const contentType = pictureType(bytes);
    if (contentType === null)
      throw new PublishingError("media_error", "link.image_url: LinkedIn takes JPEG, PNG and GIF.");
    const content = { contentType, bytes };
    return uploadImage(context, api, { name: `${names.thumb}_file`, field: "link.image_url", content });
  };
  await context.once(names.thumb, () => triedTwice(context, { name: names.thumb, keepSeconds }, upload), {
    keepSeconds,
  });
}

/** How such files begin. https://www.w3.org/TR/png-3/#5PNG-file-signature, https://www.w3.org/Graphics/JPEG/itu-t81.pdf, https://www.w3.org/Graphics/GIF/spec-gif89a.txt (2026-11) */
const beginnings: readonly [type: string, start: readonly number[]][] = [
  ["image/png", [0x89, 0x50, 0x4e, 0x47]],
  ["image/jpeg", [0xff, 0xd8, 0xff]],
  ["image/gif", [0x47, 0x49, 0x46, 0x38]],
];

function pictureType(bytes: Uint8Array): string | null {
  return beginnings.find(([, start]) => start.every((byte, index) => bytes[index] === byte))?.[0] ?? null;
}

/**
 * A login that may only post is not told when a picture is ready, and a post that comes too soon may stay invisible.
 * https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/images-api (2026-08)
 */
async function waitARound(context: StageContext): Promise<void> {
  let isFirst = false;
  const note = async (): Promise<boolean> => {
    isFirst = true;
    return true;
  };
  await context.once("waited", note, { keepSeconds });
  if (isFirst) throw new NotReady("LinkedIn is working on the files.");
}
