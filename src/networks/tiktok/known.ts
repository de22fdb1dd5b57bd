import * as z from "zod";
import { knownReader } from "../shared/known.ts";

const knownSchema = z.object({
  /** What the login allows, as far as that is known. */
  scopes: z.array(z.string()),
  /** TikTok has told all of them: what is not there is not allowed. */
  scopes_are_whole: z.boolean(),
  /** How long the account's videos may be, seconds; null: TikTok did not say. */
  max_video_seconds: z.number().nullable(),
});

export type Known = z.infer<typeof knownSchema>;

export const readKnown = knownReader(knownSchema);
