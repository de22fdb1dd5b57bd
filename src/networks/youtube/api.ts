import * as z from "zod";
import type { NetworkContext } from "../contract/request.ts";
import { type Parameters, withParameters } from "../shared/address.ts";
import { answersOf } from "../shared/answer.ts";
import { type Reach, type ReadList, readPages } from "../shared/pages.ts";

/** https://developers.google.com/youtube/v3/docs (2026-11) */
export const apiVersion = "v3";
export const apiHost = "www.googleapis.com";

/** The URL of a method: `https://www.googleapis.com/youtube/v3/{method}?…`. */
export function endpoint(method: string, parameters: Parameters): string {
  return withParameters(`https://${apiHost}/youtube/${apiVersion}/${method}`, parameters);
}

/** The URL of a method that accepts a file. */
export function uploadEndpoint(method: string, parameters: Parameters): string {
  return withParameters(`https://${apiHost}/upload/youtube/${apiVersion}/${method}`, parameters);
}

/** A video's public URL, also of a Short. https://developers.google.com/youtube/v3/docs/videos (2026-09) */
export function permalink(videoId: string): string {
  return `https://www.youtube.com/watch?v=${encodeURIComponent(videoId)}`;
}

const answers = answersOf("YouTube");
export const { readAnswer } = answers;

/** Reads the entries of a list. https://developers.google.com/youtube/v3/guides/implementation/pagination (2026-09) */
export function readList<Schema extends z.ZodType>(
  context: Pick<NetworkContext, "request">,
  { method, parameters, schema }: { method: string; parameters: Parameters; schema: Schema },
  reach: Reach<z.infer<Schema>> = { maxPages: 1 },
): Promise<ReadList<z.infer<Schema>>> {
  const pageSchema = z.object({ items: z.array(schema).nullish(), nextPageToken: z.string().nullish() });
  const readPage = async (pageToken: string | null) => {
    const url = endpoint(method, { ...parameters, ...(pageToken !== null && { pageToken }) });
    const { items, nextPageToken } = await answers.getAnswer(pageSchema, context, url);
    return { items: items ?? [], next: nextPageToken ?? null };
  };
  return readPages(readPage, reach);
}
