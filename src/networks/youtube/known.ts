import * as z from "zod";
import { knownReader } from "../shared/known.ts";

const knownSchema = z.object({
  /** What the login allows. */
  scopes: z.array(z.string()),
  /** The playlist that holds all that the channel has uploaded; null: YouTube named none. */
  uploads: z.string().nullable(),
  /** Longer than a quarter of an hour. */
  takes_long_videos: z.boolean(),
  /** Where the channel says it is, ISO 3166; null: it does not say. */
  country: z.string().nullable(),
});

export type Known = z.infer<typeof knownSchema>;

export const readKnown = knownReader(knownSchema);
