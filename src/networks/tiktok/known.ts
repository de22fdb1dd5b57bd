import * as z from "zod";
import { knownReader } from "../shared/known.ts";

const knownSchema = z.object({
  /** The token's scopes, as far as they are known. */
  scopes: z.array(z.string()),
  /** True: TikTok reported all scopes, so a missing one is not granted. */
  scopes_are_whole: z.boolean(),
  /** Maximum length of the account's videos, seconds. Null: unknown. */
  max_video_seconds: z.number().nullable(),
});

export type Known = z.infer<typeof knownSchema>;

export const readKnown = knownReader(knownSchema);
