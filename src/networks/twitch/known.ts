import * as z from "zod";
import { knownReader } from "../shared/known.ts";

const knownSchema = z.object({
  /** The granted scopes. */
  scopes: z.array(z.string()).catch([]),
});

export type Known = z.infer<typeof knownSchema>;

export const readKnown = knownReader(knownSchema);
