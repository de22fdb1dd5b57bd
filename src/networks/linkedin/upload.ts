import * as z from "zod";
import type { JsonObject } from "../../wire/json.ts";
import { type NetworkResponse, NotReady, type StageContext } from "../contract/request.ts";
import { isFirstTime } from "../shared/first-time.ts";
import { type Api, readAnswer } from "./api.ts";

/** LinkedIn names no end for what is uploaded and not posted (unconfirmed). */
export const keepSeconds = 12 * 3600;

/** What LinkedIn keeps files as. */
export type AssetKind = "images" | "videos" | "documents";

/** Begins an upload. https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/images-api (2026-08) */
export async function initialize<Schema extends z.ZodType>(
  context: StageContext,
  api: Api,
  { kind, schema, more = {} }: { kind: AssetKind; schema: Schema; more?: JsonObject },
): Promise<z.infer<Schema>> {
  const { url, headers } = api.rest([kind], { action: "initializeUpload" });
  // Who posts must own the file.
  const initializeUploadRequest = { owner: context.profile.external_id, ...more };
  const response = await context.request({ method: "POST", url, headers, body: { json: { initializeUploadRequest } } });
  const { value } = readAnswer(startedSchema, response);
  return readAnswer(schema, { ...response, body: value });
}

const startedSchema = z.object({ value: z.unknown() });

/** Same source, and …/videos-api: `WAITING_UPLOAD`, `PROCESSING`, `AVAILABLE`, `PROCESSING_FAILED`. */
const statusSchema = z.object({ status: z.string(), processingFailureReason: z.string().nullish() });

export type AssetStatus = z.infer<typeof statusSchema>;

/** How far LinkedIn is with a file; null: it does not tell this login. */
export async function readStatus(
  context: StageContext,
  api: Api,
  { kind, urn }: { kind: AssetKind; urn: string },
): Promise<AssetStatus | null> {
  const response: NetworkResponse = await context.request({ method: "GET", ...api.rest([kind, urn]), accept: [403] });
  return response.status === 403 ? null : readAnswer(statusSchema, response);
}

/** @throws NotReady when the addresses have run out: the next round begins anew */
export async function assertNotExpired(
  context: StageContext,
  { name, endsAt }: { name: string; endsAt: number | null | undefined },
): Promise<void> {
  if (endsAt == null || endsAt > context.now()) return;
  await context.forget(name);
  throw new NotReady("An upload took longer than LinkedIn allows; it restarts.");
}

/**
 * A login that may only post is not told when a file is ready, and a post that comes too soon may stay invisible.
 * https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/images-api (2026-08)
 */
export async function waitARound(context: StageContext): Promise<void> {
  if (await isFirstTime(context, "waited", { keepSeconds })) throw new NotReady("LinkedIn is processing the files.");
}
