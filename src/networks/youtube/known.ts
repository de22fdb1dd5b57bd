import * as z from "zod";
import { knownReader } from "../shared/known.ts";

const knownSchema = z.object({
  /** The granted scopes. */
  scopes: z.array(z.string()),
  /** The playlist of the channel's uploads. Null: YouTube named none. */
  uploads: z.string().nullable(),
  /** True: videos may be longer than 15 minutes. */
  takes_long_videos: z.boolean(),
  /** The channel's country, ISO 3166. Null: unknown. */
  country: z.string().nullable(),
});

export type Known = z.infer<typeof knownSchema>;

export const readKnown = knownReader(knownSchema);
