import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import { type FileContent, NotReady, type StageContext } from "../contract/request.ts";
import type { Api } from "./api.ts";
import { type AssetKind, assertNotExpired, initialize, keepSeconds, readStatus } from "./upload.ts";

/** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/images-api and …/documents-api (2026-08) */
const startedSchema = z
  .object({
    image: z.string().nullish(),
    document: z.string().nullish(),
    uploadUrl: z.url(),
    uploadUrlExpiresAt: z.number().nullable().exactOptional(),
  })
  .transform(({ image, document, ...start }) => ({ ...start, urn: image ?? document ?? "" }))
  .refine(({ urn }) => /^urn:li:(?:image|document):[\w-]+$/.test(urn));

const keptSchema = z.object({ urn: z.string(), uploadUrl: z.string(), uploadUrlExpiresAt: z.number().nullish() });

/** A file that goes in one piece. */
export interface FileUpload {
  kind: Exclude<AssetKind, "videos">;
  /** Under which its name at LinkedIn is kept. */
  name: string;
  content: FileContent;
}

/** The file's name at LinkedIn: its bytes are there. */
export function uploadFile(context: StageContext, api: Api, { kind, name, content }: FileUpload): Promise<string> {
  const upload = async (): Promise<string> => {
    const kept = `upload_${name}`;
    const begin = () => initialize(context, api, { kind, schema: startedSchema });
    const start = keptSchema.parse(await context.once(kept, begin, { keepSeconds, sealed: true }));
    await assertNotExpired(context, { name: kept, endsAt: start.uploadUrlExpiresAt });
    // In one piece, with the token: the address is LinkedIn's own. Same source.
    await context.request({ method: "PUT", url: start.uploadUrl, body: { file: content } });
    return start.urn;
  };
  return context.once(name, upload, { keepSeconds });
}

/** @throws NotReady until LinkedIn has done with the file what it does · PublishingError when it cannot */
export async function assertUsable(
  context: StageContext,
  api: Api,
  { kind, urn }: { kind: FileUpload["kind"]; urn: string },
): Promise<void> {
  const check = async (): Promise<boolean> => {
    const state = await readStatus(context, api, { kind, urn });
    if (state?.status === "PROCESSING_FAILED")
      throw new PublishingError("media_error", "LinkedIn could not process a file of this post.");
    if (state !== null && state.status !== "AVAILABLE") throw new NotReady("LinkedIn is processing the files.");
    return true;
  };
  await context.once(`usable_${urn}`, check, { keepSeconds });
}
