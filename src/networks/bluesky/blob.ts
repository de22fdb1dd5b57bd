import * as z from "zod";
import type { Json } from "../../wire/json.ts";
import type { StageContext } from "../contract/request.ts";
import { readAnswer, xrpc } from "./api.ts";

/** Servers keep an unused blob for at least an hour. https://atproto.com/specs/blob (2026-08) */
export const keepSeconds = 3000;

/** The server's response. It goes into the record unchanged. */
export const blobSchema = z.looseObject({
  $type: z.literal("blob"),
  ref: z.object({ $link: z.string() }),
  mimeType: z.string(),
  size: z.number(),
});

const uploadSchema = z.object({ blob: blobSchema });

export interface StagedFile {
  url: string;
  /** Used only if the server does not recognise the bytes. */
  contentType: string;
  maxBytes: number;
  /** True: a file other than an image or video. @default false */
  anyKind?: boolean;
}

/** Uploads a file to the account's server. */
export async function uploadBlob(context: StageContext, file: StagedFile): Promise<z.infer<typeof blobSchema>> {
  const { url, contentType, ...options } = file;
  const bytes = await context.readMedia(url, options);
  const response = await context.request({
    method: "POST",
    url: xrpc(String(context.profile.account_facts.pds), "com.atproto.repo.uploadBlob"),
    body: { file: { contentType, bytes } },
  });
  return readAnswer(uploadSchema, response).blob;
}

/** Uploads a file and keeps its blob under `name`. */
export async function stageBlob(context: StageContext, name: string, file: StagedFile): Promise<void> {
  await context.once(name, async () => (await uploadBlob(context, file)) as Json, { keepSeconds });
}
