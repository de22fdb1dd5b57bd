import { z } from "zod";
import { PublishingError } from "../../wire/errors.ts";
import { type FileContent, NotReady, type StageContext } from "../contract/request.ts";
import type { Api } from "./api.ts";
import { initialize, keepSeconds, readStatus } from "./upload.ts";

/** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/images-api (2026-08) */
const startedSchema = z.object({
  image: z.string().regex(/^urn:li:image:[\w-]+$/),
  uploadUrl: z.url(),
  uploadUrlExpiresAt: z.number().nullish(),
});

/** A picture on its way. */
export interface ImageUpload {
  /** Under which its name at LinkedIn is kept. */
  name: string;
  /** For people: `media[0]`. */
  field: string;
  content: FileContent;
}

/** The picture's name at LinkedIn: its bytes are there. */
export function uploadImage(context: StageContext, api: Api, { name, content }: ImageUpload): Promise<string> {
  const upload = async (): Promise<string> => {
    const kept = `upload_${name}`;
    const begin = () => initialize(context, api, { kind: "images", schema: startedSchema });
    const start = startedSchema.parse(await context.once(kept, begin, { keepSeconds, sealed: true }));
    if (start.uploadUrlExpiresAt != null && start.uploadUrlExpiresAt <= context.now()) {
      await context.forget(kept);
      throw new NotReady("An upload took longer than LinkedIn waits; it begins anew.");
    }
    // In one piece, with the token: the address is LinkedIn's own. Same source.
    await context.request({ method: "PUT", url: start.uploadUrl, body: { file: content } });
    return start.image;
  };
  return context.once(name, upload, { keepSeconds });
}

/** @throws NotReady until LinkedIn has done with the picture what it does · PublishingError when it cannot */
export async function assertUsable(context: StageContext, api: Api, urn: string): Promise<void> {
  const check = async (): Promise<boolean> => {
    const state = await readStatus(context, api, { kind: "images", urn });
    if (state?.status === "PROCESSING_FAILED")
      throw new PublishingError("media_error", "LinkedIn could not use a picture of this post.");
    if (state !== null && state.status !== "AVAILABLE") throw new NotReady("LinkedIn is working on the files.");
    return true;
  };
  await context.once(`usable_${urn}`, check, { keepSeconds });
}
