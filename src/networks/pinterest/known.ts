import * as z from "zod";
import { knownReader } from "../shared/known.ts";

const knownSchema = z.object({
  /** The granted scopes. Null: unknown. */
  scopes: z.array(z.string()).nullable(),
});

export type Known = z.infer<typeof knownSchema>;

export const readKnown = knownReader(knownSchema);
